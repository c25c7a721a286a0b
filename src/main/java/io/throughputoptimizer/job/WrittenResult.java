package io.throughputoptimizer.job;

import io.throughputoptimizer.api.job.JobAnswer;
import io.throughputoptimizer.api.result.ResultResponse;
import org.jspecify.annotations.Nullable;

/// The result of a search, ready to be stored.
///
/// @param json the result as JSON
/// @param answer result summary for lists
/// @param found the result object before it was written, for a waiting caller; held no longer than needed
public record WrittenResult(
        String json, @Nullable JobAnswer answer, @Nullable ResultResponse found) {}
