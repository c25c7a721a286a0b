package io.throughputoptimizer.report;

import static java.util.Objects.requireNonNull;

import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.api.request.EngineRequest;
import io.throughputoptimizer.api.request.LimitsRequest;
import io.throughputoptimizer.api.request.OptimizationRequest;
import io.throughputoptimizer.api.request.QuantizationRequest;
import io.throughputoptimizer.api.request.ServingRequest;
import io.throughputoptimizer.api.result.ConversationsResponse;
import io.throughputoptimizer.api.result.DeliveredResponse;
import io.throughputoptimizer.api.result.PhaseResponse;
import io.throughputoptimizer.api.result.PhaseResponse.RejectedResponse;
import io.throughputoptimizer.api.result.ResultResponse.DeviceResponse;
import io.throughputoptimizer.api.result.RowResponse;
import io.throughputoptimizer.api.result.figure.PhaseName;
import io.throughputoptimizer.api.result.figure.RequestLatencyResponse;
import io.throughputoptimizer.core.serving.Accounting;
import io.throughputoptimizer.core.serving.Decimals;
import io.throughputoptimizer.report.table.Column;
import io.throughputoptimizer.report.table.Objectives;
import io.throughputoptimizer.report.table.Section;
import io.throughputoptimizer.report.table.Section.Fact;
import io.throughputoptimizer.report.table.Section.Frame;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The summary of one phase on one kind of device.
record PhaseSummary(Findings findings) {
    static final String NOTHING_FOUND = "No configuration fits in memory and satisfies the TTFT/TPOT limits.";

    Section of(DeviceResponse device, PhaseResponse result) {
        if (result.rows().isEmpty()) {
            return nothing(device, result);
        }
        PhaseTable table = new PhaseTable(device, result);
        return new Section.Summary(
                Frame.PHASE,
                input(device, result),
                best(result),
                table.title(),
                table.table(),
                Stream.of(
                                MemoryWarnings.ofPlaces(result.rows()).stream(),
                                WarningLines.of(result.rows().stream().map(WarningLines.Placed::of)),
                                DeviceFacts.warnings(device))
                        .flatMap(warnings -> warnings)
                        .toList());
    }

    /// A disaggregated phase keeps its own limit only.
    private List<Fact> input(DeviceResponse device, PhaseResponse result) {
        PhaseName phase = result.phase();
        OptimizationRequest request = findings.request();
        LimitsRequest limits = request.slo();
        List<Fact> facts = new ArrayList<>(List.of(new Fact("Model", request.modelName())));
        facts.addAll(quantization(request, device));
        facts.addAll(TrafficColumns.of(request, TrafficColumns.budgets(result.rows().stream())));
        facts.addAll(List.of(
                new Fact("Devices", device.available()),
                limit("TTFT Limits", phase == PhaseName.DECODE ? null : limits.ttftMs(), limits.percentile()),
                phase == PhaseName.PREFILL ? limit("TPOT Limits", null) : tpotLimit(limits)));
        requestLatencyLimit(limits).ifPresent(facts::add);
        checkpoint(findings).ifPresent(facts::add);
        sharedExperts(request).ifPresent(facts::add);
        fusedReductions(request).ifPresent(facts::add);
        accounting(findings).ifPresent(facts::add);
        sampled(findings).ifPresent(facts::add);
        Objectives.asked(request).ifPresent(facts::add);
        result.rows().stream()
                .limit(1)
                .map(RowResponse::linearAttention)
                .filter(Objects::nonNull)
                .forEach(rule -> facts.add(new Fact("Linear attention", rule.wireName())));
        DeviceFacts.feedback(device, false).forEach(facts::add);
        DeviceFacts.assumptions(device, false).forEach(facts::add);
        return facts;
    }

    /// Returns the quantization and, in the calibrated model, the engine.
    static List<Fact> quantization(OptimizationRequest request, DeviceResponse device) {
        QuantizationRequest quantization = request.quantization();
        EngineRequest engine = device.engine();
        return engine == null
                ? Stream.of(
                                facts("Quantize Linear action", quantization.linear()),
                                facts("Quantize Non-expert Linear action", quantization.nonExpertLinear()),
                                facts("Quantize Attention action", quantization.attention()))
                        .flatMap(Optional::stream)
                        .toList()
                : Stream.of(
                                Optional.of(new Fact("Engine", engine.backend(device.device()))),
                                fact("Scheme", device.scheme()),
                                fact("KV cache", engine.kvCacheDtype()))
                        .flatMap(Optional::stream)
                        .toList();
    }

    /// Returns the requested values; several are tried one by one.
    private static Optional<Fact> facts(String label, @Nullable List<? extends Enum<?>> asked) {
        return Optional.ofNullable(asked)
                .map(known -> new Fact(
                        label, known.stream().map(Enum::name).distinct().collect(Collectors.joining(", "))));
    }

    private static Optional<Fact> fact(String label, @Nullable Enum<?> constant) {
        return Optional.ofNullable(constant).map(known -> new Fact(label, known.name()));
    }

    /// Returns the difference to the checkpoint's quantization, if the request takes it.
    static Optional<Fact> checkpoint(Findings findings) {
        return Optional.ofNullable(findings.result().checkpointQuantization())
                .map(checkpoint -> new Fact("Checkpoint", checkpoint.words()));
    }

    /// Returns the placement of shared experts, unless each rank holds all of them.
    static Optional<Fact> sharedExperts(OptimizationRequest request) {
        return Optional.ofNullable(request.serving())
                .filter(ServingRequest::splitsSharedExperts)
                .map(_ -> new Fact("Shared experts", "split over TP"));
    }

    /// Returns a fact if products and their reductions are fused.
    static Optional<Fact> fusedReductions(OptimizationRequest request) {
        return Optional.ofNullable(request.serving())
                .filter(ServingRequest::fusesReductions)
                .map(_ -> new Fact("Product and all-reduce", "one operator"));
    }

    /// Returns the accounting, unless it is the default.
    static Optional<Fact> accounting(Findings findings) {
        return Optional.of(findings.result().accounting())
                .filter(accounting -> !accounting.equals(WireFormat.name(Accounting.DOCUMENTED)))
                .map(accounting -> new Fact("Accounting", accounting));
    }

    /// Describes the sampled concurrencies if the scan was not exhaustive.
    static Optional<Fact> sampled(Findings findings) {
        return Optional.ofNullable(findings.result().search().sampled()).map(words -> new Fact("Searched", words));
    }

    /// The limit on TPOT, and where it was asked for as the speed of a user that too. A percentile is that of modes
    /// which take one.
    static Fact tpotLimit(LimitsRequest limits) {
        Fact millis = limit("TPOT Limits", limits.tpotLimitMs(), limits.percentile());
        Double speed = limits.tokensPerSPerUser();
        return speed == null
                ? millis
                : new Fact(
                        millis.label(),
                        millis.text() + ", at least " + Decimals.shortest(speed) + " token/s for each user");
    }

    /// Returns the limit on end-to-end latency, if any.
    static Optional<Fact> requestLatencyLimit(LimitsRequest limits) {
        return Optional.ofNullable(limits.e2eLatencyMs())
                .map(millis -> limit("Request Latency Limits", millis, limits.percentile()));
    }

    static Fact limit(String label, @Nullable Double millis) {
        return limit(label, millis, null);
    }

    /// @param percentile of the requests that must keep the limit; absent where it is on their mean
    private static Fact limit(String label, @Nullable Double millis, @Nullable Double percentile) {
        return new Fact(
                label,
                (millis == null ? "None" : Decimals.exact(millis)) + " ms"
                        + (millis == null || percentile == null
                                ? ""
                                : " for " + Decimals.shortest(percentile) + " of 100 requests"));
    }

    private static List<Fact> best(PhaseResponse result) {
        List<Fact> facts = new ArrayList<>();
        if (result.instances() != null) {
            facts.add(new Fact("Deployment", result.instances()));
        }
        facts.addAll(best(result.rows().getFirst()));
        return facts;
    }

    private static List<Fact> best(RowResponse row) {
        if (row.bands() != null) {
            List<Fact> banded = new ArrayList<>(List.of(
                    new Fact("Best Throughput", banded(RowColumns.THROUGHPUT, row, "tokens/s")),
                    new Fact("TTFT", banded(RowColumns.TTFT, row, "ms")),
                    new Fact("TPOT", banded(RowColumns.TPOT, row, "ms"))));
            if (row.requestLatency() != null) {
                banded.add(new Fact("Request Latency", banded(RowColumns.E2E_LATENCY, row, "ms")));
            }
            Objectives.best(row.objective()).ifPresent(banded::add);
            SimulatedPercentile.of(row)
                    .forEach(figure -> banded.add(new Fact(
                            "Simulated " + figure.name(), figure.value().text("ms") + figure.held())));
            staggered(row).ifPresent(banded::add);
            kept(row.conversations()).ifPresent(banded::add);
            return banded;
        }
        List<Fact> facts = new ArrayList<>();
        facts.add(new Fact("Best Throughput", Decimals.fixed(row.tokensPerS(), 2) + " tokens/s"));
        if (row.ttftMs() != null) {
            facts.add(new Fact("TTFT", Decimals.fixed(row.ttftMs(), 2) + " ms"));
        }
        if (row.tpotMs() != null) {
            facts.add(new Fact("TPOT", Decimals.fixed(row.tpotMs(), 2) + " ms"));
        }
        RequestLatencyResponse latency = row.requestLatency();
        if (latency != null && latency.e2eLatencyMs() != null) {
            facts.add(new Fact("Request Latency", Decimals.fixed(latency.e2eLatencyMs(), 2) + " ms"));
        }
        Objectives.best(row.objective()).ifPresent(facts::add);
        kept(row.conversations()).ifPresent(facts::add);
        return facts;
    }

    /// Returns the hit rate of the prefix cache between turns.
    static Optional<Fact> kept(@Nullable ConversationsResponse kept) {
        return kept == null
                ? Optional.empty()
                : Optional.of(new Fact(
                        "Kept Caches",
                        percent(kept.hitRate()) + "% of the prompts' tokens, found by " + percent(kept.turnsFound())
                                + "% of the turns after the first; "
                                + Decimals.fixed(requireNonNull(kept.openConversations()), 1)
                                + " conversations are open"));
    }

    private static String percent(@Nullable Double share) {
        return Decimals.fixed(100 * requireNonNull(share), 1);
    }

    private static String banded(Column<DeliveredResponse> column, RowResponse row, String unit) {
        return requireNonNull(column.banded(row), "a row of measured devices has bands")
                .text(unit);
    }

    /// Describes the stagger between clients of a simulation.
    private static Optional<Fact> staggered(RowResponse row) {
        return Optional.ofNullable(PercentileColumns.staggerMillis(row))
                .map(millis -> new Fact("Simulated Clients", "all at once" + SimulationReport.staggered(millis)));
    }

    private Section nothing(DeviceResponse device, PhaseResponse result) {
        return new Section.NoConfiguration(
                NOTHING_FOUND,
                input(device, result),
                device.available() + ", " + result.phase().wireName() + ": no layout is left.",
                reasons(result, "").toList());
    }

    /// Returns the rejection reason of each layout.
    static Stream<Fact> reasons(PhaseResponse result, String prefix) {
        return result.rejected().stream().map(rejected -> reason(rejected, prefix));
    }

    private static Fact reason(RejectedResponse rejected, String prefix) {
        String batch = rejected.batchSize() == null ? "" : " at batch size " + rejected.batchSize();
        return new Fact(prefix + rejected.parallel().label() + batch, rejected.detail());
    }
}
