package io.throughputoptimizer.report;

import io.throughputoptimizer.api.result.CrossHardwareResponse.RankedDeviceResponse;
import io.throughputoptimizer.api.result.FigureBandsResponse;
import io.throughputoptimizer.api.result.ObjectiveResponse;
import io.throughputoptimizer.api.result.PhaseName;
import io.throughputoptimizer.report.Section.NoConfiguration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The best row of each kind of device, one table a phase (results, several devices: cross-hardware).
final class PhaseComparison {
    private static final int AGGREGATION_WIDTH = 100;
    private static final int DISAGGREGATION_WIDTH = 108;
    private static final String TTFT = "TTFT (ms)";

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
                table(PhaseName.AGGREGATION, columns("Throughput (token/s)", List.of()), ranked),
                List.of());
    }

    private static Section disaggregation(
            PhaseName phase, String name, String under, String throughput, List<RankedDeviceResponse> ranked) {
        ObjectiveResponse objective = ranked.getFirst().objective();
        String by = objective == null ? "token/s" : objective.name();
        return new Section.Comparison(
                DISAGGREGATION_WIDTH,
                List.of("Cross-hardware - PD Disaggregated " + name + " (best " + by + under),
                table(phase, columns(throughput, List.of("QPS (req/s)")), ranked),
                List.of());
    }

    private static Table table(PhaseName phase, List<String> columns, List<RankedDeviceResponse> ranked) {
        Table table = withSustained(
                new Table(
                        columns,
                        ranked.stream().map(device -> cells(phase, device)).toList()),
                columns.indexOf(TTFT),
                ranked);
        return Objectives.beside(table, 2, ranked.stream().map(RankedDeviceResponse::objective));
    }

    /// Results of the first version do not know it.
    private static Table withSustained(Table table, int place, List<RankedDeviceResponse> ranked) {
        return ranked.stream().allMatch(device -> device.sustainedQps() == null)
                ? table
                : table.with(
                        place,
                        PhaseTable.SUSTAINED_TITLE,
                        ranked.stream()
                                .map(device -> Cell.figure(device.sustainedQps()))
                                .toList());
    }

    private static List<String> columns(String throughput, List<String> qps) {
        return Stream.of(
                        List.of("Top", "Device", throughput),
                        qps,
                        List.of(TTFT, "TPOT (ms)", "Concurrency", "Parallel", "Batch", "num_devices"))
                .flatMap(List::stream)
                .toList();
    }

    private static List<Cell> cells(PhaseName phase, RankedDeviceResponse ranked) {
        FigureBandsResponse bands = ranked.bands();
        List<Cell> cells = new ArrayList<>(List.of(
                new Cell.Count(ranked.rank()),
                new Cell.Text(ranked.device()),
                bands == null
                        ? Cell.figure(ranked.tokensPerS())
                        : BandedFigure.tokens(ranked.tokensPerS(), bands).cell()));
        if (phase != PhaseName.AGGREGATION) {
            cells.add(Cell.figure(ranked.qps()));
        }
        cells.addAll(List.of(
                bands == null
                        ? Cell.figure(ranked.ttftMs())
                        : BandedFigure.ttft(ranked.ttftMs(), bands).cell(),
                bands == null
                        ? Cell.figure(ranked.tpotMs())
                        : BandedFigure.tpot(ranked.tpotMs(), bands).cell(),
                new Cell.Count(ranked.concurrency()),
                new Cell.Text(ranked.parallel().label()),
                new Cell.Count(ranked.batchSize()),
                new Cell.Count(ranked.numDevices())));
        return cells;
    }
}
