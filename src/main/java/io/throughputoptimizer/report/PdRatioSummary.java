package io.throughputoptimizer.report;

import static java.util.Objects.requireNonNull;

import io.throughputoptimizer.api.request.KvTransferRequest;
import io.throughputoptimizer.api.request.PdRatioRequest;
import io.throughputoptimizer.api.result.PdRatioResponse;
import io.throughputoptimizer.api.result.PdRatioRowResponse;
import io.throughputoptimizer.api.result.ResultResponse.DeviceResponse;
import io.throughputoptimizer.core.serving.Decimals;
import io.throughputoptimizer.report.Section.Fact;
import io.throughputoptimizer.report.Section.Frame;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The summary of the P/D ratio on one kind of device.
///
/// @param instances devices of one prefill and one decode instance
record PdRatioSummary(Findings findings, PdRatioRequest instances) {
    private static final List<String> COLUMNS = List.of(
            "Top",
            "PD Ratio",
            "Balanced QPS (req/s)",
            "P QPS (req/s)",
            "D QPS (req/s)",
            "P Sustained (req/s)",
            "D Sustained (req/s)",
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

    Section of(DeviceResponse device, PdRatioResponse result) {
        if (result.rows().isEmpty()) {
            return nothing(device);
        }
        boolean calibrated = findings.request().isCalibrated();
        boolean free = PairTables.areFree(result.rows());
        PdRatioRowResponse best = result.rows().getFirst();
        return new Section.Summary(
                Frame.PD_RATIO,
                input(device),
                Stream.concat(
                                (calibrated ? SteadyPairs.best(best) : free ? PairTables.best(best) : best(best))
                                        .stream(),
                                OnDevices.best(best).stream())
                        .toList(),
                "Top " + result.rows().size() + " PD Ratio Configurations:",
                OnDevices.beside(
                        calibrated
                                ? SteadyPairs.summary(device, result)
                                : free ? PairTables.summary(result) : table(result),
                        result.rows()),
                Stream.concat(
                                MemoryWarnings.ofPhases(device.phases()).stream(),
                                WarningLines.of(result.rows().stream()
                                        .map(row -> new WarningLines.Placed(row.rank(), row.warnings()))))
                        .toList());
    }

    private static Table table(PdRatioResponse result) {
        return Objectives.beside(
                new Table(
                        COLUMNS,
                        result.rows().stream().map(PdRatioSummary::cells).toList()),
                1,
                result.rows().stream().map(PdRatioRowResponse::objective));
    }

    /// The devices are named when they hold an instance of each kind, or when there are others to tell them from.
    private List<Fact> input(DeviceResponse device) {
        List<Integer> prefillDevices = requireNonNull(instances.prefillDevicesPerInstance());
        List<Integer> decodeDevices = requireNonNull(instances.decodeDevicesPerInstance());
        List<Fact> facts = new ArrayList<>();
        facts.add(new Fact("Model", findings.request().modelName()));
        if (findings.request().isCalibrated()) {
            facts.addAll(PhaseSummary.quantization(findings.request(), device));
        }
        facts.addAll(AskedTraffic.of(
                findings.request(),
                device.engine() == null
                        ? AskedTraffic.budgets(device.phases().stream().flatMap(phase -> phase.rows().stream()))
                        : Stream.ofNullable(device.engine().tokenBudget())));
        if (device.numDecodeDevices() != null || device.numDevices() >= least(prefillDevices) + least(decodeDevices)) {
            facts.add(new Fact("Devices", device.available()));
        } else if (findings.isComparison()) {
            facts.add(new Fact("Device", device.device()));
        }
        facts.add(new Fact("Prefill Devices Per Instance", words(prefillDevices)));
        facts.add(new Fact("Decode Devices Per Instance", words(decodeDevices)));
        KvTransferRequest transfer = instances.kvTransfer();
        if (transfer != null) {
            facts.add(PairTables.asked(transfer));
        }
        facts.add(PhaseSummary.limit("TTFT Limits", findings.request().slo().ttftMs()));
        facts.add(PhaseSummary.limit("TPOT Limits", findings.request().slo().tpotMs()));
        PhaseSummary.checkpoint(findings).ifPresent(facts::add);
        PhaseSummary.sharedExperts(findings.request()).ifPresent(facts::add);
        PhaseSummary.accounting(findings).ifPresent(facts::add);
        PhaseSummary.sampled(findings).ifPresent(facts::add);
        Objectives.asked(findings.request()).ifPresent(facts::add);
        AssumedFacts.of(device).forEach(facts::add);
        return facts;
    }

    private static long least(List<Integer> sizes) {
        return sizes.stream().mapToLong(Integer::longValue).min().orElseThrow();
    }

    private static String words(List<Integer> sizes) {
        return sizes.stream().map(String::valueOf).collect(Collectors.joining(", "));
    }

    private static List<Fact> best(PdRatioRowResponse row) {
        List<Fact> facts = new ArrayList<>();
        facts.add(new Fact("PD Ratio", Decimals.fixed(row.pdRatio(), 2) + " (P Instance:D Instance)"));
        facts.add(new Fact("Prefill QPS", prefill(row)));
        // Set so that both rates stand below each other.
        facts.add(new Fact("Decode QPS", " " + decode(row)));
        if (row.prefillInstances() != null && row.decodeInstances() != null) {
            facts.add(count("P Instances", row.prefillInstances(), row.prefillDevices()));
            facts.add(count("D Instances", row.decodeInstances(), row.decodeDevices()));
        }
        Objectives.best(row.objective()).ifPresent(facts::add);
        return facts;
    }

    private static String prefill(PdRatioRowResponse row) {
        return "%s req/s  (TTFT: %s ms, Parallel: %s, Batch: %s, Concurrency: %s)"
                .formatted(
                        fixed(row.prefillQps()),
                        fixed(row.ttft()),
                        row.prefillParallel().label(),
                        row.prefillBatchSize(),
                        row.prefillConcurrency());
    }

    private static String decode(PdRatioRowResponse row) {
        return "%s req/s  (TPOT: %s ms, Parallel: %s, Batch: %s, Concurrency: %s)"
                .formatted(
                        fixed(row.decodeQps()),
                        fixed(row.tpot()),
                        row.decodeParallel().label(),
                        row.decodeBatchSize(),
                        row.decodeConcurrency());
    }

    private static String fixed(@Nullable Double figure) {
        return Decimals.fixed(requireNonNull(figure, "a pair of cost model analytic has all its figures"), 2);
    }

    private static Fact count(String label, int instances, int devices) {
        return new Fact(label, instances + " (" + (long) instances * devices + " devices)");
    }

    private static List<Cell> cells(PdRatioRowResponse row) {
        return List.of(
                new Cell.Count(row.rank()),
                Cell.figure(row.pdRatio()),
                Cell.figure(row.balancedQps()),
                Cell.figure(row.prefillQps()),
                Cell.figure(row.decodeQps()),
                Cell.figure(row.prefillSustainedQps()),
                Cell.figure(row.decodeSustainedQps()),
                Cell.figure(row.ttft()),
                Cell.figure(row.tpot()),
                new Cell.Text(row.prefillParallel().label()),
                new Cell.Text(row.decodeParallel().label()),
                new Cell.Count(row.prefillDevices()),
                new Cell.Count(row.decodeDevices()),
                Cell.count(row.prefillBatchSize()),
                Cell.count(row.decodeBatchSize()),
                Cell.count(row.prefillConcurrency()),
                Cell.count(row.decodeConcurrency()));
    }

    private Section nothing(DeviceResponse device) {
        return new Section.NoConfiguration(
                PhaseSummary.NOTHING_FOUND,
                input(device),
                device.available() + ", P/D ratio: no pair of layouts is left.",
                device.phases().stream()
                        .flatMap(phase ->
                                PhaseSummary.reasons(phase, phase.phase().wireName() + " "))
                        .toList());
    }
}
