package io.throughputoptimizer.job;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Outcome of a submitted request.
public sealed interface Submission {

    /// A job will run the request.
    record Accepted(OptimizationJob job) implements Submission {}

    /// A known request: it was already submitted with its idempotency key, as this job (without its result).
    record Known(OptimizationJob job) implements Submission {}

    /// The idempotency key belongs to another request.
    record KeyTaken() implements Submission {}

    /// The queue is full for the caller.
    ///
    /// @param own queued jobs of the caller
    /// @param waiting queued jobs of all callers
    /// @param most maximum number of queued jobs
    /// @param expectedWait estimated time until there is room; null without recent jobs
    record QueueFull(
            int own, int waiting, int most, @Nullable Duration expectedWait) implements Submission {}
}
