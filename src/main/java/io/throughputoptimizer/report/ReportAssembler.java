package io.throughputoptimizer.report;

import io.throughputoptimizer.api.request.PdRatioRequest;
import io.throughputoptimizer.api.result.CapacityResponse;
import io.throughputoptimizer.api.result.CrossHardwareResponse.RankedPairResponse;
import io.throughputoptimizer.api.result.ExplanationResponse;
import io.throughputoptimizer.api.result.PdRatioResponse;
import io.throughputoptimizer.api.result.PhaseResponse;
import io.throughputoptimizer.api.result.ResultResponse.DeviceResponse;
import io.throughputoptimizer.api.result.RowResponse;
import io.throughputoptimizer.api.result.figure.DeviceFiguresResponse;
import io.throughputoptimizer.api.result.figure.ObjectiveResponse;
import io.throughputoptimizer.core.serving.Decimals;
import io.throughputoptimizer.report.explanation.ExplanationTables;
import io.throughputoptimizer.report.table.Cell;
import io.throughputoptimizer.report.table.Report;
import io.throughputoptimizer.report.table.Section;
import io.throughputoptimizer.report.table.Section.Comparison;
import io.throughputoptimizer.report.table.Section.NoConfiguration;
import io.throughputoptimizer.report.table.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Decides what is shown of some findings, and in which order (results, text report and several devices).
final class ReportAssembler {
    private ReportAssembler() {}

    /// Recorded rows replace the summaries; where none was recorded, the summaries say why.
    static Report assemble(Findings findings) {
        CapacityResponse capacity = findings.result().capacity();
        if (capacity != null) {
            return new Report(
                    new CapacitySummary(findings, capacity).sections(),
                    new CapacityColumns(findings).recorded(capacity));
        }
        boolean byRatio = findings.request().pdRatio() != null;
        Table records = byRatio ? PairTables.recorded(findings) : RecordTable.of(findings);
        if (findings.request().dumpOriginalResults()) {
            records = ReferenceNames.of(records, byRatio);
        }
        boolean listed =
                findings.request().dumpOriginalResults() && !records.rows().isEmpty();
        return new Report(
                listed ? List.of(new Section.Listing(records.withoutEmptyColumns())) : sections(findings), records);
    }

    private static List<Section> sections(Findings findings) {
        List<Section> sections = new ArrayList<>();
        findings.devices().stream()
                .flatMap(device -> summaries(findings, device))
                .forEach(sections::add);
        if (findings.isComparison()) {
            List<DeviceFiguresResponse> profiles = findings.result().deviceProfiles();
            if (profiles != null) {
                sections.add(DeviceComparison.profiles(profiles));
            }
            comparisons(findings).forEach(sections::add);
        }
        ExplanationResponse explanation = findings.result().explanation();
        if (explanation != null) {
            sections.addAll(ExplanationTables.of(explanation));
        }
        return sections;
    }

    private static Stream<Section> comparisons(Findings findings) {
        return findings.request().pdRatio() == null
                ? findings.devices().getFirst().phases().stream()
                        .map(phase -> PhaseComparison.section(phase.phase(), findings.ranked(phase.phase())))
                : Stream.of(PdRatioComparison.section(
                        findings.rankedPairs(), findings.request().isCalibrated()));
    }

    private static Stream<Section> summaries(Findings findings, DeviceResponse device) {
        PdRatioRequest instances = findings.request().pdRatio();
        PdRatioResponse pdRatio = device.pdRatio();
        return instances == null || pdRatio == null
                ? device.phases().stream().map(phase -> new PhaseSummary(findings).of(device, phase))
                : Stream.of(new PdRatioSummary(findings, instances).of(device, pdRatio));
    }

    /// Every shown row with all its columns (results, row columns), preceded by its place and phase and
    /// followed by
    /// requests per second, memory in GB of 2^30 bytes, the accounting and requests per second sustained. The
    /// columns are
    /// the same for every question, but for those of what it may have besides.
    static final class RecordTable {
        private RecordTable() {}

        static Table of(Findings findings) {
            List<Line> lines = findings.devices().stream()
                    .flatMap(device -> device.phases().stream().flatMap(phase -> lines(findings, device, phase)))
                    .toList();
            return Table.recorded(
                    RowColumns.recorded(findings, lines),
                    lines,
                    findings.request().isCalibrated());
        }

        private static Stream<Line> lines(Findings findings, DeviceResponse device, PhaseResponse phase) {
            Stream<RowResponse> rows = findings.request().dumpOriginalResults()
                    ? findings.recorded(device, phase.phase())
                    : phase.rows().stream();
            return rows.flatMap(row -> Line.of(device, phase.phase(), row));
        }
    }

    /// Effective rates of several kinds of device, side by side.
    static final class DeviceComparison {
        private static final int WIDTH = 108;

        private static final List<String> PROFILE_COLUMNS = List.of(
                "Device",
                "Cube Compute (TFLOPS)",
                "Vector Compute (TFLOPS)",
                "HBM BW (TB/s)",
                "Memory (GB)",
                "Comm Grid",
                "Comm BW (GB/s)");

        private static final List<String> PROFILE_NOTES = List.of(
                "Notes:",
                "- Cube/Vector Compute: nominal BF16 peak x compute efficiency (FP16 if BF16 is not listed, else the highest).",
                "- HBM BW: nominal bandwidth x memory efficiency, in 2^40 bytes per second.",
                "- Comm BW: bandwidth x communication efficiency of each topology, in the order of the grid.",
                "  Example: 50 GB/s x 0.7 = 35 GB/s.");

        private DeviceComparison() {}

        /// Returns the section with the effective rates.
        static Section profiles(List<DeviceFiguresResponse> profiles) {
            return new Comparison(
                    WIDTH,
                    List.of(
                            "Cross-hardware - device profile summary (modeling abstraction vs performance merge tables)",
                            "Device profile parameter comparison (effective compute / memory BW / comm BW)"),
                    new Table(
                            PROFILE_COLUMNS,
                            profiles.stream().map(DeviceComparison::profile).toList()),
                    PROFILE_NOTES);
        }

        private static List<Cell> profile(DeviceFiguresResponse figures) {
            return List.of(
                    new Cell.Text(figures.device()),
                    Cell.figure(figures.matrixTflops()),
                    Cell.figure(figures.generalTflops()),
                    new Cell.Figure(figures.memoryTbPerS(), 3),
                    new Cell.Figure(figures.memoryGb(), 1),
                    new Cell.Text(figures.grid().stream().map(String::valueOf).collect(Collectors.joining(" x "))),
                    new Cell.Text(
                            figures.linkGbPerS().stream().map(Decimals::general).collect(Collectors.joining(" | "))));
        }
    }

    /// The best P/D ratio of each kind of device (results, several devices: cross-hardware).
    static final class PdRatioComparison {
        private static final int WIDTH = 120;

        private PdRatioComparison() {}

        /// @param ranked kinds of device, best first
        static Section section(List<RankedPairResponse> ranked, boolean calibrated) {
            if (ranked.isEmpty()) {
                return new NoConfiguration(
                        PhaseSummary.NOTHING_FOUND, List.of(), "P/D ratio: no device is left to compare.", List.of());
            }
            List<PairLine> pairs = PairLine.of(ranked);
            Table table = PairTables.comparison(pairs, calibrated);
            if (calibrated) {
                return new Section.Comparison(
                        WIDTH,
                        List.of("Cross-hardware - PD Ratio (best " + by(ranked, "token/s per device that works")
                                + ", under TTFT/TPOT limits)"),
                        table,
                        List.of());
            }
            if (PairTables.areCounted(pairs)) {
                return new Section.Comparison(
                        WIDTH,
                        List.of("Cross-hardware - PD Ratio (best " + by(ranked, "balanced QPS per device that works")
                                + ", under TTFT/TPOT limits)"),
                        table,
                        List.of());
            }
            return new Section.Comparison(
                    WIDTH,
                    List.of("Cross-hardware - PD Ratio (best " + by(ranked, "balanced QPS")
                            + " per device under TTFT/TPOT limits)"),
                    table,
                    notes(ranked));
        }

        private static String by(List<RankedPairResponse> ranked, String usual) {
            ObjectiveResponse objective = ranked.getFirst().pair().objective();
            return objective == null ? usual : objective.name();
        }

        private static List<String> notes(List<RankedPairResponse> ranked) {
            return ranked.stream().anyMatch(best -> best.pair().prefillInstances() != null)
                    ? List.of("P/D instance counts: the split of " + available(ranked)
                            + " that comes closest to the ratio, as under Overall Best.")
                    : List.of();
        }

        private static String available(List<RankedPairResponse> ranked) {
            return ranked.stream()
                                    .map(RankedPairResponse::numDevices)
                                    .distinct()
                                    .count()
                            == 1
                    ? "num_devices=" + ranked.getFirst().numDevices()
                    : "the devices of each kind";
        }
    }
}
