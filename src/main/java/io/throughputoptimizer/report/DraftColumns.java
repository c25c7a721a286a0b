package io.throughputoptimizer.report;

import io.throughputoptimizer.api.result.SteadyRowResponse;
import io.throughputoptimizer.api.result.figure.SpeculationResponse;
import io.throughputoptimizer.api.result.figure.VariantResponse;
import io.throughputoptimizer.report.table.Column;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Columns of steps that verify drafts, which tell the step of a server from the token of a user; none where no line
/// has such steps.
final class DraftColumns {
    private DraftColumns() {}

    /// For programs.
    static <R> List<Column<R>> recorded(Function<R, @Nullable SteadyRowResponse> steady) {
        return List.of(
                figure("acceptance_length", Column.NONE, steady, SpeculationResponse::acceptanceLength),
                figure("step_ms", Column.NONE, steady, SpeculationResponse::stepMs),
                figure("verify_ms", Column.NONE, steady, SpeculationResponse::verifyMs),
                figure("draft_ms", Column.NONE, steady, SpeculationResponse::draftMs));
    }

    /// Tokens that a step of the roofline yields, where it was told; what such a step takes is so many times the TPOT.
    static <R> Column<R> accepted(Function<R, @Nullable VariantResponse> variant) {
        return Column.<R>figure("acceptance_length", "Tokens a step", line -> {
                    VariantResponse known = variant.apply(line);
                    return known == null ? null : known.acceptanceLength();
                })
                .optional();
    }

    /// Behind the TPOT, for people: the step, which yields more than a token.
    static <R> Column<R> step(Function<R, @Nullable SteadyRowResponse> steady) {
        return figure(Column.NONE, "Step (ms)", steady, SpeculationResponse::stepMs);
    }

    private static <R> Column<R> figure(
            String name,
            String title,
            Function<R, @Nullable SteadyRowResponse> steady,
            Function<SpeculationResponse, Double> figure) {
        return Column.<R>figure(name, title, line -> {
                    SteadyRowResponse row = steady.apply(line);
                    return row == null || row.speculation() == null ? null : figure.apply(row.speculation());
                })
                .optional();
    }
}
