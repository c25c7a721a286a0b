package io.throughputoptimizer.job;

import java.time.Duration;

/// How jobs are run and kept.
public record JobSettings(Capacity capacity, Endurance endurance, Retention retention) {

    /// @param workers jobs that run in this process at the same time
    /// @param queued jobs that may wait, on all replicas together
    public record Capacity(int workers, int queued) {
        public Capacity {
            if (workers <= 0 || queued <= 0) {
                throw new IllegalArgumentException(
                        "workers is " + workers + " and queued " + queued + ": both must be positive");
            }
        }
    }

    /// @param timeout longest time a search may take
    /// @param attempts how often a search is started that the service does not survive
    /// @param heartbeat how often a replica shows that it lives; after [JobQueue#MISSED_HEARTBEATS] without one its
    ///     jobs are started elsewhere
    /// @param stopGrace how long running searches may go on when the service stops
    /// @param prompt how long a search may take beside the queue, waiting for a thread included
    public record Endurance(Duration timeout, int attempts, Duration heartbeat, Duration stopGrace, Duration prompt) {
        /// After this long a search should be seen and cancelled, as those of the queue can.
        private static final Duration PROMPT = Duration.ofSeconds(1);

        /// Searches beside the queue take a second at the most.
        public Endurance(Duration timeout, int attempts, Duration heartbeat, Duration stopGrace) {
            this(timeout, attempts, heartbeat, stopGrace, PROMPT);
        }
    }

    /// @param count finished jobs to keep
    /// @param age how long finished jobs are kept
    /// @param interval between looks for what is not kept
    public record Retention(int count, Duration age, Duration interval) {
        private static final Duration INTERVAL = Duration.ofMinutes(1);

        /// Looked at once a minute.
        public Retention(int count, Duration age) {
            this(count, age, INTERVAL);
        }
    }
}
