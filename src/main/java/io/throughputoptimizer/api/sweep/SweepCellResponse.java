package io.throughputoptimizer.api.sweep;

import com.fasterxml.jackson.annotation.JsonRawValue;
import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.api.problem.Problem;
import io.throughputoptimizer.api.problem.Problem.Fault;
import io.throughputoptimizer.api.problem.Violation;
import io.throughputoptimizer.api.request.OptimizationRequest;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A row of a sweep: what one of its questions was answered.
@Schema(name = "SweepCell", description = "Result of one cell of a sweep.")
public record SweepCellResponse(
        @Schema(description = "Number of the cell, from 0; the last axis goes fastest.", example = "17")
        int cell,

        @Schema(description = "Value of the cell on each axis, by label.", example = "{\"/num_devices\": 8}")
        Map<String, Object> coordinates,

        @Schema(
                description = "`answered`: a plan is feasible. `nothing`: none is. `invalid`: the request is"
                        + " invalid and was skipped. `failed`: the search failed.")
        Outcome outcome,

        @Schema(
                description = "Best row with the column names of an optimization's CSV and prediction intervals."
                        + " One row for each phase in mode `disaggregation`, for each kind of instance in mode"
                        + " `capacity`. Absent unless `answered`.")
        @Nullable
        List<Map<String, Object>> best,

        @Schema(description = "Nearest layout if none is feasible.") @Nullable
        NearestResponse nearest,

        @Schema(description = "Reason why there is no row. Absent if there is one.") @Nullable
        String why,

        @Schema(description = "Violated rules of an invalid request.") @Nullable
        List<Fault> errors) {
    private static final int MOST_ERRORS = 5;

    /// The outcome of a cell.
    public enum Outcome {
        ANSWERED,
        NOTHING,
        INVALID,
        FAILED
    }

    /// A layout that comes nearest to the limits where none keeps them.
    @Schema(name = "NearestLayout", description = "The layout nearest to the targets if none is feasible.")
    public record NearestResponse(
            @Schema(description = "Name of the device.") String device,

            @Schema(
                    description = "Phase of the layout.",
                    allowableValues = {"aggregation", "prefill", "decode"})
            String phase,

            @Schema(description = "Parallel layout.") String parallel,

            @Schema(description = "Violated constraint.", example = "ttft")
            String reason,

            @Schema(
                    description = "Violated constraint and the amount.",
                    example = "TTFT 470.1 ms exceeds 400 ms by 70.1 ms")
            String detail,

            @Schema(
                    description = "Required value divided by the available one. Absent if not a number.",
                    example = "1.175")
            @Nullable
            Double ofLimit) {}

    public static SweepCellResponse answered(
            int cell, Map<String, Object> coordinates, List<Map<String, Object>> best) {
        return new SweepCellResponse(cell, coordinates, Outcome.ANSWERED, best, null, null, null);
    }

    /// @param nearest absent where no layout was tried
    public static SweepCellResponse nothing(
            int cell, Map<String, Object> coordinates, @Nullable NearestResponse nearest, String why) {
        return new SweepCellResponse(cell, coordinates, Outcome.NOTHING, null, nearest, why, null);
    }

    public static SweepCellResponse invalid(int cell, Map<String, Object> coordinates, List<Violation> broken) {
        List<Fault> errors = broken.stream().limit(MOST_ERRORS).map(Fault::of).toList();
        return new SweepCellResponse(
                cell,
                coordinates,
                Outcome.INVALID,
                null,
                null,
                errors.getFirst().detail(),
                errors);
    }

    public static SweepCellResponse failed(int cell, Map<String, Object> coordinates, Problem problem) {
        return new SweepCellResponse(cell, coordinates, Outcome.FAILED, null, null, problem.detail(), null);
    }

    /// A cell with the question that it asks.
    @Schema(name = "SweepQuestion", description = "A cell with its request, which can be submitted separately.")
    public record SweepQuestionResponse(
            @Schema(description = "Number of the cell, from 0.", example = "17")
            int cell,

            @Schema(description = "Value of the cell on each axis, by label.")
            Map<String, Object> coordinates,

            @JsonRawValue @Schema(implementation = OptimizationRequest.class, description = "Request of the cell.")
            String request,

            @Schema(description = "Row of the cell. Absent until it has one.") @Nullable
            SweepCellResponse row) {}

    /// A page of the rows of a sweep.
    @Schema(name = "SweepPage", description = "A page of the rows of a sweep, in the order of its cells.")
    public record SweepPageResponse(
            @Schema(description = "Rows of this page, as far as there are any yet.")
            List<SweepCellResponse> cells,

            @Schema(description = "`cursor` of the next page; absent on the last one.") @Nullable
            String nextCursor) {}
}
