package io.throughputoptimizer.job;

import com.fasterxml.jackson.annotation.JsonRawValue;
import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.api.OptimizationRequest;
import io.throughputoptimizer.api.Problem;
import io.throughputoptimizer.api.ResultResponse;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A job as callers see it.
@Schema(name = "Job", description = "An optimization and how it stands.")
public record JobResponse(
        UUID id,
        JobStatus status,
        JobProgress progress,
        Instant submittedAt,
        @Nullable Instant startedAt,
        @Nullable Instant finishedAt,

        @JsonRawValue
        @Schema(implementation = OptimizationRequest.class, description = "The effective request, defaults filled in.")
        String request,

        @JsonRawValue
        @Schema(implementation = ResultResponse.class, description = "Once succeeded; left out of lists.")
        @Nullable
        String result,

        @Schema(description = "Once failed: what went wrong.") @Nullable
        Problem problem) {

    /// @param progress of the search, which a job that is not finished does not know itself
    static JobResponse from(OptimizationJob job, JobProgress progress) {
        return switch (job.state()) {
            case JobState.Queued _ -> of(job, progress, null, null, null, null);
            case JobState.Running running -> of(job, progress, running.startedAt(), null, null, null);
            case JobState.Succeeded done ->
                of(job, done.progress(), done.startedAt(), done.finishedAt(), done.result(), null);
            case JobState.Failed done ->
                of(job, done.progress(), done.startedAt(), done.finishedAt(), null, done.problem());
            case JobState.Cancelled done -> of(job, done.progress(), done.startedAt(), done.finishedAt(), null, null);
        };
    }

    private static JobResponse of(
            OptimizationJob job,
            JobProgress progress,
            @Nullable Instant startedAt,
            @Nullable Instant finishedAt,
            @Nullable String result,
            @Nullable Problem problem) {
        return new JobResponse(
                job.id(),
                job.state().status(),
                progress,
                job.submittedAt(),
                startedAt,
                finishedAt,
                job.request(),
                result,
                problem);
    }

    /// The same without the result, for lists.
    public JobResponse withoutResult() {
        return new JobResponse(id, status, progress, submittedAt, startedAt, finishedAt, request, null, problem);
    }
}
