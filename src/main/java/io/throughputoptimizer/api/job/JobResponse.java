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
@Schema(name = "Job", description = "An optimization with its status.")
public record JobResponse(
        @Schema(description = "Id of the job. Absent with `store=false` and for share links.") @Nullable
        UUID id,

        @Schema(
                description = "Submitter: the name of a key, or the subject of a token. Absent without authentication"
                        + " and in shared views.")
        @Nullable
        String owner,

        @Schema(description = "Display name, if set. Absent in shared views.", example = "chat, 2027") @Nullable
        String name,

        @Schema(description = "True for a starred job. Otherwise absent.") @Nullable
        Boolean starred,

        JobStatus status,
        JobProgress progress,
        Instant submittedAt,
        @Nullable Instant startedAt,
        @Nullable Instant finishedAt,

        @JsonRawValue
        @Schema(implementation = OptimizationRequest.class, description = "Effective request, with defaults.")
        String request,

        @Schema(
                description = "Names of fields of `request` that a list omits or shortens, because the request"
                        + " exceeds 16,384 characters. `GET` of the job returns all of them.")
        @Nullable
        List<String> abridged,

        @JsonRawValue
        @Schema(
                implementation = OptimizationRequest.class,
                description = "Request body as submitted, without defaults. Absent from lists and from jobs of"
                        + " earlier versions. Edit and resubmit this body: defaults in `request`"
                        + " can depend on other fields.")
        @Nullable
        String asked,

        @Schema(
                implementation = ResultResponse.class,
                description = "Result of a succeeded job. Absent from" + " lists.")
        @Nullable
        JobResult result,

        @Schema(description = "Problem of a failed job.") @Nullable
        Problem problem,

        @Schema(
                description = "Commands that start the best row. Present only in shared views and if the search is"
                        + " not stored. Absent without a feasible plan.")
        @Nullable
        BestLaunchResponse launch,

        @Schema(
                description = "Summary of a succeeded job, in lists. Absent for jobs that earlier versions finished,"
                        + " and for long device names.")
        @Nullable
        JobAnswer answer) {

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
    @Schema(name = "JobList", description = "A page of jobs, newest first, without results.")
    public record JobListResponse(
            @Schema(description = "The jobs of this page.") List<JobResponse> optimizations,

            @Schema(description = "`cursor` of the next page; absent on the last one.") @Nullable
            String nextCursor) {}
}
