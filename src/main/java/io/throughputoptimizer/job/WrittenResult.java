package io.throughputoptimizer.job;

import io.throughputoptimizer.api.job.JobAnswer;
import io.throughputoptimizer.api.result.ResultResponse;
import org.jspecify.annotations.Nullable;

/// What a search found, as it is kept.
///
/// @param json the result
/// @param answer what lists say of it
/// @param found the result as it was before it was written, for whoever waits for it; nobody else holds it longer than
///     that takes
public record WrittenResult(
        String json, @Nullable JobAnswer answer, @Nullable ResultResponse found) {}
