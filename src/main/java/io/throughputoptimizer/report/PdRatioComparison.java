package io.throughputoptimizer.report;

import io.throughputoptimizer.api.result.CrossHardwareResponse.RankedPairResponse;
import io.throughputoptimizer.api.result.figure.ObjectiveResponse;
import io.throughputoptimizer.report.table.Section;
import io.throughputoptimizer.report.table.Section.NoConfiguration;
import io.throughputoptimizer.report.table.Table;
import java.util.List;

/// The best P/D ratio of each kind of device (results, several devices: cross-hardware).
final class PdRatioComparison {
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
        return ranked.stream().map(RankedPairResponse::numDevices).distinct().count() == 1
                ? "num_devices=" + ranked.getFirst().numDevices()
                : "the devices of each kind";
    }
}
