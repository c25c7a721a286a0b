package io.throughputoptimizer.job;

import io.throughputoptimizer.api.job.JobResponse;
import io.throughputoptimizer.api.job.JobResult;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// An accepted optimization.
///
/// @param id orders jobs by submission
/// @param request the effective request as JSON
/// @param asked the body that it was made of; absent in lists, and where nobody knows it
/// @param origin who submitted it
public record OptimizationJob(
        UUID id,
        Instant submittedAt,
        String request,
        @Nullable String asked,
        Origin origin,
        JobState state) {

    /// The job as callers see it.
    JobResponse response() {
        return new JobResponse(
                id,
                state.status(),
                state.progress(),
                submittedAt,
                state.startedAt(),
                state.finishedAt(),
                request,
                asked,
                state.result() == null ? null : new JobResult(request, state.result(), false),
                state.problem());
    }
}
