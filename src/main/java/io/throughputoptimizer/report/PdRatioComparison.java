package io.throughputoptimizer.report;

import io.throughputoptimizer.core.search.InstanceCounts;
import io.throughputoptimizer.core.search.PdRatioRow;
import io.throughputoptimizer.report.Findings.Comparison;
import io.throughputoptimizer.report.Findings.DeviceFindings;
import io.throughputoptimizer.report.Section.NoConfiguration;
import java.util.ArrayList;
import java.util.List;

/// The best P/D ratio of each kind of device (results, several devices: cross-hardware).
final class PdRatioComparison {
    private static final int WIDTH = 120;
    private static final List<String> COLUMNS = List.of(
            "Top",
            "Device",
            "Balanced QPS (req/s)",
            "PD Ratio (P:D inst)",
            "P QPS (req/s)",
            "D QPS (req/s)",
            "TTFT (ms)",
            "TPOT (ms)",
            "P inst",
            "D inst");

    private PdRatioComparison() {}

    static Section section(Comparison comparison) {
        List<DeviceFindings> ranked = comparison.pdRatio();
        if (ranked.isEmpty()) {
            return new NoConfiguration(
                    PhaseSummary.NOTHING_FOUND, "P/D ratio: no device is left to compare.", List.of());
        }
        List<List<Cell>> rows = new ArrayList<>();
        for (DeviceFindings device : ranked) {
            rows.add(cells(rows.size() + 1, device.device(), best(device)));
        }
        return new Section.Comparison(
                WIDTH,
                List.of("Cross-hardware - PD Ratio (best balanced QPS per device under TTFT/TPOT limits)"),
                new Table(COLUMNS, rows),
                notes(ranked));
    }

    private static PdRatioRow best(DeviceFindings device) {
        if (device.pdRatio() == null) {
            throw new IllegalArgumentException(device.device() + " is ranked by its P/D ratio and has none");
        }
        return device.pdRatio().rows().getFirst();
    }

    private static List<Cell> cells(int place, String device, PdRatioRow row) {
        InstanceCounts instances = row.instances();
        return List.of(
                new Cell.Count(place),
                new Cell.Text(device),
                Cell.figure(row.balancedQps()),
                Cell.figure(row.ratio()),
                Cell.figure(row.prefill().qps()),
                Cell.figure(row.decode().qps()),
                Cell.figure(row.prefill().latencyMillis()),
                Cell.figure(row.decode().latencyMillis()),
                Cell.count(instances == null ? null : instances.prefill()),
                Cell.count(instances == null ? null : instances.decode()));
    }

    private static List<String> notes(List<DeviceFindings> ranked) {
        return ranked.stream().anyMatch(device -> best(device).instances() != null)
                ? List.of("P/D instance counts: the split of num_devices="
                        + ranked.getFirst().deviceCount() + " that comes closest to the ratio, as under Overall Best.")
                : List.of();
    }
}
