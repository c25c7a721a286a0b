package io.throughputoptimizer.job;

import static java.util.Objects.requireNonNullElse;

import io.throughputoptimizer.api.reading.ExplicitFields;
import io.throughputoptimizer.api.reading.ProblemReader.Accepted;
import io.throughputoptimizer.api.request.OptimizationRequest;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The request of a job.
///
/// @param json the effective request
/// @param accepted the parsed request; null if not parsed yet
/// @param asked the submitted body; null if unknown
/// @param body the parsed body; null if not parsed yet
/// @param given pointers of the fields that the body sets; null if not parsed yet
/// @param includesDefaults whether the engine's own defaults are searched as well
public record JobRequest(
        String json,
        @Nullable Accepted accepted,
        @Nullable String asked,
        @Nullable OptimizationRequest body,
        @Nullable Set<String> given,
        boolean includesDefaults) {
    /// Creates a request read from the database.
    static JobRequest stored(String json) {
        return new JobRequest(json, null, null, null, null, false);
    }

    /// Returns the fields that the body sets; all of the effective request if the body is unknown.
    ExplicitFields explicit() {
        return given == null ? ExplicitFields.of(requireNonNullElse(asked, json)) : new ExplicitFields(given);
    }
}
