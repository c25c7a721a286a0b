package io.throughputoptimizer.job;

import io.throughputoptimizer.api.result.ResultResponse;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// The outcome of a search that ran while its caller waited.
public sealed interface PromptEnd {

    /// It succeeded or failed.
    ///
    /// @param submittedAt when it was asked for
    /// @param found the result before it was written, where it succeeded
    record Ended(
            Instant submittedAt, JobState state, @Nullable ResultResponse found) implements PromptEnd {}

    /// It ran until its caller would wait no longer.
    record OutOfTime() implements PromptEnd {}

    /// It took all the processor time that it may take.
    record TooLarge() implements PromptEnd {}

    /// It did not begin, or was stopped by the service.
    ///
    /// @param expectedWait until there may be a thread for the caller
    record Busy(Duration expectedWait) implements PromptEnd {}
}
