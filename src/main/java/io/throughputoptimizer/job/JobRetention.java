package io.throughputoptimizer.job;

import java.time.Clock;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Forgets finished jobs that are not to be kept any longer, again and again, on a thread of its own: in the queue it
/// would wait behind the jobs that wait for a worker. Replicas do so beside each other; which jobs go depends on the
/// database alone, so that none is forgotten for two. Not thread-safe.
final class JobRetention {
    private static final Logger log = LoggerFactory.getLogger(JobRetention.class);

    private final JobTransitions transitions;
    private final JobSettings.Retention settings;
    private final Clock clock;

    /// Absent while the service is stopped.
    private @Nullable ScheduledExecutorService thread;

    JobRetention(JobTransitions transitions, JobSettings.Retention settings, Clock clock) {
        this.transitions = transitions;
        this.settings = settings;
        this.clock = clock;
    }

    /// Begins at once.
    void start() {
        ScheduledExecutorService started = Executors.newSingleThreadScheduledExecutor(
                Thread.ofVirtual().name("retention").factory());
        long millis = settings.interval().toMillis();
        ScheduledFuture<?> _ = started.scheduleWithFixedDelay(this::round, 0, millis, TimeUnit.MILLISECONDS);
        thread = started;
    }

    void stop() {
        ScheduledExecutorService started = thread;
        thread = null;
        if (started != null) {
            started.shutdown();
        }
    }

    private void round() {
        try {
            forget();
        } catch (RuntimeException | Error e) { // One that got out would end the rounds.
            log.warn("cannot forget finished jobs; trying again", e);
        }
    }

    private void forget() {
        int old = transitions.removeFinishedBefore(clock.instant().minus(settings.age()));
        int beyond = transitions.removeFinishedBeyond(settings.count());
        if (old + beyond > 0) {
            log.info("forgot {} finished jobs for their age and {} for their number", old, beyond);
        }
    }
}
