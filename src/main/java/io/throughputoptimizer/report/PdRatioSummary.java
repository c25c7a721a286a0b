package io.throughputoptimizer.report;

import io.throughputoptimizer.core.search.InstanceCounts;
import io.throughputoptimizer.core.search.OptimizationProblem.InstanceSizes;
import io.throughputoptimizer.core.search.PdRatioResult;
import io.throughputoptimizer.core.search.PdRatioRow;
import io.throughputoptimizer.core.search.PdRatioRow.Side;
import io.throughputoptimizer.report.Findings.DeviceFindings;
import io.throughputoptimizer.report.Findings.Question;
import io.throughputoptimizer.report.Section.Fact;
import io.throughputoptimizer.report.Section.Frame;
import java.util.ArrayList;
import java.util.List;

/// The summary of the P/D ratio on one kind of device.
///
/// @param compared whether other kinds of device are shown too
record PdRatioSummary(Question question, InstanceSizes instances, boolean compared) {
    private static final List<String> COLUMNS = List.of(
            "Top",
            "PD Ratio",
            "Balanced QPS (req/s)",
            "P QPS (req/s)",
            "D QPS (req/s)",
            "TTFT (ms)",
            "TPOT (ms)",
            "P Parallel",
            "D Parallel",
            "P Devices/Instance",
            "D Devices/Instance",
            "P Batch Size",
            "D Batch Size",
            "P Concurrency",
            "D Concurrency");

    Section of(DeviceFindings device, PdRatioResult result) {
        return result.rows().isEmpty()
                ? nothing(device)
                : new Section.Summary(
                        Frame.PD_RATIO,
                        input(device),
                        best(result.rows().getFirst()),
                        "Top " + result.rows().size() + " PD Ratio Configurations:",
                        new Table(
                                COLUMNS,
                                result.rows().stream()
                                        .map(PdRatioSummary::cells)
                                        .toList()),
                        MemoryWarnings.ofPhases(device.phases()));
    }

    /// The devices are named when they hold an instance of each kind, or when there are others to tell them from.
    private List<Fact> input(DeviceFindings device) {
        List<Fact> facts = new ArrayList<>();
        facts.add(new Fact("Model", question.modelId()));
        if (device.deviceCount() >= instances.prefillDevices() + instances.decodeDevices()) {
            facts.add(new Fact("Devices", device.deviceCount() + " " + device.device()));
        } else if (compared) {
            facts.add(new Fact("Device", device.device()));
        }
        facts.add(new Fact("Prefill Devices Per Instance", Integer.toString(instances.prefillDevices())));
        facts.add(new Fact("Decode Devices Per Instance", Integer.toString(instances.decodeDevices())));
        facts.add(PhaseSummary.limit("TTFT Limits", question.objective().ttftMillis()));
        facts.add(PhaseSummary.limit("TPOT Limits", question.objective().tpotMillis()));
        PhaseSummary.accounting(question).ifPresent(facts::add);
        return facts;
    }

    private static List<Fact> best(PdRatioRow row) {
        List<Fact> facts = new ArrayList<>();
        facts.add(new Fact("PD Ratio", Decimals.fixed(row.ratio(), 2) + " (P Instance:D Instance)"));
        facts.add(new Fact("Prefill QPS", side(row.prefill(), "TTFT")));
        // Set so that both rates stand below each other.
        facts.add(new Fact("Decode QPS", " " + side(row.decode(), "TPOT")));
        InstanceCounts counts = row.instances();
        if (counts != null) {
            facts.add(count("P Instances", counts.prefill(), row.prefill()));
            facts.add(count("D Instances", counts.decode(), row.decode()));
        }
        return facts;
    }

    private static String side(Side side, String latency) {
        return "%s req/s  (%s: %s ms, Parallel: %s, Batch: %d, Concurrency: %d)"
                .formatted(
                        Decimals.fixed(side.qps(), 2),
                        latency,
                        Decimals.fixed(side.latencyMillis(), 2),
                        side.layout().label(),
                        side.batchSize(),
                        side.concurrency());
    }

    private static Fact count(String label, int instances, Side side) {
        return new Fact(label, instances + " (" + (long) instances * side.deviceCount() + " devices)");
    }

    private static List<Cell> cells(PdRatioRow row) {
        return List.of(
                Cell.count(row.rank()),
                Cell.figure(row.ratio()),
                Cell.figure(row.balancedQps()),
                Cell.figure(row.prefill().qps()),
                Cell.figure(row.decode().qps()),
                Cell.figure(row.prefill().latencyMillis()),
                Cell.figure(row.decode().latencyMillis()),
                new Cell.Text(row.prefill().layout().label()),
                new Cell.Text(row.decode().layout().label()),
                new Cell.Count(row.prefill().deviceCount()),
                new Cell.Count(row.decode().deviceCount()),
                new Cell.Count(row.prefill().batchSize()),
                new Cell.Count(row.decode().batchSize()),
                new Cell.Count(row.prefill().concurrency()),
                new Cell.Count(row.decode().concurrency()));
    }

    private static Section nothing(DeviceFindings device) {
        return new Section.NoConfiguration(
                PhaseSummary.NOTHING_FOUND,
                device.deviceCount() + " " + device.device() + ", P/D ratio: no pair of layouts is left.",
                device.phases().stream()
                        .flatMap(phase -> PhaseSummary.reasons(phase, PhaseSummary.name(phase.phase()) + " "))
                        .toList());
    }
}
