package io.throughputoptimizer.api.result;

import static java.util.Objects.requireNonNull;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.core.search.OptimizationProblem;
import io.throughputoptimizer.core.search.OptimizationResult.PdRatioResult;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Combinations of prefill and decode instances.
@Schema(name = "PdRatioResult", description = "Ratio of prefill to decode instances.")
public record PdRatioResponse(
        @Schema(description = "The first of `rows`; absent when no pair is feasible.") @Nullable
        PdRatioRowResponse best,

        @Schema(
                description = "Best pair per combination of layouts, by balanced requests per second; of equal"
                        + " pairs (two decimals) the first. With `cost_model: calibrated`: each combination in"
                        + " all numbers of instances that fill the devices, by tokens per second and device in"
                        + " use. With lists of sizes, several device types or a KV transfer in `pd_ratio`: each"
                        + " combination in its best numbers, by requests per second and device in use. With"
                        + " `objective`: by the objective.")
        List<PdRatioRowResponse> rows,

        @Schema(description = "Number of worse pairs that `rows` omits. Absent if it has all.") @Nullable
        Long omittedRows) {

    static PdRatioResponse from(PdRatioResult result, OptimizationProblem problem) {
        return of(
                result.rows().stream()
                        .map(row -> PdRatioRowResponse.from(
                                row, requireNonNull(row.rank(), "a ratio that is shown has a rank"), problem.demand()))
                        .toList(),
                result.omittedRows());
    }

    static PdRatioResponse of(List<PdRatioRowResponse> rows, long leftOut) {
        return new PdRatioResponse(rows.isEmpty() ? null : rows.getFirst(), rows, leftOut == 0 ? null : leftOut);
    }
}
