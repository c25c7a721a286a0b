package io.throughputoptimizer.api.result;

import static java.util.Objects.requireNonNull;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.core.search.OptimizationProblem;
import io.throughputoptimizer.core.search.OptimizationResult.PdRatioResult;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Combinations of prefill and decode instances.
@Schema(name = "PdRatioResult")
public record PdRatioResponse(
        @Nullable PdRatioRowResponse best,
        List<PdRatioRowResponse> rows,
        @Nullable Long omittedRows) {

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
