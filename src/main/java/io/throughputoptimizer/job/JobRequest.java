package io.throughputoptimizer.job;

import io.throughputoptimizer.api.reading.ProblemReader.Accepted;
import org.jspecify.annotations.Nullable;

/// What a job is asked to search.
///
/// @param json the effective request
/// @param accepted the same, where somebody has read it already
/// @param asked the body that it was made of; absent where nobody knows it
public record JobRequest(
        String json, @Nullable Accepted accepted, @Nullable String asked) {
    /// A request as it is stored.
    static JobRequest stored(String json) {
        return new JobRequest(json, null, null);
    }
}
