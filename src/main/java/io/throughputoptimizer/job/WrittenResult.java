package io.throughputoptimizer.job;

import io.throughputoptimizer.api.job.JobAnswer;
import org.jspecify.annotations.Nullable;

/// What a search found, as it is kept.
///
/// @param json the result
/// @param answer what lists say of it
public record WrittenResult(String json, @Nullable JobAnswer answer) {}
