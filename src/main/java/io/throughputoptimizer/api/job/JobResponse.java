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
@Schema(name = "Job", description = "An optimization and how it stands.")
public record JobResponse(
        @Schema(description = "Absent of an answer that is not kept (`Prefer: keep=none`), and of what a link shows.")
        @Nullable
        UUID id,

        @Schema(
                description =
                        "Who submitted it: the name of a key, or the subject of a token. Absent where nobody is asked for one, and of what a link shows.")
        @Nullable
        String owner,

        @Schema(
                description =
                        "What it is called; absent where nobody named it, of an answer that is not kept, and of what a link shows.",
                example = "chat, 2027")
        @Nullable
        String name,

        @Schema(description = "True of a job that is marked with a star; absent of others.") @Nullable
        Boolean starred,

        JobStatus status,
        JobProgress progress,
        Instant submittedAt,
        @Nullable Instant startedAt,
        @Nullable Instant finishedAt,

        @JsonRawValue
        @Schema(implementation = OptimizationRequest.class, description = "The effective request, defaults filled in.")
        String request,

        @Schema(
                description =
                        "In lists: names of the members of `request` that are left out or lack something, because the"
                                + " request is longer than 16,384 characters; the job by itself has all of it. Absent where"
                                + " nothing is left out.")
        @Nullable
        List<String> abridged,

        @JsonRawValue
        @Schema(
                implementation = OptimizationRequest.class,
                description =
                        "The body as it was asked, without defaults; left out of lists, and absent of jobs that earlier"
                                + " versions took. A question is changed from this: what `request` fills in may depend on what"
                                + " changes.")
        @Nullable
        String asked,

        @Schema(implementation = ResultResponse.class, description = "Once succeeded; left out of lists.") @Nullable
        JobResult result,

        @Schema(description = "Once failed: what went wrong.") @Nullable
        Problem problem,

        @Schema(
                description =
                        "The commands that start the best row of an answer that is not kept, and of what a link shows,"
                                + " which nobody can ask for later; absent of jobs, and where nothing keeps the limits.")
        @Nullable
        BestLaunchResponse launch,

        @Schema(
                description =
                        "In lists, once succeeded: what was found. Absent of jobs that earlier versions finished, and where"
                                + " names of devices are too long.")
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
    @Schema(name = "JobList", description = "A page of jobs, newest first, without their results.")
    public record JobListResponse(
            @Schema(description = "The jobs of this page.") List<JobResponse> optimizations,

            @Schema(description = "`cursor` of the next page; absent on the last one.") @Nullable
            String nextCursor) {}
}
