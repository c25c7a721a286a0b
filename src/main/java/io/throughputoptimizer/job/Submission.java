package io.throughputoptimizer.job;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Outcome of a submitted request.
///
/// @param <J> job
public sealed interface Submission<J> {

    /// A job will run the request.
    record Accepted<J>(J job) implements Submission<J> {}

    /// A known request: it was already submitted with its idempotency key, as this job (without its result).
    record Known<J>(J job) implements Submission<J> {}

    /// The idempotency key belongs to another request.
    record KeyTaken<J>() implements Submission<J> {}

    /// The queue is full for the caller.
    ///
    /// @param own waiting jobs of the caller
    /// @param waiting waiting jobs of all callers
    /// @param most maximum number of waiting jobs
    /// @param expectedWait estimated time until there is room; null if unknown
    record QueueFull<J>(
            int own, int waiting, int most, @Nullable Duration expectedWait) implements Submission<J> {}
}
