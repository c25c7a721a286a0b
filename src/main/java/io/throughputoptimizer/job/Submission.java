package io.throughputoptimizer.job;

/// What became of a submitted request.
public sealed interface Submission {

    /// A job will run it.
    record Accepted(OptimizationJob job) implements Submission {}

    /// The same request was submitted before under the same idempotency key, as this job.
    record Known(OptimizationJob job) implements Submission {}

    /// The idempotency key belongs to another request.
    record KeyTaken() implements Submission {}

    /// No more jobs can wait.
    record QueueFull() implements Submission {}
}
