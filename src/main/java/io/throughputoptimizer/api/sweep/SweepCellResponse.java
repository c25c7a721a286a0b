package io.throughputoptimizer.api.sweep;

import com.fasterxml.jackson.annotation.JsonProperty;
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
@Schema(name = "SweepCell", description = "What one cell of a sweep was answered.")
public record SweepCellResponse(
        @Schema(description = "Number of the cell, from 0; the last axis goes fastest.", example = "17")
        int cell,

        @Schema(description = "Its value on each axis, by label.", example = "{\"/num_devices\": 8}")
        Map<String, Object> coordinates,

        @Schema(
                description =
                        "`answered`: something keeps the limits. `nothing`: nothing does. `invalid`: it is no valid"
                                + " question, and was left out. `failed`: its search failed.")
        Outcome outcome,

        @Schema(
                description =
                        "The best row, by the names that columns of the CSV of an optimization have, figures with their"
                                + " bands; in mode `disaggregation` of each phase, in mode `capacity` of each kind of instance. Absent"
                                + " unless answered.")
        @Nullable
        List<Map<String, Object>> best,

        @Schema(description = "Where nothing keeps the limits: what comes nearest.") @Nullable
        NearestResponse nearest,

        @Schema(description = "Why there is no row, in words; absent where there is one.") @Nullable
        String why,

        @Schema(description = "Broken rules of the question, where it is no valid one.") @Nullable
        List<Fault> errors) {
    private static final int MOST_ERRORS = 5;

    /// The outcome of a cell.
    public enum Outcome {
        @JsonProperty("answered")
        ANSWERED,
        @JsonProperty("nothing")
        NOTHING,
        @JsonProperty("invalid")
        INVALID,
        @JsonProperty("failed")
        FAILED
    }

    /// A layout that comes nearest to the limits where none keeps them.
    @Schema(name = "NearestLayout", description = "A layout that comes nearest to the limits where none keeps them.")
    public record NearestResponse(
            @Schema(description = "Name of the device.") String device,

            @Schema(
                    description = "What it was tried for.",
                    allowableValues = {"aggregation", "prefill", "decode"})
            String phase,

            @Schema(description = "How its devices would be split.")
            String parallel,

            @Schema(description = "Which limit it breaks.", example = "ttft")
            String reason,

            @Schema(description = "By how much.", example = "TTFT 470.1 ms exceeds 400 ms by 70.1 ms")
            String detail,

            @Schema(
                    description = "What it needs as a multiple of what there is; absent where that is no number.",
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
    @Schema(name = "SweepQuestion", description = "A cell with the question that it asks, to be asked by itself.")
    public record SweepQuestionResponse(
            @Schema(description = "Number of the cell, from 0.", example = "17")
            int cell,

            @Schema(description = "Its value on each axis, by label.")
            Map<String, Object> coordinates,

            @JsonRawValue @Schema(implementation = OptimizationRequest.class, description = "What it asks.")
            String request,

            @Schema(description = "What it was answered; absent until then.") @Nullable
            SweepCellResponse row) {}

    /// A page of the rows of a sweep.
    @Schema(name = "SweepPage", description = "A page of the rows of a sweep, in the order of its cells.")
    public record SweepPageResponse(
            @Schema(description = "Rows of this page, as far as there are any yet.")
            List<SweepCellResponse> cells,

            @Schema(description = "`from` of the next page; absent on the last one.") @Nullable
            Integer nextFrom) {}
}
