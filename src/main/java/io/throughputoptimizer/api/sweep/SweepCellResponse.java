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
@Schema(name = "SweepCell")
public record SweepCellResponse(
        int cell,
        Map<String, Object> coordinates,
        Outcome outcome,
        @Nullable List<Map<String, Object>> best,
        @Nullable NearestResponse nearest,
        @Nullable String why,
        @Nullable List<Fault> errors) {
    private static final int MOST_ERRORS = 5;

    /// The outcome of a cell.
    public enum Outcome {
        ANSWERED,
        NOTHING,
        INVALID,
        FAILED
    }

    /// A layout that comes nearest to the limits where none keeps them.
    @Schema(name = "NearestLayout")
    public record NearestResponse(
            String device,

            @Schema(allowableValues = {"aggregation", "prefill", "decode"})
            String phase,

            String parallel,
            String reason,
            String detail,
            @Nullable Double ofLimit) {}

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
    @Schema(name = "SweepQuestion")
    public record SweepQuestionResponse(
            int cell,
            Map<String, Object> coordinates,

            @JsonRawValue @Schema(implementation = OptimizationRequest.class)
            String request,

            @Nullable SweepCellResponse row) {}

    /// A page of the rows of a sweep.
    @Schema(name = "SweepPage")
    public record SweepPageResponse(
            List<SweepCellResponse> cells, @Nullable String nextCursor) {}
}
