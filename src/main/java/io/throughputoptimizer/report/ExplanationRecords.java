package io.throughputoptimizer.report;

import static java.util.Objects.requireNonNullElse;

import io.throughputoptimizer.api.result.ExplanationResponse;
import io.throughputoptimizer.api.result.ExplanationResponse.AnswerResponse;
import io.throughputoptimizer.api.result.ExplanationResponse.NotAskedResponse;
import io.throughputoptimizer.report.explanation.BindingColumns;
import io.throughputoptimizer.report.explanation.BindingColumns.Bound;
import io.throughputoptimizer.report.explanation.ChangeColumns;
import io.throughputoptimizer.report.explanation.ChangeColumns.Changed;
import io.throughputoptimizer.report.explanation.FrontierColumns;
import io.throughputoptimizer.report.explanation.FrontierColumns.Point;
import io.throughputoptimizer.report.table.Column;
import io.throughputoptimizer.report.table.CsvRenderer;
import io.throughputoptimizer.report.table.Report;
import io.throughputoptimizer.report.table.Table;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// The tables of an explanation as records: one line each, named as in JSON.
public final class ExplanationRecords {
    private ExplanationRecords() {}

    static Table of(ExplanationResponse explanation, ExplanationPart part) {
        return switch (part) {
            case BOTTLENECKS ->
                BindingColumns.recorded(all(
                        explanation,
                        answer -> answer.bottlenecks().stream().map(binding -> new Bound(answer, binding))));
            case SENSITIVITIES ->
                ChangeColumns.recorded(
                        List.of(),
                        "effect_percent",
                        List.of(Column.text("outcome", Column.NONE, Changed::outcome)),
                        withNotAsked(explanation, ExplanationRecords::sensitivities));
            case NEAREST_FEASIBLE ->
                ChangeColumns.recorded(
                        List.of(Column.count("rank", Column.NONE, Changed::rank)),
                        "size_percent",
                        List.of(),
                        withNotAsked(explanation, ExplanationRecords::relaxations));
            case PARETO_FRONTIER ->
                FrontierColumns.recorded(all(
                        explanation,
                        answer -> answer.paretoFrontier().stream()
                                .flatMap(frontier -> frontier.known().stream()
                                        .map(point -> new Point(answer.device(), frontier.phase(), point)))));
        };
    }

    private static <R> List<R> all(ExplanationResponse explanation, Function<AnswerResponse, Stream<R>> lines) {
        return explanation.answers().stream().flatMap(lines).toList();
    }

    /// With a line of each lever of which not every change was tried, with the reason: an empty table would
    /// say that nothing helps.
    private static List<Changed> withNotAsked(
            ExplanationResponse explanation, Function<AnswerResponse, Stream<Changed>> changes) {
        return Stream.concat(
                        all(explanation, changes).stream(),
                        all(
                                explanation,
                                answer -> requireNonNullElse(answer.notAsked(), List.<NotAskedResponse>of()).stream()
                                        .map(lever -> new Changed(answer, null, List.of(), null, null, null, lever)))
                                .stream())
                .toList();
    }

    private static Stream<Changed> sensitivities(AnswerResponse answer) {
        return answer.sensitivities().stream()
                .map(one -> new Changed(
                        answer, null, List.of(one.change()), one.effectPercent(), one.plan(), one.outcome(), null));
    }

    /// Changes that suffice together only are lines of the same rank.
    private static Stream<Changed> relaxations(AnswerResponse answer) {
        return IntStream.range(0, answer.nearestFeasible().size()).boxed().flatMap(index -> {
            var one = answer.nearestFeasible().get(index);
            return one.changes().stream()
                    .map(change ->
                            new Changed(answer, index + 1, List.of(change), one.sizePercent(), one.plan(), null, null));
        });
    }

    /// A table of an explanation.
    public enum ExplanationPart {
        BOTTLENECKS,
        SENSITIVITIES,
        NEAREST_FEASIBLE,
        PARETO_FRONTIER;

        /// Its name in a query.
        public String wireName() {
            return name().toLowerCase(Locale.ROOT);
        }

        /// The table as comma-separated values.
        ///
        /// @throws IllegalArgumentException if the findings have no explanation
        public String csv(Findings findings) {
            if (findings.result().explanation() == null) {
                throw new IllegalArgumentException("the result has no explanation");
            }
            return new CsvRenderer()
                    .render(new Report(
                            List.of(), ExplanationRecords.of(findings.result().explanation(), this)));
        }
    }
}
