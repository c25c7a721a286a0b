package io.throughputoptimizer.report;

import io.throughputoptimizer.core.search.PhaseResult;
import io.throughputoptimizer.core.search.ResultRow;
import io.throughputoptimizer.core.workload.Phase;
import io.throughputoptimizer.report.Findings.Comparison;
import io.throughputoptimizer.report.Findings.DeviceFindings;
import io.throughputoptimizer.report.Findings.Ranking;
import io.throughputoptimizer.report.Section.NoConfiguration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// The best row of each kind of device, one table a phase (results, several devices: cross-hardware).
final class PhaseComparison {
    private static final int AGGREGATION_WIDTH = 100;
    private static final int DISAGGREGATION_WIDTH = 108;

    private PhaseComparison() {}

    static List<Section> sections(Comparison comparison) {
        return comparison.phases().stream().map(PhaseComparison::section).toList();
    }

    private static Section section(Ranking ranking) {
        if (ranking.devices().isEmpty()) {
            return new NoConfiguration(
                    PhaseSummary.NOTHING_FOUND,
                    PhaseSummary.name(ranking.phase()) + ": no device is left to compare.",
                    List.of());
        }
        List<List<Cell>> rows = new ArrayList<>();
        for (DeviceFindings device : ranking.devices()) {
            rows.add(cells(rows.size() + 1, device, result(device, ranking.phase())));
        }
        return switch (ranking.phase()) {
            case AGGREGATION -> aggregation(rows);
            case PREFILL ->
                disaggregation(
                        "Prefill (best token/s per device under TTFT limits)", "Prefill throughput (token/s)", rows);
            case DECODE ->
                disaggregation(
                        "Decode (best token/s per device under TPOT limits)", "Decode throughput (token/s)", rows);
        };
    }

    private static Section aggregation(List<List<Cell>> rows) {
        return new Section.Comparison(
                AGGREGATION_WIDTH,
                List.of("Cross-hardware - PD Aggregated (best throughput config per device under TTFT/TPOT limits)"),
                new Table(columns("Throughput (token/s)", List.of()), rows),
                List.of());
    }

    private static Section disaggregation(String heading, String throughput, List<List<Cell>> rows) {
        return new Section.Comparison(
                DISAGGREGATION_WIDTH,
                List.of("Cross-hardware - PD Disaggregated " + heading),
                new Table(columns(throughput, List.of("QPS (req/s)")), rows),
                List.of());
    }

    private static List<String> columns(String throughput, List<String> qps) {
        return Stream.of(
                        List.of("Top", "Device", throughput),
                        qps,
                        List.of("TTFT (ms)", "TPOT (ms)", "Concurrency", "Parallel", "Batch", "num_devices"))
                .flatMap(List::stream)
                .toList();
    }

    private static PhaseResult result(DeviceFindings device, Phase phase) {
        return device.phases().stream()
                .filter(result -> result.phase() == phase)
                .findFirst()
                .orElseThrow();
    }

    private static List<Cell> cells(int place, DeviceFindings device, PhaseResult result) {
        ResultRow row = result.rows().getFirst();
        List<Cell> cells = new ArrayList<>(List.of(
                new Cell.Count(place),
                new Cell.Text(device.device()),
                Cell.figure(row.figures().tokensPerSecond())));
        if (result.phase() != Phase.AGGREGATION) {
            cells.add(Cell.figure(row.figures().qps()));
        }
        cells.addAll(List.of(
                Cell.figure(row.figures().ttftMillis()),
                Cell.figure(row.figures().tpotMillis()),
                new Cell.Count(row.concurrency()),
                new Cell.Text(row.layout().label()),
                new Cell.Count(row.batchSize()),
                new Cell.Count(result.deviceCount())));
        return cells;
    }
}
