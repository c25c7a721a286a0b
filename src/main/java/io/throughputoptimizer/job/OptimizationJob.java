package io.throughputoptimizer.job;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.api.job.JobAnswer;
import io.throughputoptimizer.api.job.JobProgress;
import io.throughputoptimizer.api.job.JobResponse;
import io.throughputoptimizer.api.job.JobResult;
import io.throughputoptimizer.api.job.JobStatus;
import io.throughputoptimizer.api.result.BestPlans;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// An accepted optimization.
///
/// @param id id, ordered by submission
/// @param request effective request as JSON
/// @param abridged names of fields that are shortened or left out; empty unless the job is listed
/// @param asked submitted body; null in lists and if unknown
/// @param includesDefaults whether the engine's own defaults are searched as well
/// @param origin submitter
/// @param label user-defined label
/// @param answer result summary; lists only
public record OptimizationJob(
        UUID id,
        Instant submittedAt,
        String request,
        List<String> abridged,
        @Nullable String asked,
        boolean includesDefaults,
        Origin origin,
        JobState state,
        Label label,
        @Nullable JobAnswer answer)
        implements Admission.Job {

    /// User-defined label of a job.
    ///
    /// @param name name; null if unset
    /// @param starred true if the job is starred
    public record Label(@Nullable String name, boolean starred) {
        static final Label NONE = new Label(null, false);
    }

    /// State of a job that changes while it is queued or runs.
    @Schema(name = "Standing")
    public record Standing(UUID id, JobStatus status, JobProgress progress) implements JobEvents.Standing {

        Standing withProgress(JobProgress latest) {
            return new Standing(id, status, latest);
        }
    }

    public OptimizationJob {
        abridged = List.copyOf(abridged);
    }

    /// Creates a job with its whole request.
    OptimizationJob(UUID id, Instant submittedAt, JobRequest request, Origin origin, JobState state) {
        this(
                id,
                submittedAt,
                request.json(),
                List.of(),
                request.asked(),
                request.includesDefaults(),
                origin,
                state,
                Label.NONE,
                null);
    }

    @Override
    public List<String> entries() {
        return List.of(id.toString());
    }

    /// Returns a copy with a result summary.
    OptimizationJob answered(@Nullable JobAnswer found) {
        return new OptimizationJob(
                id, submittedAt, request, abridged, asked, includesDefaults, origin, state, label, found);
    }

    /// Returns the response of the job.
    JobResponse response() {
        return response(id, origin.ownerName(), submittedAt, request, abridged, asked, state, label, answer);
    }

    /// Returns the response of a search that is not stored: a finished job without an id.
    public static JobResponse unstored(JobRequest request, SynchronousOutcome.Ended end) {
        return response(
                null,
                null,
                end.submittedAt(),
                request.json(),
                List.of(),
                request.asked(),
                end.state(),
                Label.NONE,
                null);
    }

    private static JobResponse response(
            @Nullable UUID id,
            @Nullable String owner,
            Instant submittedAt,
            String request,
            List<String> abridged,
            @Nullable String asked,
            JobState state,
            Label label,
            @Nullable JobAnswer answer) {
        return new JobResponse(
                id,
                owner,
                label.name(),
                label.starred() ? true : null,
                state.status(),
                state.progress(),
                submittedAt,
                state.startedAt(),
                state.finishedAt(),
                request,
                abridged.isEmpty() ? null : abridged,
                asked,
                state.result() == null ? null : JobResult.whole(request, BestPlans.complete(request, state.result())),
                state.problem(),
                null,
                answer);
    }
}
