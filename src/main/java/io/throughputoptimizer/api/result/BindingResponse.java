package io.throughputoptimizer.api.result;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.api.result.figure.BreakdownResponse;
import io.throughputoptimizer.api.result.figure.LeastResponse;
import io.throughputoptimizer.api.result.figure.MemoryResponse;
import io.throughputoptimizer.api.result.figure.PhaseName;
import io.throughputoptimizer.core.calibrated.InstanceLayout;
import io.throughputoptimizer.core.explain.Binding;
import io.throughputoptimizer.core.explain.Binding.Bound;
import io.throughputoptimizer.core.explain.Binding.Margin;
import io.throughputoptimizer.core.explain.Binding.Margins;
import io.throughputoptimizer.core.explain.Binding.OfArrangement;
import io.throughputoptimizer.core.explain.Binding.OfCandidate;
import io.throughputoptimizer.core.explain.PassProfile;
import io.throughputoptimizer.core.forward.MemoryFootprint;
import io.throughputoptimizer.core.kernels.OperatorClass;
import io.throughputoptimizer.core.kernels.OperatorTime;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Limiting constraint of a candidate.
@Schema(name = "Binding")
public record BindingResponse(
        @Schema(allowableValues = {"aggregation", "prefill", "decode", "pd_ratio"})
        String phase,

        String label,
        @Nullable Long batchSize,
        @Nullable Long concurrency,
        boolean feasible,

        @Schema(
                allowableValues = {
                    "ttft",
                    "tpot",
                    "e2e_latency",
                    "memory",
                    "batch_range",
                    "max_batched_tokens",
                    "throughput",
                    "search",
                    "engine",
                    "measured_range",
                    "least_concurrency",
                    "rate",
                    "model"
                })
        String limitedBy,

        String detail,
        @Nullable MarginsResponse margins,
        @Nullable MemoryResponse memory,
        @Nullable LeastResponse least,
        List<PassResponse> passes) {
    private static final double PERCENT = 100;
    private static final double MILLIS = 1000;
    private static final double MICROS_PER_MILLI = 1000;

    /// Margins to each limit, negative if the limit is exceeded.
    @Schema(name = "Margins")
    public record MarginsResponse(
            @Nullable Double ttftMs,
            @Nullable Double ttftPercent,
            @Nullable Double tpotMs,
            @Nullable Double tpotPercent,
            @Nullable Double e2eLatencyMs,
            @Nullable Double e2eLatencyPercent,
            @Nullable Double memoryGb,
            @Nullable Double memoryPercent) {

        private static MarginsResponse from(Margins margins) {
            Margin memory = margins.memoryBytes();
            return new MarginsResponse(
                    left(margins.ttftMillis()),
                    percent(margins.ttftMillis()),
                    left(margins.tpotMillis()),
                    percent(margins.tpotMillis()),
                    left(margins.requestLatencyMillis()),
                    percent(margins.requestLatencyMillis()),
                    memory == null ? null : (Double) (memory.left() / MemoryFootprint.GIB),
                    percent(memory));
        }

        private static @Nullable Double left(@Nullable Margin margin) {
            return margin == null ? null : margin.left();
        }

        private static @Nullable Double percent(@Nullable Margin margin) {
            return margin == null ? null : margin.share() * PERCENT;
        }
    }

    /// Time of a pass by operator.
    @Schema(name = "ExplainedPass")
    public record PassResponse(
            @Schema(allowableValues = {"prefill", "decode"}) String phase,
            double latencyMs,

            @Schema(
                    allowableValues = {
                        "memory",
                        "communication",
                        "matrix",
                        "general",
                        "static_cost",
                        "gemm",
                        "attention",
                        "experts",
                        "elementwise"
                    })
            String bound,

            @Nullable SharesResponse shares,
            @Nullable BreakdownResponse breakdown,
            List<HeaviestResponse> operators) {

        private static List<PassResponse> all(Bound of) {
            return switch (of) {
                case OfCandidate candidate ->
                    candidate.passes().stream().map(PassResponse::from).toList();
                case OfArrangement(var _, var row, var _) ->
                    row == null
                            ? List.of()
                            : List.of(
                                    from("prefill", row.steps().prefill()),
                                    from("decode", row.steps().decode()));
            };
        }

        private static PassResponse from(String phase, List<OperatorTime> operators) {
            double micros = operators.stream()
                    .mapToDouble(OperatorTime::totalMicroseconds)
                    .sum();
            Map<OperatorClass, Double> kinds = new EnumMap<>(OperatorClass.class);
            Map<String, HeaviestResponse> names = new LinkedHashMap<>();
            for (OperatorTime operator : operators) {
                double total = operator.totalMicroseconds();
                kinds.merge(operator.kind(), total, Double::sum);
                names.merge(
                        operator.name(),
                        new HeaviestResponse(
                                operator.name(), operator.calls(), total / MICROS_PER_MILLI, total / micros * PERCENT),
                        HeaviestResponse::plus);
            }
            return new PassResponse(
                    phase,
                    micros / MICROS_PER_MILLI,
                    kinds.entrySet().stream()
                            .max(Map.Entry.comparingByValue())
                            .orElseThrow()
                            .getKey()
                            .label(),
                    null,
                    BreakdownResponse.percent(operators),
                    names.values().stream()
                            .sorted(Comparator.comparingDouble(HeaviestResponse::totalMs)
                                    .reversed())
                            .limit(PassProfile.SHOWN)
                            .toList());
        }

        private static PassResponse from(PassProfile pass) {
            return new PassResponse(
                    pass.decode() ? "decode" : "prefill",
                    pass.seconds() * MILLIS,
                    WireFormat.name(pass.bound()),
                    SharesResponse.from(pass),
                    null,
                    pass.heaviest().stream()
                            .map(operator -> new HeaviestResponse(
                                    operator.name(),
                                    operator.calls(),
                                    operator.seconds() * MILLIS,
                                    operator.seconds() / pass.seconds() * PERCENT))
                            .toList());
        }
    }

    /// Parts of a pass in percent.
    @Schema(name = "PassShares")
    public record SharesResponse(
            double memory, double communication, double matrix, double general, double staticCost) {

        private static SharesResponse from(PassProfile pass) {
            double percent = PERCENT / pass.seconds();
            return new SharesResponse(
                    pass.parts().memorySeconds() * percent,
                    pass.parts().communicationSeconds() * percent,
                    pass.parts().matrixSeconds() * percent,
                    pass.parts().generalSeconds() * percent,
                    pass.staticSeconds() * percent);
        }
    }

    /// An operator of a pass.
    @Schema(name = "HeaviestOperator")
    public record HeaviestResponse(String name, long calls, double totalMs, double sharePercent) {
        private HeaviestResponse plus(HeaviestResponse other) {
            return new HeaviestResponse(
                    name, calls + other.calls, totalMs + other.totalMs, sharePercent + other.sharePercent);
        }
    }

    static BindingResponse from(Binding binding) {
        Bound of = binding.of();
        boolean pair = of instanceof OfArrangement(InstanceLayout.Pair _, var _, var _);
        return new BindingResponse(
                phase(of),
                of.label(),
                pair ? null : binding.load(),
                pair ? binding.load() : null,
                binding.kept(),
                WireFormat.name(binding.limit()),
                binding.detail(),
                binding.margins() == null ? null : MarginsResponse.from(binding.margins()),
                memory(of),
                LeastResponse.from(binding.least(), pair),
                PassResponse.all(of));
    }

    private static String phase(Bound of) {
        return switch (of) {
            case OfCandidate candidate -> PhaseName.of(candidate.phase()).wireName();
            case OfArrangement(InstanceLayout.Equal _, var _, var _) -> PhaseName.AGGREGATION.wireName();
            case OfArrangement(InstanceLayout.Pair _, var _, var _) -> CrossHardwareResponse.PD_RATIO;
            case OfArrangement(InstanceLayout.Side side, var _, var _) ->
                (side.decodes() ? PhaseName.DECODE : PhaseName.PREFILL).wireName();
        };
    }

    private static @Nullable MemoryResponse memory(Bound of) {
        return switch (of) {
            case OfCandidate(var _, var candidate, var memory, var _) ->
                memory == null ? null : MemoryResponse.from(memory, candidate.deployment());
            case OfArrangement(var _, var row, var lengths) -> row == null ? null : MemoryResponse.from(row, lengths);
        };
    }
}
