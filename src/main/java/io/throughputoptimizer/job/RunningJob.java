package io.throughputoptimizer.job;

import java.time.Instant;
import java.util.UUID;

/// A search that runs in this process.
///
/// @param attempt number of the start
/// @param startedNanos value of [System#nanoTime()] at its start
record RunningJob(UUID id, int attempt, Instant startedAt, long startedNanos, ProgressMonitor monitor) {}
