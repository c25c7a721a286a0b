package io.throughputoptimizer.job;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// What became of a submitted request.
public sealed interface Submission {

    /// A job will run it.
    record Accepted(OptimizationJob job) implements Submission {}

    /// The same request was submitted before under the same idempotency key, as this job; its result is left out.
    record Known(OptimizationJob job) implements Submission {}

    /// The idempotency key belongs to another request.
    record KeyTaken() implements Submission {}

    /// No more jobs of the caller can wait.
    ///
    /// @param own jobs of the caller that wait
    /// @param waiting jobs of all callers that wait
    /// @param most jobs that may wait
    /// @param expectedWait until there may be a place for the caller, going by recent jobs; absent without any
    record QueueFull(
            int own, int waiting, int most, @Nullable Duration expectedWait) implements Submission {}
}
