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
@Schema(name = "Sweep")
public record SweepResponse(
        UUID id,
        @Nullable String name,
        JobStatus status,
        SweepProgress progress,
        Instant submittedAt,
        @Nullable Instant startedAt,
        @Nullable Instant finishedAt,
        @Nullable List<AxisResponse> axes,
        @Nullable List<String> values,

        @JsonRawValue @Schema(implementation = SweepRequest.class) @Nullable
        String request,

        @Nullable Problem problem) {

    /// An axis with its values.
    @Schema(name = "SweepAxis")
    public record AxisResponse(String label, List<Object> values) {
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
    @Schema(name = "SweepList")
    public record SweepListResponse(
            List<SweepResponse> sweeps, @Nullable String nextCursor) {}

    /// Progress of a sweep.
    @Schema(name = "SweepProgress")
    public record SweepProgress(int cells, int checked, int done, int answered, int nothing, int invalid, int failed) {}
}
