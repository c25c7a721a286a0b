package io.throughputoptimizer.job;

import java.time.Instant;
import java.util.UUID;

/// A task of the queue that runs in this process: an optimization, or a part of a sweep.
///
/// @param entry name in the queue, which begins with the id of its job
/// @param attempt number of the start
/// @param startedNanos value of [System#nanoTime()] at its start
public record RunningTask(String entry, int attempt, Instant startedAt, long startedNanos, ProgressMonitor monitor) {
    private static final int LENGTH_OF_ID = 36;

    /// Creates a task that starts now.
    public RunningTask(String entry, int attempt, Instant startedAt, ProgressMonitor monitor) {
        this(entry, attempt, startedAt, System.nanoTime(), monitor);
    }

    /// Returns the id of the job that an entry belongs to.
    public static UUID id(String entry) {
        return UUID.fromString(entry.substring(0, LENGTH_OF_ID));
    }

    public UUID id() {
        return id(entry);
    }
}
