package io.throughputoptimizer.report;

import static java.util.Objects.requireNonNull;

import io.throughputoptimizer.api.request.KvTransferRequest;
import io.throughputoptimizer.api.request.PdRatioRequest;
import io.throughputoptimizer.api.result.PdRatioResponse;
import io.throughputoptimizer.api.result.ResultResponse.DeviceResponse;
import io.throughputoptimizer.report.table.Objectives;
import io.throughputoptimizer.report.table.Section;
import io.throughputoptimizer.report.table.Section.Fact;
import io.throughputoptimizer.report.table.Section.Frame;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The summary of the P/D ratio on one kind of device.
///
/// @param instances devices of one prefill and one decode instance
record PdRatioSummary(Findings findings, PdRatioRequest instances) {
    Section of(DeviceResponse device, PdRatioResponse result) {
        if (result.rows().isEmpty()) {
            return nothing(device);
        }
        boolean calibrated = findings.request().isCalibrated();
        List<PairLine> pairs = PairLine.of(device, result);
        return new Section.Summary(
                Frame.PD_RATIO,
                input(device),
                BestPair.facts(pairs.getFirst(), calibrated),
                "Top " + result.rows().size() + " PD Ratio Configurations:",
                PairTables.summary(pairs, calibrated),
                Stream.concat(
                                MemoryWarnings.ofPhases(device.phases()).stream(),
                                WarningLines.of(result.rows().stream()
                                        .map(row -> new WarningLines.Placed(row.rank(), row.warnings()))))
                        .toList());
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
        facts.addAll(TrafficColumns.of(
                findings.request(),
                device.engine() == null
                        ? TrafficColumns.budgets(device.phases().stream().flatMap(phase -> phase.rows().stream()))
                        : Stream.ofNullable(device.engine().maxBatchedTokens())));
        if (device.numDecodeDevices() != null || device.numDevices() >= least(prefillDevices) + least(decodeDevices)) {
            facts.add(new Fact("Devices", device.available()));
        } else if (findings.isComparison()) {
            facts.add(new Fact("Device", device.device()));
        }
        facts.add(new Fact("Prefill Devices Per Instance", words(prefillDevices)));
        facts.add(new Fact("Decode Devices Per Instance", words(decodeDevices)));
        KvTransferRequest transfer = instances.kvTransfer();
        if (transfer != null) {
            facts.add(Transfers.asked(transfer));
        }
        facts.add(PhaseSummary.limit("TTFT Limits", findings.request().slo().ttftMs()));
        facts.add(PhaseSummary.tpotLimit(findings.request().slo()));
        PhaseSummary.requestLatencyLimit(findings.request().slo()).ifPresent(facts::add);
        PhaseSummary.checkpoint(findings).ifPresent(facts::add);
        PhaseSummary.sharedExperts(findings.request()).ifPresent(facts::add);
        PhaseSummary.fusedReductions(findings.request()).ifPresent(facts::add);
        PhaseSummary.accounting(findings).ifPresent(facts::add);
        PhaseSummary.sampled(findings).ifPresent(facts::add);
        Objectives.asked(findings.request()).ifPresent(facts::add);
        DeviceFacts.assumptions(device, false).forEach(facts::add);
        return facts;
    }

    private static long least(List<Integer> sizes) {
        return sizes.stream().mapToLong(Integer::longValue).min().orElseThrow();
    }

    private static String words(List<Integer> sizes) {
        return sizes.stream().map(String::valueOf).collect(Collectors.joining(", "));
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
