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
@Schema(name = "Sweep", description = "A sweep and its progress.")
public record SweepResponse(
        UUID id,

        @Schema(description = "Name that someone gave the sweep.") @Nullable
        String name,

        JobStatus status,
        SweepProgress progress,
        Instant submittedAt,
        @Nullable Instant startedAt,
        @Nullable Instant finishedAt,

        @Schema(description = "Axes with the values of the cells. Absent in lists.") @Nullable
        List<AxisResponse> axes,

        @Schema(description = "Names of the figures and other fields of the rows so far. Absent in lists.") @Nullable
        List<String> values,

        @JsonRawValue
        @Schema(implementation = SweepRequest.class, description = "Request of the sweep. Absent in lists.")
        @Nullable
        String request,

        @Schema(description = "Error of a failed sweep.") @Nullable
        Problem problem) {

    /// An axis with its values.
    @Schema(name = "SweepAxis", description = "An axis with its values.")
    public record AxisResponse(
            @Schema(description = "Name of the axis.") String label,

            @Schema(description = "Numbers, strings and booleans as they are, other values as JSON.")
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
    @Schema(name = "SweepProgress", description = "Progress of a sweep.")
    public record SweepProgress(
            @Schema(description = "Total number of cells.") int cells,

            @Schema(
                    description = "Cells with a checked request; the search starts after all are checked. With"
                            + " `on_invalid: skip`, all cells from the start, because each is checked when searched.")
            int checked,

            @Schema(description = "Cells that have a row.") int done,

            @Schema(description = "Cells with a feasible plan.")
            int answered,

            @Schema(description = "Cells without a feasible plan.")
            int nothing,

            @Schema(description = "Cells with an invalid request.")
            int invalid,

            @Schema(description = "Cells whose search failed.")
            int failed) {}
}
