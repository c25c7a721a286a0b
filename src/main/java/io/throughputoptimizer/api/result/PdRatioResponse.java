package io.throughputoptimizer.api.result;

import static java.util.Objects.requireNonNull;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.core.search.OptimizationProblem;
import io.throughputoptimizer.core.search.OptimizationResult.PdRatioResult;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Combinations of prefill and decode instances.
@Schema(name = "PdRatioResult", description = "How prefill and decode instances go together.")
public record PdRatioResponse(
        @Schema(description = "The first of `rows`; absent when no pair is feasible.") @Nullable
        PdRatioRowResponse best,

        @Schema(
                description = "Best pair per combination of layouts, by balanced requests per second; of pairs that"
                        + " tie in them to two decimals the first. With cost model `calibrated` each combination in"
                        + " all numbers of instances that leave no room for one more, by tokens per second and device"
                        + " that works. With lists of sizes, kinds of device or a transfer in `pd_ratio` each"
                        + " combination in the numbers that are best for it, by requests per second and device that"
                        + " works. With `objective` by that.")
        List<PdRatioRowResponse> rows,

        @Schema(description = "How many worse pairs `rows` leaves out; absent when it has them all.") @Nullable
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
