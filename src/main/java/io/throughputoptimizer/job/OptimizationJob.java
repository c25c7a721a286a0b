package io.throughputoptimizer.job;

import io.throughputoptimizer.api.job.JobResponse;
import io.throughputoptimizer.api.job.JobResult;
import java.time.Instant;
import java.util.UUID;

/// An accepted optimization.
///
/// @param id orders jobs by submission
/// @param request the effective request as JSON
/// @param origin who submitted it
public record OptimizationJob(UUID id, Instant submittedAt, String request, Origin origin, JobState state) {

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
                state.result() == null ? null : new JobResult(request, state.result(), false),
                state.problem());
    }
}
