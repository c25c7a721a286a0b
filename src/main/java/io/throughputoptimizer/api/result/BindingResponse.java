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
@Schema(name = "Binding", description = "Limiting constraints of a candidate.")
public record BindingResponse(
        @Schema(
                description = "Phase of the search. `pd_ratio` for pairs of instances with `cost_model:"
                        + " calibrated`; `prefill` or `decode` for layouts that no instance of a pair can have.",
                allowableValues = {"aggregation", "prefill", "decode", "pd_ratio"})
        String phase,

        @Schema(
                description = "Label of the candidate, as in its row. For pairs with `cost_model: calibrated`: `2 x"
                        + " TP=1 | PP=1 | DP=1 feed 3 x TP=2 | PP=1 | DP=1`.",
                example = "TP=8 | PP=1 | DP=1")
        String label,

        @Schema(
                description = "Batch size of the candidate's best row. For a rejected candidate the smallest batch"
                        + " size tried; absent if none was tried.")
        @Nullable
        Long batchSize,

        @Schema(
                description = "Concurrency over all instances. Only for pairs with `cost_model: calibrated`, which"
                        + " have no batch size.")
        @Nullable
        Long concurrency,

        @Schema(description = "True if the candidate has a row.")
        boolean feasible,

        @Schema(
                description = "Constraint that the next larger batch size would violate; for a rejected candidate,"
                        + " the one that the smallest violates. `batch_range`: end of the requested range."
                        + " `max_batched_tokens`: one more request adds no throughput, but twice the token"
                        + " budget would add over 0.5% within the targets. `throughput`: one more request adds"
                        + " no throughput. `search`: the strategy did not try the next batch size. `engine`: the"
                        + " engine's limit of running sequences. `measured_range`: prediction intervals of more"
                        + " requests are wider than 1:10. `rate`: the request rate saturates the candidate."
                        + " `model`: the model cannot be split this way. With objective `tokens_per_s_per_user`"
                        + " the constraint on fewer requests: `least_concurrency` or `batch_range`.",
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

        @Schema(description = "Explanation of `limited_by`.")
        String detail,

        @Schema(description = "Margins to the targets and to the memory. Absent if nothing was evaluated.") @Nullable
        MarginsResponse margins,

        @Schema(description = "Memory of the pass with the least free memory. Absent if nothing was evaluated.")
        @Nullable
        MemoryResponse memory,

        @Schema(
                description = "Lowest figures of the candidate. Absent if nothing was evaluated or the memory is"
                        + " more than 256 times too small.")
        @Nullable
        LeastResponse least,

        @Schema(description = "The longest pass of each phase.")
        List<PassResponse> passes) {
    private static final double PERCENT = 100;
    private static final double MILLIS = 1000;
    private static final double MICROS_PER_MILLI = 1000;

    /// Margins to each limit, negative if the limit is exceeded.
    @Schema(name = "Margins", description = "Margins to the targets and to the memory. Negative if exceeded.")
    public record MarginsResponse(
            @Schema(description = "Margin to the TTFT target, in ms.") @Nullable
            Double ttftMs,

            @Schema(description = "Margin in percent of the TTFT target.") @Nullable
            Double ttftPercent,

            @Schema(description = "Margin to the TPOT target, in ms.") @Nullable
            Double tpotMs,

            @Schema(description = "Margin in percent of the TPOT target.") @Nullable
            Double tpotPercent,

            @Schema(description = "Margin to the end-to-end latency target, in ms.") @Nullable
            Double e2eLatencyMs,

            @Schema(description = "Margin in percent of the end-to-end latency target.") @Nullable
            Double e2eLatencyPercent,

            @Schema(description = "Free memory of each device, in GiB.") @Nullable
            Double memoryGb,

            @Schema(description = "Free memory in percent of the memory.") @Nullable
            Double memoryPercent) {

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
    @Schema(name = "ExplainedPass", description = "Time of a forward pass by operator.")
    public record PassResponse(
            @Schema(
                    description = "Phase of the requests.",
                    allowableValues = {"prefill", "decode"})
            String phase,

            @Schema(
                    description = "Time of the pass in ms. For decode steps that draft and verify: the time of their"
                            + " kernels.")
            double latencyMs,

            @Schema(
                    description = "The part that takes most; with cost model `calibrated` the kind of kernel.",
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

            @Schema(
                    description = "Each part in percent of the pass; operators count with the part that dominates them;"
                            + " cost model `analytic` only.")
            @Nullable
            SharesResponse shares,

            @Schema(description = "Time by kind of kernel, in percent. Requires `cost_model: calibrated`.") @Nullable
            BreakdownResponse breakdown,

            @Schema(description = "The five operators that take most, all calls of a name together.")
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
    @Schema(name = "PassShares", description = "Parts of a pass in percent.")
    public record SharesResponse(
            @Schema(description = "Operators bound by memory bandwidth.")
            double memory,

            @Schema(description = "Collectives bound by their links.")
            double communication,

            @Schema(description = "Matrix units, of operators bound by compute.")
            double matrix,

            @Schema(description = "General units, of operators bound by compute.")
            double general,

            @Schema(description = "Launch overheads of all operators.")
            double staticCost) {

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
    @Schema(name = "HeaviestOperator", description = "An operator of a pass.")
    public record HeaviestResponse(
            @Schema(description = "Name of the operator.") String name,

            @Schema(description = "Number of calls in a pass.")
            long calls,

            @Schema(description = "Time of all calls in ms.")
            double totalMs,

            @Schema(description = "Time in percent of the pass.")
            double sharePercent) {
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
