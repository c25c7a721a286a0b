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
@Schema(name = "Explanation")
public record ExplanationResponse(
        List<AnswerResponse> answers,
        long searches,
        long points,
        @Nullable Long simulations,
        @Nullable Long simulatedSteps) {
    private static final double PERCENT = 100;
    private static final double THOUSAND = 1000;

    /// A lever that is not tried.
    @Schema(name = "NotAsked")
    public record NotAskedResponse(String lever, String reason) {

        static List<NotAskedResponse> all(List<SkippedLever> levers) {
            return levers.stream()
                    .map(one -> new NotAskedResponse(ChangeResponse.name(one.lever()), one.reason()))
                    .distinct()
                    .toList();
        }
    }

    /// Explanation of one device and phase.
    @Schema(name = "ExplainedAnswer")
    public record AnswerResponse(
            String device,

            @Schema(allowableValues = {"aggregation", "prefill", "decode", "pd_ratio"})
            String aim,

            @Nullable PlanResponse best,
            List<BindingResponse> bottlenecks,
            List<FrontierResponse> paretoFrontier,
            List<SensitivityResponse> sensitivities,
            List<RelaxationResponse> nearestFeasible,
            @Nullable List<NotAskedResponse> notAsked) {

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
    @Schema(name = "ExplainedPlan")
    public record PlanResponse(
            List<InstanceResponse> instances,
            @Nullable Double tokensPerS,
            @Nullable Double tokensPerSPerDevice,
            @Nullable Long concurrency,
            @Nullable Integer devicesUsed,
            @Nullable Double balancedRequestsPerS,
            @Nullable ObjectiveResponse objective) {

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
    @Schema(name = "ExplainedInstance")
    public record InstanceResponse(
            String label,
            @Nullable Integer count,
            @Nullable Long batchSize,
            @Nullable Long concurrency,
            @Nullable Double ttftMs,
            @Nullable Double tpotMs) {

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
    @Schema(name = "Relaxation")
    public record RelaxationResponse(List<ChangeResponse> changes, PlanResponse plan, double sizePercent) {

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
