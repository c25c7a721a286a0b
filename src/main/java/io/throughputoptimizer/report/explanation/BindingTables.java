package io.throughputoptimizer.report.explanation;

import io.throughputoptimizer.api.result.BindingResponse;
import io.throughputoptimizer.api.result.BindingResponse.HeaviestResponse;
import io.throughputoptimizer.api.result.BindingResponse.PassResponse;
import io.throughputoptimizer.api.result.CrossHardwareResponse;
import io.throughputoptimizer.api.result.ExplanationResponse.AnswerResponse;
import io.throughputoptimizer.report.table.Column;
import io.throughputoptimizer.report.table.Section;
import io.throughputoptimizer.report.table.Table;
import java.util.List;
import java.util.Optional;

/// Limiting constraints of the candidates of a phase, and the time of the best one by operator.
final class BindingTables {
    private static final int WIDTH = 108;
    private static final List<Column<Heaviest>> OPERATORS = List.of(
            Column.text("phase", "Pass", heaviest -> heaviest.pass.phase()),
            Column.text("name", "Operator", heaviest -> heaviest.operator.name()),
            Column.count("calls", "Calls", heaviest -> heaviest.operator.calls()),
            Column.figure("total_ms", "Time (ms)", heaviest -> heaviest.operator.totalMs()),
            Column.figure("share_percent", "Share (%)", heaviest -> heaviest.operator.sharePercent()));

    /// An operator of a pass.
    private record Heaviest(PassResponse pass, HeaviestResponse operator) {}

    private BindingTables() {}

    static Section limits(AnswerResponse answer, String phase) {
        List<BindingResponse> bindings = of(answer, phase);
        return new Section.Comparison(
                WIDTH,
                List.of("What binds - " + answer.device() + ", " + phase
                        + " (constraints that one more request would violate, and margins)"),
                BindingColumns.limits(bindings, isPaired(phase)),
                bindings.stream()
                        .map(binding -> binding.label() + ": " + binding.detail())
                        .toList());
    }

    /// Returns the best values of each candidate; empty for results of older versions.
    static Optional<Section> least(AnswerResponse answer, String phase) {
        List<BindingResponse> rows = of(answer, phase).stream()
                .filter(binding -> binding.least() != null)
                .toList();
        return rows.isEmpty()
                ? Optional.empty()
                : Optional.of(new Section.Comparison(
                        WIDTH,
                        List.of("The least - " + answer.device() + ", " + phase
                                + " (best achievable TTFT, TPOT and memory per layout)"),
                        BindingColumns.least(rows, isPaired(phase)),
                        List.of()));
    }

    /// Returns the operators of the best candidate; empty if no pass of it was priced.
    static Optional<Section> operators(AnswerResponse answer, String phase) {
        BindingResponse best = of(answer, phase).getFirst();
        List<Heaviest> rows = best.passes().stream()
                .flatMap(pass -> pass.operators().stream().map(operator -> new Heaviest(pass, operator)))
                .toList();
        return rows.isEmpty()
                ? Optional.empty()
                : Optional.of(new Section.Comparison(
                        WIDTH,
                        List.of("Heaviest operators - " + answer.device() + ", " + phase + ", " + best.label()),
                        Table.titled(OPERATORS, rows),
                        List.of()));
    }

    private static boolean isPaired(String phase) {
        return phase.equals(CrossHardwareResponse.PD_RATIO);
    }

    private static List<BindingResponse> of(AnswerResponse answer, String phase) {
        return answer.bottlenecks().stream()
                .filter(binding -> binding.phase().equals(phase))
                .toList();
    }
}
