package io.throughputoptimizer.job;

import java.time.Duration;

/// Settings of the execution of jobs.
public record JobSettings(Capacity capacity, Endurance endurance) {

    /// @param workers tasks that run concurrently in this process
    /// @param queued maximum number of waiting jobs over all replicas
    public record Capacity(int workers, int queued) {
        public Capacity {
            if (workers <= 0 || queued <= 0) {
                throw new IllegalArgumentException(
                        "workers is " + workers + " and queued " + queued + ": both must be positive");
            }
        }
    }

    /// @param timeout maximum duration of a search
    /// @param attempts maximum starts of a task that crashes the service
    /// @param heartbeat heartbeat interval of a replica; after [JobQueue#MISSED_HEARTBEATS] missed ones its
    ///     tasks restart elsewhere
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
}
