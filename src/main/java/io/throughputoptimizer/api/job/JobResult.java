package io.throughputoptimizer.api.job;

import com.fasterxml.jackson.annotation.JsonRawValue;
import com.fasterxml.jackson.annotation.JsonValue;

/// The result of a job by itself.
///
/// @param request the effective request as JSON, which is not sent
/// @param json the result as JSON
public record JobResult(
        String request, @JsonValue @JsonRawValue String json) {}
