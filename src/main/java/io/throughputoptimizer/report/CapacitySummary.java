package io.throughputoptimizer.report;

import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.api.request.DemandRequest;
import io.throughputoptimizer.api.request.OptimizationRequest;
import io.throughputoptimizer.api.result.CapacityResponse;
import io.throughputoptimizer.api.result.CapacityResponse.DeploymentResponse;
import io.throughputoptimizer.api.result.CapacityResponse.GroupResponse;
import io.throughputoptimizer.api.result.CapacityResponse.InstanceResponse;
import io.throughputoptimizer.api.result.CapacityResponse.ShortfallResponse;
import io.throughputoptimizer.core.serving.Decimals;
import io.throughputoptimizer.report.table.Objectives;
import io.throughputoptimizer.report.table.Section;
import io.throughputoptimizer.report.table.Section.Fact;
import io.throughputoptimizer.report.table.Section.Frame;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Summary of the fewest devices that serve a demand.
record CapacitySummary(Findings findings, CapacityResponse capacity) {
    private static final double PERCENT = 100;
    private static final int CENTS = 2;

    List<Section> sections() {
        return List.of(capacity.rows().isEmpty() ? nothing() : summary());
    }

    private Section summary() {
        return new Section.Summary(
                Frame.PD_RATIO,
                input(),
                best(capacity.rows().getFirst()),
                "Top " + capacity.rows().size() + " Deployments:",
                new CapacityColumns(findings).summary(capacity.rows()),
                Stream.concat(shortfalls(), notes()).toList());
    }

    private List<Fact> input() {
        OptimizationRequest request = findings.request();
        List<Fact> facts = new ArrayList<>(List.of(new Fact("Model", request.modelName())));
        findings.devices().stream()
                .limit(1)
                .forEach(device -> facts.addAll(PhaseSummary.quantization(request, device)));
        facts.addAll(TrafficColumns.of(
                request,
                TrafficColumns.budgets(capacity.rows().stream()
                        .flatMap(row -> row.instances().stream())
                        .map(GroupResponse::load))));
        facts.add(new Fact(
                "Devices",
                findings.devices().stream().map(device -> device.available()).collect(Collectors.joining(", "))));
        facts.add(new Fact("Demand", demand(request)));
        if (request.kvTransfer() != null) {
            facts.add(Transfers.asked(request.kvTransfer()));
        }
        facts.add(PhaseSummary.limit("TTFT Limits", request.slo().ttftMs()));
        facts.add(PhaseSummary.tpotLimit(request.slo()));
        PhaseSummary.requestLatencyLimit(request.slo()).ifPresent(facts::add);
        PhaseSummary.checkpoint(findings).ifPresent(facts::add);
        PhaseSummary.sharedExperts(request).ifPresent(facts::add);
        PhaseSummary.fusedReductions(request).ifPresent(facts::add);
        PhaseSummary.accounting(findings).ifPresent(facts::add);
        Objectives.asked(request).ifPresent(facts::add);
        findings.devices().stream()
                .flatMap(device ->
                        DeviceFacts.feedback(device, findings.devices().size() > 1))
                .forEach(facts::add);
        findings.devices().stream()
                .flatMap(device ->
                        DeviceFacts.assumptions(device, findings.devices().size() > 1))
                .forEach(facts::add);
        return facts;
    }

    private static String demand(OptimizationRequest request) {
        DemandRequest demand = Objects.requireNonNull(request.demand());
        double headroom = Objects.requireNonNullElse(request.headroom(), 0.0);
        String amount = demand.conversations() != null
                ? demand.conversations() + " conversations at once"
                : demand.concurrency() != null
                        ? demand.concurrency() + " requests at once"
                        : demand.requestsPerS() != null
                                ? Decimals.exact(demand.requestsPerS()) + " req/s"
                                : Decimals.exact(Objects.requireNonNull(demand.tokensPerS())) + " output token/s";
        return amount + (headroom > 0 ? ", headroom " + percent(headroom) + "%" : "");
    }

    private List<Fact> best(DeploymentResponse row) {
        List<Fact> facts = new ArrayList<>();
        facts.add(new Fact(
                "Devices",
                row.numDevices() + " " + row.device()
                        + (row.numDevicesUnfavourable() == null
                                ? ""
                                : " (" + row.numDevicesUnfavourable() + " at the unfavourable end of the bands)")));
        if (row.costPerHour() != null) {
            facts.add(new Fact(
                    "Cost", Decimals.fixed(row.costPerHour(), CENTS) + " " + Objectives.perHour(findings.request())));
        }
        row.instances().forEach(group -> facts.add(new Fact(name(group), group(group))));
        facts.add(new Fact("Utilization", percent(row.utilization()) + "%"));
        facts.add(new Fact(
                "TTFT",
                Decimals.fixed(row.ttftMs(), 2) + " ms" + Transfers.words(row.kvTransferMs(), row.kvTransferGb())));
        facts.add(new Fact("TPOT", Decimals.fixed(row.tpotMs(), 2) + " ms"));
        if (row.e2eLatencyMs() != null) {
            facts.add(new Fact("Request Latency", Decimals.fixed(row.e2eLatencyMs(), 2) + " ms"));
        }
        Objectives.best(row.objective()).ifPresent(facts::add);
        return facts;
    }

    private static String name(GroupResponse group) {
        return switch (group.phase()) {
            case AGGREGATION -> "Instances";
            case PREFILL -> "P Instances";
            case DECODE -> "D Instances";
        };
    }

    private static String group(GroupResponse group) {
        return "%s of %s devices  (Parallel: %s, Batch: %s, Concurrency: %s; at most Batch: %s, %s req/s)"
                .formatted(
                        group.count(),
                        group.devicesPerInstance(),
                        group.load().parallel().label(),
                        group.load().batchSize(),
                        group.load().concurrency(),
                        group.peak().batchSize(),
                        Decimals.fixed(group.mostRequestsPerS(), 2));
    }

    private Stream<String> shortfalls() {
        List<ShortfallResponse> known = Objects.requireNonNullElse(capacity.shortfalls(), List.of());
        return known.stream().flatMap(shortfall -> shortfall.advice().stream());
    }

    private Stream<String> notes() {
        return Stream.of(
                        Objects.requireNonNullElse(capacity.omitted(), List.<CapacityResponse.LeftOutResponse>of())
                                .stream()
                                .map(left -> "Not compared: " + left.deployment() + ", " + left.reason() + "."),
                        WarningLines.of(capacity.rows().stream()
                                .flatMap(row -> row.instances().stream()
                                        .map(group -> new WarningLines.Placed(
                                                row.rank(), group.load().warnings())))),
                        inexact(),
                        findings.devices().stream().flatMap(DeviceFacts::warnings))
                .flatMap(note -> note);
    }

    private Stream<String> inexact() {
        return MemoryWarnings.of(capacity.rows().stream()
                .flatMap(row -> row.instances().stream()
                        .map(group -> new MemoryWarnings.Placed(
                                row.rank(), group.load().memory())))
                .toList());
    }

    private Section nothing() {
        return new Section.NoConfiguration(
                "The devices available do not serve the demand within the limits.",
                input(),
                shortfalls().collect(Collectors.joining(" ")),
                capacity.instances().stream()
                        .filter(instance -> instance.rejected() != null)
                        .map(CapacitySummary::reason)
                        .toList());
    }

    private static Fact reason(InstanceResponse rejected) {
        return new Fact(
                rejected.device() + ", " + WireFormat.name(rejected.phase()) + ", " + rejected.devicesPerInstance()
                        + " devices"
                        + (rejected.parallel() == null
                                ? ""
                                : ", " + rejected.parallel().label()),
                Objects.requireNonNull(rejected.rejected()));
    }

    private static String percent(double share) {
        return Decimals.general(Math.rint(share * PERCENT * 10) / 10);
    }
}
