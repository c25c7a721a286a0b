package io.throughputoptimizer.report;

import io.throughputoptimizer.api.result.DeliveredResponse;
import io.throughputoptimizer.api.result.PhaseResponse;
import io.throughputoptimizer.api.result.ResultResponse.DeviceResponse;
import io.throughputoptimizer.api.result.RowResponse;
import io.throughputoptimizer.api.result.figure.PhaseName;
import io.throughputoptimizer.api.result.figure.VariantResponse;
import io.throughputoptimizer.report.table.Column;
import io.throughputoptimizer.report.table.Objectives;
import io.throughputoptimizer.report.table.Table;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The table of the best row per layout of one phase (results, text report: titles and columns by mode).
record PhaseTable(DeviceResponse device, PhaseResponse result) {
    /// Stand before the throughput where lengths are mixed.
    private static final Set<Column<DeliveredResponse>> LATENCIES =
            Set.of(RowColumns.QPS, RowColumns.TTFT, RowColumns.TPOT, RowColumns.E2E_LATENCY);

    String title() {
        String title = switch (result.phase()) {
            case AGGREGATION -> "Aggregation";
            case PREFILL -> isMixed() ? "Disaggregation (Prefill)" : "PD Disaggregated Prefill";
            case DECODE -> isMixed() ? "Disaggregation (Decode)" : "PD Disaggregated Decode";
        };
        return "Top " + result.rows().size() + " " + title + " Configurations:";
    }

    Table table() {
        return Table.titled(
                isMixed() ? mixedLengths() : fixedLengths(),
                result.rows().stream()
                        .flatMap(row -> Line.of(device, result.phase(), row))
                        .toList());
    }

    private boolean isMixed() {
        return result.rows().getFirst().composition() != null;
    }

    /// The percentiles that limits are on stand behind the means.
    private List<Column<Line>> fixedLengths() {
        return Stream.of(
                        top(),
                        Stream.concat(figures(), RowColumns.PLAIN.stream()).map(column -> column.<Line>of(Line::own)),
                        PercentileColumns.limited(result.rows()).stream(),
                        ConversationColumns.shown().stream(),
                        Stream.of(DraftColumns.step(Line::ownSteady), DraftColumns.accepted(PhaseTable::drafting)),
                        Stream.of(
                                RowColumns.CONCURRENCY.<Line>of(Line::row),
                                RowColumns.DEVICES,
                                RowColumns.PARALLEL.<Line>of(Line::row),
                                RowColumns.REPLICAS.where(PhaseTable::isMeasured),
                                RowColumns.BATCH_SIZE.<Line>of(Line::row),
                                RowColumns.FLAGS.where(PhaseTable::isMeasured)))
                .flatMap(columns -> columns)
                .toList();
    }

    private List<Column<Line>> mixedLengths() {
        return Stream.of(
                        top(),
                        Stream.of(
                                RowColumns.DEVICES,
                                RowColumns.INPUT_TOKENS,
                                RowColumns.OUTPUT_TOKENS,
                                RowColumns.CONTEXT_TOKENS,
                                RowColumns.REQUEST_RATIO,
                                RowColumns.SAMPLES,
                                RowColumns.CONCURRENCY.<Line>of(Line::row)),
                        figures().filter(LATENCIES::contains).map(column -> column.<Line>of(Line::own)),
                        figures()
                                .filter(column -> !LATENCIES.contains(column))
                                .map(column -> column.<Line>of(Line::own)),
                        ConversationColumns.shown().stream(),
                        Stream.of(
                                DraftColumns.accepted(PhaseTable::drafting),
                                RowColumns.PARALLEL.<Line>of(Line::row),
                                RowColumns.BATCH_SIZE.<Line>of(Line::row)))
                .flatMap(columns -> columns)
                .toList();
    }

    private Stream<Column<Line>> top() {
        return Stream.concat(
                Stream.of(RowColumns.RANK),
                Objectives.column(result.rows(), RowResponse::objective).map(column -> column.of(Line::own)).stream());
    }

    /// Figures that the phase has.
    private Stream<Column<DeliveredResponse>> figures() {
        return RowColumns.FIGURES.stream().filter(column -> switch (result.phase()) {
            case AGGREGATION -> !column.equals(RowColumns.QPS);
            case PREFILL -> !column.equals(RowColumns.TPOT) && !(isMixed() && column.equals(RowColumns.QPS));
            case DECODE -> !column.equals(RowColumns.TTFT);
        });
    }

    /// Returns the draft columns, which apply to decode only.
    private static @Nullable VariantResponse drafting(Line line) {
        return line.phase() == PhaseName.PREFILL || line.part() != null
                ? null
                : line.row().parallel().variant();
    }

    private static boolean isMeasured(Line line) {
        return line.row().bands() != null;
    }
}
