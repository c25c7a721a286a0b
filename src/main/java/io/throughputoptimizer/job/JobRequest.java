package io.throughputoptimizer.job;

import io.throughputoptimizer.api.reading.ProblemReader.Accepted;
import org.jspecify.annotations.Nullable;

/// The request of a job.
///
/// @param json the effective request
/// @param accepted the parsed request; null if not parsed yet
/// @param asked the submitted body; null if unknown
/// @param includesDefaults whether the engine's own defaults are searched as well
public record JobRequest(
        String json, @Nullable Accepted accepted, @Nullable String asked, boolean includesDefaults) {
    /// Creates a request read from the database.
    static JobRequest stored(String json) {
        return new JobRequest(json, null, null, false);
    }
}
