package io.throughputoptimizer.job;

import java.time.Duration;
import java.time.Instant;

/// What became of a small search that ran while its caller waited.
public sealed interface PromptEnd {

    /// It succeeded or failed.
    ///
    /// @param submittedAt when it was asked for
    record Ended(Instant submittedAt, JobState state) implements PromptEnd {}

    /// It ran until its time was over.
    record OutOfTime() implements PromptEnd {}

    /// It did not begin, or was stopped by the service.
    ///
    /// @param expectedWait until there may be a thread for the caller
    record Busy(Duration expectedWait) implements PromptEnd {}
}
