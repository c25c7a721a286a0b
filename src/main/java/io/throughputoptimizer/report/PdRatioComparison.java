package io.throughputoptimizer.report;

import io.throughputoptimizer.api.result.CrossHardwareResponse.RankedPairResponse;
import io.throughputoptimizer.api.result.ObjectiveResponse;
import io.throughputoptimizer.api.result.PdRatioRowResponse;
import io.throughputoptimizer.report.Section.NoConfiguration;
import java.util.List;

/// The best P/D ratio of each kind of device (results, several devices: cross-hardware).
final class PdRatioComparison {
    private static final int WIDTH = 120;
    private static final String TTFT = "TTFT (ms)";
    private static final List<String> COLUMNS = List.of(
            "Top",
            "Device",
            "Balanced QPS (req/s)",
            "PD Ratio (P:D inst)",
            "P QPS (req/s)",
            "D QPS (req/s)",
            TTFT,
            "TPOT (ms)",
            "P inst",
            "D inst");

    private PdRatioComparison() {}

    /// @param ranked kinds of device, best first
    static Section section(List<RankedPairResponse> ranked, boolean calibrated) {
        if (ranked.isEmpty()) {
            return new NoConfiguration(
                    PhaseSummary.NOTHING_FOUND, List.of(), "P/D ratio: no device is left to compare.", List.of());
        }
        if (calibrated) {
            return new Section.Comparison(
                    WIDTH,
                    List.of("Cross-hardware - PD Ratio (best " + by(ranked, "token/s per device that works")
                            + ", under TTFT/TPOT limits)"),
                    SteadyPairs.comparison(ranked),
                    List.of());
        }
        if (PairTables.areFree(ranked.stream().map(RankedPairResponse::pair).toList())) {
            return new Section.Comparison(
                    WIDTH,
                    List.of("Cross-hardware - PD Ratio (best " + by(ranked, "balanced QPS per device that works")
                            + ", under TTFT/TPOT limits)"),
                    PairTables.comparison(ranked),
                    List.of());
        }
        return new Section.Comparison(
                WIDTH,
                List.of("Cross-hardware - PD Ratio (best " + by(ranked, "balanced QPS")
                        + " per device under TTFT/TPOT limits)"),
                Objectives.beside(
                        withSustained(
                                new Table(
                                        COLUMNS,
                                        ranked.stream()
                                                .map(PdRatioComparison::cells)
                                                .toList()),
                                ranked),
                        2,
                        ranked.stream().map(best -> best.pair().objective())),
                notes(ranked));
    }

    /// Results of the first version do not know it.
    private static Table withSustained(Table table, List<RankedPairResponse> ranked) {
        List<PdRatioRowResponse> pairs =
                ranked.stream().map(RankedPairResponse::pair).toList();
        if (pairs.stream().allMatch(pair -> pair.prefillSustainedQps() == null)) {
            return table;
        }
        int place = COLUMNS.indexOf(TTFT);
        return table.with(
                        place,
                        "P Sustained (req/s)",
                        pairs.stream()
                                .map(pair -> Cell.figure(pair.prefillSustainedQps()))
                                .toList())
                .with(
                        place + 1,
                        "D Sustained (req/s)",
                        pairs.stream()
                                .map(pair -> Cell.figure(pair.decodeSustainedQps()))
                                .toList());
    }

    private static String by(List<RankedPairResponse> ranked, String usual) {
        ObjectiveResponse objective = ranked.getFirst().pair().objective();
        return objective == null ? usual : objective.name();
    }

    private static List<Cell> cells(RankedPairResponse ranked) {
        PdRatioRowResponse pair = ranked.pair();
        return List.of(
                new Cell.Count(pair.rank()),
                new Cell.Text(ranked.device()),
                Cell.figure(pair.balancedQps()),
                Cell.figure(pair.pdRatio()),
                Cell.figure(pair.prefillQps()),
                Cell.figure(pair.decodeQps()),
                Cell.figure(pair.ttft()),
                Cell.figure(pair.tpot()),
                Cell.count(pair.prefillInstances()),
                Cell.count(pair.decodeInstances()));
    }

    private static List<String> notes(List<RankedPairResponse> ranked) {
        return ranked.stream().anyMatch(best -> best.pair().prefillInstances() != null)
                ? List.of("P/D instance counts: the split of " + available(ranked)
                        + " that comes closest to the ratio, as under Overall Best.")
                : List.of();
    }

    private static String available(List<RankedPairResponse> ranked) {
        return ranked.stream().map(RankedPairResponse::numDevices).distinct().count() == 1
                ? "num_devices=" + ranked.getFirst().numDevices()
                : "the devices of each kind";
    }
}
