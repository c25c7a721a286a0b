package io.throughputoptimizer.job;

import java.time.Duration;

/// Settings of job execution and retention.
public record JobSettings(Capacity capacity, Endurance endurance, Retention retention) {

    /// @param workers jobs that run concurrently in this process
    /// @param queued maximum number of queued jobs over all replicas
    public record Capacity(int workers, int queued) {
        public Capacity {
            if (workers <= 0 || queued <= 0) {
                throw new IllegalArgumentException(
                        "workers is " + workers + " and queued " + queued + ": both must be positive");
            }
        }
    }

    /// @param timeout maximum duration of a search
    /// @param attempts maximum starts of a job that crashes the service
    /// @param heartbeat heartbeat interval of a replica; after [JobQueue#MISSED_HEARTBEATS] missed ones its
    ///     jobs restart elsewhere
    /// @param stopGrace time for running searches to finish when the service stops
    /// @param prompt maximum duration of a search outside the queue, including the wait for a thread
    public record Endurance(Duration timeout, int attempts, Duration heartbeat, Duration stopGrace, Duration prompt) {
        /// Time after which a search should be queued, where it is visible and can be canceled.
        private static final Duration PROMPT = Duration.ofSeconds(1);

        /// Creates settings with at most 1 s for searches outside the queue.
        public Endurance(Duration timeout, int attempts, Duration heartbeat, Duration stopGrace) {
            this(timeout, attempts, heartbeat, stopGrace, PROMPT);
        }
    }

    /// @param count number of finished jobs to keep
    /// @param age retention time of finished jobs
    /// @param interval interval between deletions
    public record Retention(int count, Duration age, Duration interval) {
        private static final Duration INTERVAL = Duration.ofMinutes(1);

        /// Creates settings with a deletion every minute.
        public Retention(int count, Duration age) {
            this(count, age, INTERVAL);
        }
    }
}
