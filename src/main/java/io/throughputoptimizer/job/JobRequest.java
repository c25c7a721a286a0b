package io.throughputoptimizer.job;

import io.throughputoptimizer.api.request.SearchQuestion;
import org.jspecify.annotations.Nullable;

/// What a job is asked to search.
///
/// @param json the effective request
/// @param problem the same as a problem, where somebody has read it already
/// @param asked the body that it was made of; absent where nobody knows it
public record JobRequest(
        String json,
        @Nullable SearchQuestion problem,
        @Nullable String asked) {
    /// A request as it is stored.
    static JobRequest stored(String json) {
        return new JobRequest(json, null, null);
    }
}
