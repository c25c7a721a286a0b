package io.throughputoptimizer.api.result;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.api.result.figure.ObjectiveResponse;
import io.throughputoptimizer.core.explain.Explanation;
import io.throughputoptimizer.core.explain.Explanation.Relaxation;
import io.throughputoptimizer.core.explain.Explanation.SkippedLever;
import io.throughputoptimizer.core.explain.Plan;
import io.throughputoptimizer.core.explain.QuestionKind;
import java.util.List;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/// Sensitivities, bottlenecks and frontier of a search.
@Schema(
        name = "Explanation",
        description = "Sensitivities, bottlenecks and Pareto frontiers, found by repeated searches.")
public record ExplanationResponse(
        @Schema(description = "Explanations, one per device and phase, or per device with a P:D ratio.")
        List<AnswerResponse> answers,

        @Schema(description = "Number of searches for the explanation.")
        long searches,

        @Schema(description = "Batch sizes that these searches evaluated.")
        long points,

        @Schema(description = "Simulations for the explanation. Absent without targets on a percentile.") @Nullable
        Long simulations,

        @Schema(
                description = "Simulated steps for the explanation; consecutive equal steps count once. Only with"
                        + " chunked prefill, in mode `aggregation` with one input length.")
        @Nullable
        Long simulatedSteps) {
    private static final double PERCENT = 100;
    private static final double THOUSAND = 1000;

    /// A lever that is not tried.
    @Schema(name = "NotAsked", description = "A setting that was not changed, or not in every way.")
    public record NotAskedResponse(
            @Schema(description = "Name of the setting.", example = "draft_tokens")
            String lever,

            @Schema(description = "Reason why the setting does not apply, or the changes that were omitted.")
            String reason) {

        static List<NotAskedResponse> all(List<SkippedLever> levers) {
            return levers.stream()
                    .map(one -> new NotAskedResponse(ChangeResponse.name(one.lever()), one.reason()))
                    .distinct()
                    .toList();
        }
    }

    /// Explanation of one device and phase.
    @Schema(name = "ExplainedAnswer", description = "Explanation of one device and phase.")
    public record AnswerResponse(
            @Schema(description = "Name of the device, or of both devices of pairs, as in `devices`.")
            String device,

            @Schema(
                    description = "Phase of the search, or `pd_ratio`.",
                    allowableValues = {"aggregation", "prefill", "decode", "pd_ratio"})
            String aim,

            @Schema(description = "The best plan. Absent if none is feasible.") @Nullable
            PlanResponse best,

            @Schema(
                    description = "Limiting constraints of each candidate: feasible ones first, best first, then the"
                            + " rejected ones.")
            List<BindingResponse> bottlenecks,

            @Schema(description = "Pareto frontier of each phase.")
            List<FrontierResponse> paretoFrontier,

            @Schema(
                    description = "Best plan under each single change, largest gain first; infeasible changes last."
                            + " Empty if no plan is feasible without a change. `outcome` classifies the changes.")
            List<SensitivityResponse> sensitivities,

            @Schema(
                    description = "Smallest changes that give a feasible plan, if none is feasible. Free changes come"
                            + " first: number formats, KV caches, layouts. Then relaxed targets, smallest first;"
                            + " last added hardware. Changes are combined only if no single one suffices.")
            List<RelaxationResponse> nearestFeasible,

            @Schema(
                    description = "Settings that do not apply, with `cost_model: calibrated`. With `cost_model:"
                            + " analytic` and chunked prefill: settings with changes that take too long to search."
                            + " Absent if there are none.")
            @Nullable
            List<NotAskedResponse> notAsked) {

        private static AnswerResponse from(Explanation.Answer answer, LeverPointers pointers) {
            return new AnswerResponse(
                    answer.device(),
                    WireFormat.name(answer.aim()),
                    answer.plan() == null ? null : PlanResponse.from(answer.plan(), answer.aim()),
                    answer.bindings().stream().map(BindingResponse::from).toList(),
                    answer.frontiers().stream().map(FrontierResponse::from).toList(),
                    answer.sensitivities().stream()
                            .map(one -> SensitivityResponse.from(one, answer, pointers))
                            .toList(),
                    answer.relaxations().stream()
                            .map(one -> RelaxationResponse.from(one, answer, pointers))
                            .toList(),
                    answer.notAsked().isEmpty() ? null : NotAskedResponse.all(answer.notAsked()));
        }
    }

    /// A plan in short.
    @Schema(name = "ExplainedPlan", description = "A plan in short.")
    public record PlanResponse(
            @Schema(description = "The instance. With a P:D ratio, the prefill and the decode instance.")
            List<InstanceResponse> instances,

            @Schema(
                    description = "Tokens per second; absent with a P/D ratio of cost model `analytic` of one size of"
                            + " each instance.")
            @Nullable
            Double tokensPerS,

            @Schema(
                    description = "Tokens per second divided by the devices in use. Ranks pairs of instances unless"
                            + " `objective` is set. Only for P:D ratios with numbers of instances.")
            @Nullable
            Double tokensPerSPerDevice,

            @Schema(description = "Concurrency over all instances. Only for P:D ratios with `cost_model: calibrated`.")
            @Nullable
            Long concurrency,

            @Schema(description = "Devices that work; P/D ratio in numbers of instances only.") @Nullable
            Integer devicesUsed,

            @Schema(
                    description = "Requests per second of one prefill with one decode instance; P/D ratio with cost"
                            + " model `analytic` of one size of each instance only.")
            @Nullable
            Double balancedRequestsPerS,

            @Schema(description = "Value of the plan's ranking objective. Requires `objective`.") @Nullable
            ObjectiveResponse objective) {

        static PlanResponse from(Plan plan, QuestionKind aim) {
            Plan.Together together = plan.together();
            boolean balanced = aim == QuestionKind.PD_RATIO && together == null;
            return new PlanResponse(
                    plan.instances().stream().map(InstanceResponse::from).toList(),
                    balanced ? null : plan.rate(),
                    together == null ? null : together.tokensPerSecondPerDevice(),
                    together == null ? null : together.concurrency(),
                    together == null ? null : together.devices(),
                    balanced ? plan.rate() : null,
                    objective(plan.objective()));
        }

        private static @Nullable ObjectiveResponse objective(Plan.@Nullable Achieved achieved) {
            if (achieved == null) {
                return null;
            }
            Double value = achieved.value();
            return ObjectiveResponse.of(
                    achieved.objective(), value == null ? OptionalDouble.empty() : OptionalDouble.of(value));
        }

        /// Returns the objective value.
        public double rate() {
            if (tokensPerS != null) {
                return tokensPerS;
            }
            return balancedRequestsPerS == null ? 0 : balancedRequestsPerS;
        }
    }

    /// An instance of a plan.
    @Schema(name = "ExplainedInstance", description = "An instance of a plan.")
    public record InstanceResponse(
            @Schema(description = "Label of the instance: parallel layout and options.", example = "TP=8 | PP=1 | DP=1")
            String label,

            @Schema(description = "Number of instances. Only for P:D ratios with numbers of instances.") @Nullable
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

    /// Changes that give a plan where there is none.
    @Schema(name = "Relaxation", description = "The least changes of their kind that give a plan where there is none.")
    public record RelaxationResponse(
            @Schema(description = "Changes that suffice together.")
            List<ChangeResponse> changes,

            @Schema(description = "The best plan after the changes.")
            PlanResponse plan,

            @Schema(description = "Total size of the changes, each in percent of its setting.", example = "14.2")
            double sizePercent) {

        private static RelaxationResponse from(Relaxation one, Explanation.Answer answer, LeverPointers pointers) {
            return new RelaxationResponse(
                    one.changes().stream()
                            .map(change -> ChangeResponse.from(change, pointers, answer.device()))
                            .toList(),
                    PlanResponse.from(one.plan(), answer.aim()),
                    percent(one.size()));
        }
    }

    /// In percent with three decimals, as the figures it is made of have them.
    static double percent(double share) {
        return Math.rint(share * PERCENT * THOUSAND) / THOUSAND;
    }

    static ExplanationResponse from(Explanation explanation, LeverPointers pointers) {
        return new ExplanationResponse(
                explanation.answers().stream()
                        .map(answer -> AnswerResponse.from(answer, pointers))
                        .toList(),
                explanation.searches(),
                explanation.points(),
                explanation.simulations() == 0 ? null : explanation.simulations(),
                explanation.simulatedSteps() == 0 ? null : explanation.simulatedSteps());
    }
}
