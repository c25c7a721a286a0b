package io.throughputoptimizer.api.result;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.core.explain.Aim;
import io.throughputoptimizer.core.explain.Change;
import io.throughputoptimizer.core.explain.Change.Setting;
import io.throughputoptimizer.core.explain.Explanation;
import io.throughputoptimizer.core.explain.Lever;
import io.throughputoptimizer.core.explain.Lever.Choice;
import io.throughputoptimizer.core.explain.Lever.DeviceFigure;
import io.throughputoptimizer.core.explain.Plan;
import io.throughputoptimizer.core.explain.Relaxation;
import io.throughputoptimizer.core.explain.Sensitivity;
import java.util.List;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/// What would help, as it goes over the wire.
@Schema(name = "Explanation", description = "What would help, found by searching again and again.")
public record ExplanationResponse(
        @Schema(description = "One entry per device and phase, or per device with a P/D ratio.")
        List<AnswerResponse> answers,

        @Schema(description = "Searches that were made for it.")
        long searches,

        @Schema(description = "Batch sizes these evaluated.")
        long points,

        @Schema(description = "Simulations that were run for it; where limits are on a percentile.") @Nullable
        Long simulations) {
    private static final double PERCENT = 100;
    private static final double THOUSAND = 1000;

    /// Which member of a request a lever is.
    @FunctionalInterface
    interface Pointers {
        @Nullable
        String of(Lever lever);
    }

    /// A lever that is not tried.
    @Schema(name = "NotAsked", description = "A lever that is not tried, or not with every change.")
    public record NotAskedResponse(
            @Schema(description = "The lever.", example = "draft_tokens")
            String lever,

            @Schema(description = "Why it means nothing here, or what was left out.")
            String reason) {}

    /// What is to say of one device and phase.
    @Schema(name = "ExplainedAnswer", description = "What is to say of one device and phase.")
    public record AnswerResponse(
            @Schema(description = "Name of the device, or of both devices of pairs, as in `devices`.")
            String device,

            @Schema(
                    description = "What was searched for.",
                    allowableValues = {"aggregation", "prefill", "decode", "pd_ratio"})
            String aim,

            @Schema(description = "The best plan; absent when none keeps the limits.") @Nullable
            PlanResponse best,

            @Schema(description = "What binds each candidate: those with a row, best first, then the rejected ones.")
            List<BindingResponse> binding,

            @Schema(description = "What can be had at all in each of its phases.")
            List<FrontierResponse> frontier,

            @Schema(
                    description = "The best plan under each single change, the largest gain first, and last the changes"
                            + " that leave none; empty when nothing keeps the limits as they are.")
            List<SensitivityResponse> whatWouldHelp,

            @Schema(
                    description = "Where nothing keeps the limits: the least changes that give a plan, the smallest"
                            + " first; several together only where no limit alone suffices.")
            List<RelaxationResponse> nearestFeasible,

            @Schema(description = "Levers that mean nothing here, and why; cost model `calibrated` only.") @Nullable
            List<NotAskedResponse> notAsked) {

        private static AnswerResponse from(Explanation.Answer answer) {
            return new AnswerResponse(
                    answer.device(),
                    WireFormat.name(answer.aim()),
                    answer.plan() == null ? null : PlanResponse.from(answer.plan(), answer.aim()),
                    answer.bindings().stream().map(BindingResponse::from).toList(),
                    answer.pairs() == null
                            ? answer.frontiers().stream()
                                    .map(FrontierResponse::from)
                                    .toList()
                            : List.of(FrontierResponse.from(answer.pairs())),
                    answer.sensitivities().stream()
                            .map(one -> SensitivityResponse.from(one, answer.aim(), ChangeResponse::pointer))
                            .toList(),
                    answer.relaxations().stream()
                            .map(one -> RelaxationResponse.from(one, answer.aim(), ChangeResponse::pointer))
                            .toList(),
                    null);
        }
    }

    /// A plan in short.
    @Schema(name = "ExplainedPlan", description = "A plan in short.")
    public record PlanResponse(
            @Schema(description = "One; with a P/D ratio the prefill and the decode instance.")
            List<InstanceResponse> instances,

            @Schema(
                    description = "Tokens per second; absent with a P/D ratio of cost model `analytic` of one size of"
                            + " each instance.")
            @Nullable
            Double tokensPerS,

            @JsonProperty("tokens_per_s_per_device")
            @Schema(
                    description = "The same divided by the devices that work, by which pairs of instances go unless an"
                            + " objective says otherwise; P/D ratio in numbers of instances only.")
            @Nullable
            Double tokensPerSPerDevice,

            @Schema(
                    description = "Requests that clients have outstanding, over all instances; P/D ratio with cost"
                            + " model `calibrated` only.")
            @Nullable
            Long concurrency,

            @Schema(description = "Devices that work; P/D ratio in numbers of instances only.") @Nullable
            Integer devicesUsed,

            @Schema(
                    description = "Requests per second of one prefill with one decode instance; P/D ratio with cost"
                            + " model `analytic` of one size of each instance only.")
            @Nullable
            Double balancedQps,

            @Schema(description = "What the plan is ranked by; with `objective`.") @Nullable
            GoalResponse objective) {

        static PlanResponse from(Plan plan, Aim aim) {
            Plan.Together together = plan.together();
            boolean balanced = aim == Aim.PD_RATIO && together == null;
            return new PlanResponse(
                    plan.instances().stream().map(InstanceResponse::from).toList(),
                    balanced ? null : plan.rate(),
                    together == null ? null : together.tokensPerSecondPerDevice(),
                    together == null ? null : together.concurrency(),
                    together == null ? null : together.devices(),
                    balanced ? plan.rate() : null,
                    objective(plan.goal()));
        }

        private static @Nullable GoalResponse objective(Plan.@Nullable Achieved achieved) {
            if (achieved == null) {
                return null;
            }
            Double value = achieved.value();
            return GoalResponse.of(achieved.goal(), value == null ? OptionalDouble.empty() : OptionalDouble.of(value));
        }

        /// What it delivers.
        public double rate() {
            if (tokensPerS != null) {
                return tokensPerS;
            }
            return balancedQps == null ? 0 : balancedQps;
        }
    }

    /// An instance of a plan.
    @Schema(name = "ExplainedInstance", description = "An instance of a plan.")
    public record InstanceResponse(
            @Schema(
                    description = "How its devices are split, and what else was chosen among several.",
                    example = "TP=8 | PP=1 | DP=1")
            String label,

            @Schema(description = "How many there are; P/D ratio in numbers of instances only.") @Nullable
            Integer count,

            @Schema(
                    description = "Requests per data parallel rank; absent with a P/D ratio of cost model `calibrated`,"
                            + " whose plan has the concurrency of all instances.")
            @Nullable
            Long batchSize,

            @Schema(description = "Requests of the instance; absent as `batch_size` is.") @Nullable
            Long concurrency,

            @Schema(description = "Time to first token in ms, with `kv_transfer` that with it; absent in decode.")
            @Nullable
            Double ttftMs,

            @Schema(description = "Time per output token in ms; absent in prefill.") @Nullable
            Double tpotMs) {

        private static InstanceResponse from(Plan.Instance instance) {
            return new InstanceResponse(
                    instance.label(),
                    instance.count(),
                    instance.batchSize(),
                    instance.concurrency(),
                    instance.ttftMillis(),
                    instance.tpotMillis());
        }
    }

    /// The best plan under a change.
    @Schema(name = "Sensitivity", description = "The best plan when one thing is changed, searched again.")
    public record SensitivityResponse(
            @Schema(description = "The change.") ChangeResponse change,

            @Schema(description = "The best plan then; absent when nothing keeps the limits.") @Nullable
            PlanResponse plan,

            @Schema(
                    description =
                            "How much more it delivers, in percent; with `objective` how its figure changes, where a cost that"
                                    + " falls is a gain.",
                    example = "12.5")
            @Nullable
            Double effectPercent) {

        static SensitivityResponse from(Sensitivity one, Aim aim, Pointers pointers) {
            return new SensitivityResponse(
                    ChangeResponse.from(one.change(), pointers),
                    one.plan() == null ? null : PlanResponse.from(one.plan(), aim),
                    one.effect() == null ? null : percent(one.effect()));
        }
    }

    /// Changes that give a plan where there is none.
    @Schema(name = "Relaxation", description = "The least changes of their kind that give a plan where there is none.")
    public record RelaxationResponse(
            @Schema(description = "One, or several that suffice together only.")
            List<ChangeResponse> changes,

            @Schema(description = "The best plan then.") PlanResponse plan,

            @Schema(
                    description = "How far the changes move, each in percent of its setting, together.",
                    example = "14.2")
            double sizePercent) {

        static RelaxationResponse from(Relaxation one, Aim aim, Pointers pointers) {
            return new RelaxationResponse(
                    one.changes().stream()
                            .map(change -> ChangeResponse.from(change, pointers))
                            .toList(),
                    PlanResponse.from(one.plan(), aim),
                    percent(one.size()));
        }
    }

    /// One thing that is set to something else.
    @Schema(name = "Change", description = "One thing that is set to something else.")
    public record ChangeResponse(
            @Schema(
                    description =
                            "What is changed. `memory_size` is that of each device; bandwidths, rates, latencies and"
                                    + " static costs are all of their kind together, in percent of the device's."
                                    + " `prefill_devices` and `decode_devices` are those of one instance;"
                                    + " `least_concurrency` is the objective's `min_concurrency`, `kv_transfer_rate` the"
                                    + " `gb_per_s` of `kv_transfer`.",
                    allowableValues = {
                        "ttft_limit",
                        "tpot_limit",
                        "device_count",
                        "prefill_devices",
                        "decode_devices",
                        "input_length",
                        "memory_size",
                        "memory_bandwidth",
                        "matrix_rate",
                        "link_bandwidth",
                        "link_latency",
                        "static_costs",
                        "cache_quantization",
                        "linear_quantization",
                        "non_expert_quantization",
                        "draft_tokens",
                        "token_budget",
                        "prefix_cache_hit_rate",
                        "request_rate",
                        "least_concurrency",
                        "kv_transfer_rate"
                    })
            String lever,

            @Schema(
                    description = "Name of the device whose figure it is, where pairs are of two.",
                    example = "H100_SXM")
            @Nullable
            String device,

            @Schema(
                    description = "Its setting in the request.",
                    types = {"number", "string"},
                    example = "50")
            Object from,

            @Schema(
                    description = "What it is set to.",
                    types = {"number", "string"},
                    example = "55")
            Object to,

            @Schema(description = "Unit of both; absent for names and shares.", example = "ms") @Nullable
            String unit,

            @Schema(
                    description =
                            "The member of the request to set, as a JSON pointer; absent for what a device profile says.",
                    example = "/slo/tpot_ms")
            @Nullable
            String pointer) {

        private static ChangeResponse from(Change change, Pointers pointers) {
            Lever lever = change.lever();
            return new ChangeResponse(
                    name(lever),
                    lever instanceof Lever.FigureOf(var _, String device) ? device : null,
                    value(change.from()),
                    value(change.to()),
                    lever.unit().isEmpty() ? null : lever.unit(),
                    pointers.of(lever));
        }

        static String name(Lever lever) {
            return WireFormat.name(lever instanceof Lever.FigureOf(DeviceFigure figure, var _) ? figure : lever);
        }

        private static Object value(Setting setting) {
            return switch (setting) {
                case Change.Amount(double amount) -> amount;
                case Change.Kind(String name) -> name;
            };
        }

        private static @Nullable String pointer(Lever lever) {
            return switch (lever) {
                case Lever.Limit limit -> limit(limit);
                case DeviceFigure _, Lever.FigureOf _ -> null;
                case Lever.Transfer transfer -> transfer(transfer);
                case Choice choice -> choice(choice);
            };
        }

        private static @Nullable String choice(Choice choice) {
            return switch (choice) {
                case CACHE_QUANTIZATION -> "/quantization/attention";
                case LINEAR_QUANTIZATION -> "/quantization/linear";
                case NON_EXPERT_QUANTIZATION -> "/quantization/non_expert_linear";
                case DRAFT_TOKENS -> "/serving/num_mtp_tokens";
                case TOKEN_BUDGET -> "/search/max_batched_tokens";
                case DEVICE_COUNT,
                        PREFILL_DEVICES,
                        DECODE_DEVICES,
                        INPUT_LENGTH,
                        PREFIX_CACHE_HIT_RATE,
                        REQUEST_RATE,
                        LEAST_CONCURRENCY -> common(choice);
            };
        }

        static String limit(Lever.Limit limit) {
            return switch (limit) {
                case TTFT_LIMIT -> "/slo/ttft_ms";
                case TPOT_LIMIT -> "/slo/tpot_ms";
            };
        }

        static String transfer(Lever.Transfer transfer) {
            return switch (transfer) {
                case KV_TRANSFER_RATE -> "/pd_ratio/kv_transfer/gb_per_s";
            };
        }

        /// The lever, and of which device where there are two.
        public String named() {
            return device == null ? lever : lever + " of " + device;
        }

        /// Of what both cost models have in the same place; absent for the rest.
        static @Nullable String common(Choice choice) {
            return switch (choice) {
                case DEVICE_COUNT -> "/num_devices";
                case PREFILL_DEVICES -> "/pd_ratio/prefill_devices_per_instance";
                case DECODE_DEVICES -> "/pd_ratio/decode_devices_per_instance";
                case INPUT_LENGTH -> "/workload/input_length";
                case PREFIX_CACHE_HIT_RATE -> "/workload/prefix_cache_hit_rate";
                case REQUEST_RATE -> "/traffic/request_rate";
                case LEAST_CONCURRENCY -> "/objective/min_concurrency";
                case CACHE_QUANTIZATION, LINEAR_QUANTIZATION, NON_EXPERT_QUANTIZATION, DRAFT_TOKENS, TOKEN_BUDGET ->
                    null;
            };
        }
    }

    /// In percent with three decimals, as the figures it is made of have them.
    private static double percent(double share) {
        return Math.rint(share * PERCENT * THOUSAND) / THOUSAND;
    }

    static ExplanationResponse from(Explanation explanation) {
        return new ExplanationResponse(
                explanation.answers().stream().map(AnswerResponse::from).toList(),
                explanation.searches(),
                explanation.points(),
                null);
    }
}
