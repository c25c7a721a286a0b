package io.throughputoptimizer.api.sweep;

import com.fasterxml.jackson.annotation.JsonRawValue;
import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.api.WireMember;
import io.throughputoptimizer.api.job.JobStatus;
import io.throughputoptimizer.api.problem.Problem;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A sweep as callers see it.
@Schema(name = "Sweep", description = "A sweep and how it stands.")
public record SweepResponse(
        UUID id,
        JobStatus status,
        SweepProgress progress,
        Instant submittedAt,
        @Nullable Instant startedAt,
        @Nullable Instant finishedAt,

        @Schema(description = "Axes with the values that cells have on them; left out of lists.") @Nullable
        List<AxisResponse> axes,

        @Schema(
                description =
                        "Names of the figures that rows have by now, and of what else is said of each; left out of"
                                + " lists.")
        @Nullable
        List<String> values,

        @JsonRawValue
        @Schema(implementation = SweepRequest.class, description = "As it was asked; left out of lists.")
        @Nullable
        String request,

        @Schema(description = "Once failed: what went wrong.") @Nullable
        Problem problem) {

    /// An axis with its values.
    @Schema(name = "SweepAxis", description = "An axis with its values.")
    public record AxisResponse(
            @Schema(description = "What it is called.") String label,

            @Schema(description = "Numbers, texts and truths as they are, other values as JSON.")
            List<Object> values) {
        static List<AxisResponse> of(SweepGrid grid) {
            return grid.labels().stream()
                    .map(label -> new AxisResponse(label, grid.values(label)))
                    .toList();
        }
    }

    /// Returns a copy with the request and the axes of its grid.
    ///
    /// @param values names of figures
    public SweepResponse with(String request, SweepGrid grid, List<String> values) {
        return WireMember.copy(this, "axes", AxisResponse.of(grid), "values", values, "request", request);
    }

    /// A page of sweeps.
    @Schema(name = "SweepList", description = "A page of sweeps, newest first, without their axes.")
    public record SweepListResponse(
            @Schema(description = "The sweeps of this page.")
            List<SweepResponse> sweeps,

            @Schema(description = "`cursor` of the next page; absent on the last one.") @Nullable
            String nextCursor) {}

    /// Progress of a sweep.
    @Schema(name = "SweepProgress", description = "How far a sweep has come.")
    public record SweepProgress(
            @Schema(description = "Cells in all.") int cells,

            @Schema(
                    description =
                            "Cells that are known to be valid questions; none is searched before all are. With `on_invalid` `skip`"
                                    + " all of them from the beginning: each is judged when it is searched.")
            int checked,

            @Schema(description = "Cells that have a row.") int done,

            @Schema(description = "Of these, those that something serves.")
            int answered,

            @Schema(description = "Of these, those that nothing serves within the limits.")
            int nothing,

            @Schema(description = "Of these, those that are no valid questions.")
            int invalid,

            @Schema(description = "Of these, those whose search failed.")
            int failed) {}
}
