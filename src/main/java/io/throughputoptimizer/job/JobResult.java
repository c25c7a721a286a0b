package io.throughputoptimizer.job;

import com.fasterxml.jackson.annotation.JsonRawValue;
import com.fasterxml.jackson.annotation.JsonValue;

/// The result of a job by itself.
///
/// @param json the result as JSON
public record JobResult(@JsonValue @JsonRawValue String json) {}
