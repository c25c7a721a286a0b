package io.throughputoptimizer.job;

import io.throughputoptimizer.api.InvalidRequestException;
import io.throughputoptimizer.api.Problem;
import io.throughputoptimizer.core.search.SearchMonitor;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Takes one job from queued to finished.
final class JobTask implements Runnable {
    private static final Logger log = LoggerFactory.getLogger(JobTask.class);
    private static final int INTERNAL_ERROR = 500;

    private final OptimizationJob job;
    private final JobStore store;
    private final BiFunction<String, SearchMonitor, String> search;
    private final Clock clock;
    private final Runnable whenFinished;
    private final ProgressMonitor monitor = new ProgressMonitor();
    private final CountDownLatch finished = new CountDownLatch(1);

    JobTask(
            OptimizationJob job,
            JobStore store,
            BiFunction<String, SearchMonitor, String> search,
            Clock clock,
            Runnable whenFinished) {
        this.job = job;
        this.store = store;
        this.search = search;
        this.clock = clock;
        this.whenFinished = whenFinished;
    }

    @Override
    public void run() {
        Instant startedAt = clock.instant();
        Optional<OptimizationJob> started = store.advance(job.id(), state -> switch (state) {
            case JobState.Queued _ -> Optional.of(new JobState.Running(startedAt));
            case JobState.Running _, JobState.Succeeded _, JobState.Failed _, JobState.Cancelled _ -> Optional.empty();
        });
        if (started.isPresent()) {
            finish(outcome(startedAt));
        }
    }

    private JobState outcome(Instant startedAt) {
        try {
            String result = search.apply(job.request(), monitor);
            return new JobState.Succeeded(startedAt, clock.instant(), monitor.progress(), result);
        } catch (CancellationException _) {
            return new JobState.Cancelled(startedAt, clock.instant(), monitor.progress());
        } catch (InvalidRequestException e) {
            Problem problem = Problem.invalidBody(e.violations());
            return new JobState.Failed(startedAt, clock.instant(), monitor.progress(), problem);
        } catch (RuntimeException | Error e) {
            log.error("job {} failed", job.id(), e);
            String detail = "The optimization failed because of an error in the service, not in the request.";
            Problem problem = Problem.plain(INTERNAL_ERROR, "Internal Server Error", detail);
            return new JobState.Failed(startedAt, clock.instant(), monitor.progress(), problem);
        }
    }

    /// Cancels at once while the job waits; else asks the search to stop.
    void cancel() {
        monitor.cancel();
        JobState cancelled = new JobState.Cancelled(null, clock.instant(), JobProgress.NONE);
        Optional<OptimizationJob> ended = store.advance(job.id(), state -> switch (state) {
            case JobState.Queued _ -> Optional.of(cancelled);
            case JobState.Running _, JobState.Succeeded _, JobState.Failed _, JobState.Cancelled _ -> Optional.empty();
        });
        if (ended.isPresent()) {
            announceFinish();
        }
    }

    private void finish(JobState state) {
        store.advance(job.id(), _ -> Optional.of(state));
        announceFinish();
    }

    private void announceFinish() {
        whenFinished.run();
        finished.countDown();
    }

    JobProgress progress() {
        return monitor.progress();
    }

    void awaitFinish(Duration longest) throws InterruptedException {
        boolean _ = finished.await(longest.toNanos(), TimeUnit.NANOSECONDS);
    }
}
