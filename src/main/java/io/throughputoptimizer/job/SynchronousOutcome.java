package io.throughputoptimizer.job;

import io.throughputoptimizer.api.result.ResultResponse;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// The outcome of a search that ran while its caller waited.
public sealed interface SynchronousOutcome {

    /// The search succeeded or failed.
    ///
    /// @param submittedAt submission time
    /// @param found the result before it was written, if the search succeeded
    record Ended(
            Instant submittedAt, JobState state, @Nullable ResultResponse found) implements SynchronousOutcome {}

    /// The search exceeded the waiting time of its caller.
    record OutOfTime() implements SynchronousOutcome {}

    /// The search exceeded its processor time.
    record TooLarge() implements SynchronousOutcome {}

    /// The search did not start, or was stopped by the service.
    ///
    /// @param expectedWait estimated time until a thread is free for the caller
    record Busy(Duration expectedWait) implements SynchronousOutcome {}
}
