package io.throughputoptimizer.job;

import io.throughputoptimizer.api.problem.InvalidRequestException;
import io.throughputoptimizer.api.problem.Problem;
import io.throughputoptimizer.api.result.ResultResponse;
import io.throughputoptimizer.core.search.SearchMemoryException;
import io.throughputoptimizer.core.search.SearchMonitor;
import io.throughputoptimizer.job.ProgressMonitor.StopReason;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CancellationException;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Runs the searches of jobs and returns their outcomes. Thread-safe.
final class JobSearches {
    private static final Logger log = LoggerFactory.getLogger(JobSearches.class);

    private final BiFunction<JobRequest, SearchMonitor, WrittenResult> search;
    private final Duration timeout;
    private final SearchTelemetry telemetry;
    private final Clock clock;
    private final Precedence precedence = new Precedence();

    /// @param search computes the result of a request as JSON; throws [CancellationException] when the monitor
    ///     is canceled
    /// @param timeout maximum duration of a search, for the timeout message
    JobSearches(
            BiFunction<JobRequest, SearchMonitor, WrittenResult> search,
            Duration timeout,
            SearchTelemetry telemetry,
            Clock clock) {
        this.search = search;
        this.timeout = timeout;
        this.telemetry = telemetry;
        this.clock = clock;
    }

    /// Creates a queued search that starts now. It gives way to searches that callers wait for.
    ///
    /// @param attempt number of the start
    RunningTask begin(UUID id, int attempt, Instant startedAt) {
        return new RunningTask(id.toString(), attempt, startedAt, telemetry.newMonitor(precedence::giveWay));
    }

    /// Creates a search that starts now and whose caller waits.
    RunningTask beginAwaited(UUID id) {
        return new RunningTask(id.toString(), 1, now(), telemetry.newMonitor(() -> {}));
    }

    /// Runs a queued search and returns its final state; empty if it did not end here.
    Optional<JobState> run(RunningTask job, JobRequest request) {
        return run(job, request, _ -> {});
    }

    /// Runs a search whose caller waits, as [#run(RunningTask, JobRequest)].
    ///
    /// @param found receives the result before it is written, if the search succeeds
    Optional<JobState> runAwaited(RunningTask job, JobRequest request, Consumer<@Nullable ResultResponse> found) {
        precedence.begin();
        try {
            return run(job, request, found);
        } finally {
            precedence.end();
        }
    }

    private Optional<JobState> run(RunningTask job, JobRequest request, Consumer<@Nullable ResultResponse> found) {
        return telemetry.watch(job.id(), request, () -> search(job, request, found));
    }

    private Optional<JobState> search(RunningTask job, JobRequest request, Consumer<@Nullable ResultResponse> found) {
        try {
            WrittenResult result = search.apply(request, job.monitor());
            if (Gzip.isTooLong(result.json(), Gzip.LONGEST)) {
                return Optional.of(failed(job, JobProblems.tooLongToStore(Gzip.LONGEST)));
            }
            found.accept(result.found());
            return Optional.of(new JobState.Succeeded(
                    job.startedAt(), end(job), job.monitor().progress(), result.json(), result.answer()));
        } catch (CancellationException _) {
            return stopped(job);
        } catch (InvalidRequestException e) {
            return Optional.of(failed(job, JobProblems.refused(e.violations())));
        } catch (SearchMemoryException e) {
            return Optional.of(failed(job, JobProblems.tooMuchToKeep(e.maximumBytes())));
        } catch (OutOfMemoryError e) {
            log.error("job {} ran out of memory", job.id(), e);
            return Optional.of(failed(job, JobProblems.outOfMemory()));
        } catch (RuntimeException | Error e) {
            log.error("job {} failed", job.id(), e);
            return Optional.of(failed(job, JobProblems.internal()));
        }
    }

    private Optional<JobState> stopped(RunningTask job) {
        return switch (job.monitor().stopReason().orElse(StopReason.CANCELLED)) {
            case CANCELLED ->
                Optional.of(new JobState.Cancelled(
                        job.startedAt(), end(job), job.monitor().progress()));
            case TIMED_OUT -> Optional.of(failed(job, JobProblems.timedOut(timeout)));
            case HANDED_BACK, LOST, TOO_LARGE -> Optional.empty();
        };
    }

    /// Returns the failed state of a started search.
    JobState failed(RunningTask job, Problem problem) {
        return new JobState.Failed(job.startedAt(), end(job), job.monitor().progress(), problem);
    }

    /// Returns the end time, at least the start time in case the clock was set back.
    private Instant end(RunningTask job) {
        Instant now = now();
        return now.isBefore(job.startedAt()) ? job.startedAt() : now;
    }

    Instant now() {
        return JobColumns.now(clock);
    }
}
