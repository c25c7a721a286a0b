package io.throughputoptimizer.api.job;

import com.fasterxml.jackson.annotation.JsonRawValue;
import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.api.WireMember;
import io.throughputoptimizer.api.problem.Problem;
import io.throughputoptimizer.api.request.OptimizationRequest;
import io.throughputoptimizer.api.result.ResultPart;
import io.throughputoptimizer.api.result.ResultResponse;
import io.throughputoptimizer.api.result.catalog.LaunchEnginesResponse.BestLaunchResponse;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A job as callers see it.
@Schema(name = "Job")
public record JobResponse(
        @Nullable UUID id,
        @Nullable String owner,
        @Nullable String name,
        @Nullable Boolean starred,
        JobStatus status,
        JobProgress progress,
        Instant submittedAt,
        @Nullable Instant startedAt,
        @Nullable Instant finishedAt,

        @JsonRawValue @Schema(implementation = OptimizationRequest.class)
        String request,

        @Nullable List<String> abridged,

        @JsonRawValue @Schema(implementation = OptimizationRequest.class) @Nullable
        String asked,

        @Schema(implementation = ResultResponse.class) @Nullable
        JobResult result,

        @Nullable Problem problem,
        @Nullable BestLaunchResponse launch,
        @Nullable JobAnswer answer) {

    /// Returns a copy with a brief result.
    ///
    /// @param included parts of the result that are sent
    public JobResponse with(Set<ResultPart> included) {
        return result == null ? this : withResult(result.with(included));
    }

    /// Returns a copy whose result is reduced to the JSON that is sent.
    public JobResponse made() {
        return result == null ? this : withResult(result.made());
    }

    private JobResponse withResult(JobResult other) {
        return WireMember.copy(this, "result", other);
    }

    /// Returns the copy for shared links: without id, owner, name and star.
    public JobResponse withoutId() {
        return WireMember.copy(this, "id", null, "owner", null, "name", null, "starred", null);
    }

    /// Returns a copy with later progress.
    public JobResponse withProgress(JobProgress latest) {
        return WireMember.copy(this, "progress", latest);
    }

    /// Returns a copy with the commands that start the best row, if there are any.
    public JobResponse withLaunch(Optional<BestLaunchResponse> commands) {
        return WireMember.copy(this, "launch", commands.orElse(null));
    }

    /// A page of jobs.
    @Schema(name = "JobList")
    public record JobListResponse(
            List<JobResponse> optimizations, @Nullable String nextCursor) {}
}
