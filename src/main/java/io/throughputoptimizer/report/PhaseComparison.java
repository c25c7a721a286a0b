package io.throughputoptimizer.report;

import io.throughputoptimizer.api.result.CrossHardwareResponse.RankedDeviceResponse;
import io.throughputoptimizer.api.result.DeliveredResponse;
import io.throughputoptimizer.api.result.figure.ObjectiveResponse;
import io.throughputoptimizer.api.result.figure.PhaseName;
import io.throughputoptimizer.report.table.Column;
import io.throughputoptimizer.report.table.Objectives;
import io.throughputoptimizer.report.table.Section;
import io.throughputoptimizer.report.table.Section.NoConfiguration;
import io.throughputoptimizer.report.table.Table;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The best row of each kind of device, one table a phase (results, several devices: cross-hardware).
final class PhaseComparison {
    private static final int AGGREGATION_WIDTH = 100;
    private static final int DISAGGREGATION_WIDTH = 108;
    private static final Column<RankedDeviceResponse> RANK = Column.count("rank", "Top", RankedDeviceResponse::rank);
    private static final Column<RankedDeviceResponse> DEVICE =
            Column.text("device", "Device", RankedDeviceResponse::device);
    private static final Column<RankedDeviceResponse> DEVICES =
            Column.count("num_devices", "num_devices", RankedDeviceResponse::numDevices);
    private static final List<Column<DeliveredResponse>> LOAD = List.of(
            RowColumns.CONCURRENCY.titled("Concurrency"),
            RowColumns.PARALLEL.titled("Parallel"),
            RowColumns.BATCH_SIZE.titled("Batch"));

    private PhaseComparison() {}

    /// @param ranked kinds of device by their best row of the phase, best first
    static Section section(PhaseName phase, List<RankedDeviceResponse> ranked) {
        if (ranked.isEmpty()) {
            return new NoConfiguration(
                    PhaseSummary.NOTHING_FOUND,
                    List.of(),
                    phase.wireName() + ": no device is left to compare.",
                    List.of());
        }
        ObjectiveResponse objective = ranked.getFirst().objective();
        return switch (phase) {
            case AGGREGATION -> aggregation(ranked, objective);
            case PREFILL ->
                disaggregation(
                        phase, "Prefill", " per device under TTFT limits)", "Prefill throughput (token/s)", ranked);
            case DECODE ->
                disaggregation(
                        phase, "Decode", " per device under TPOT limits)", "Decode throughput (token/s)", ranked);
        };
    }

    private static Section aggregation(List<RankedDeviceResponse> ranked, @Nullable ObjectiveResponse objective) {
        String by = objective == null ? "throughput" : objective.name();
        return new Section.Comparison(
                AGGREGATION_WIDTH,
                List.of("Cross-hardware - PD Aggregated (best " + by + " config per device under TTFT/TPOT limits)"),
                table(PhaseName.AGGREGATION, RowColumns.THROUGHPUT.title(), ranked),
                List.of());
    }

    private static Section disaggregation(
            PhaseName phase, String name, String under, String throughput, List<RankedDeviceResponse> ranked) {
        ObjectiveResponse objective = ranked.getFirst().objective();
        String by = objective == null ? "token/s" : objective.name();
        return new Section.Comparison(
                DISAGGREGATION_WIDTH,
                List.of("Cross-hardware - PD Disaggregated " + name + " (best " + by + under),
                table(phase, throughput, ranked),
                List.of());
    }

    /// Requests a second sustained are left out where nobody knows them, as in results of the first version.
    private static Table table(PhaseName phase, String throughput, List<RankedDeviceResponse> ranked) {
        Stream<Column<DeliveredResponse>> figures = RowColumns.FIGURES.stream()
                .filter(column -> phase != PhaseName.AGGREGATION || !column.equals(RowColumns.QPS))
                .map(column -> column.equals(RowColumns.THROUGHPUT) ? column.titled(throughput) : column)
                .map(column -> column.equals(RowColumns.SUSTAINED) ? column.optional() : column);
        return Table.titled(
                Stream.of(
                                Stream.of(RANK, DEVICE),
                                Objectives.column(ranked, RankedDeviceResponse::objective).stream(),
                                Stream.of(figures, RowColumns.PLAIN.stream(), LOAD.stream())
                                        .flatMap(columns -> columns)
                                        .map(column -> column.<RankedDeviceResponse>of(best -> best)),
                                Stream.of(DEVICES))
                        .flatMap(columns -> columns)
                        .toList(),
                ranked);
    }
}
