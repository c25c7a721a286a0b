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

    /// No more jobs can wait.
    ///
    /// @param expectedWait until there may be a place, going by recent jobs; absent when there are none
    record QueueFull(@Nullable Duration expectedWait) implements Submission {}
}
