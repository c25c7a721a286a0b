package io.throughputoptimizer.api.result;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.api.result.ExplanationResponse.PlanResponse;
import io.throughputoptimizer.core.explain.Explanation.Answer;
import io.throughputoptimizer.core.explain.Sensitivity;
import org.jspecify.annotations.Nullable;

/// The best plan under a change, as it goes over the wire.
@Schema(name = "Sensitivity")
public record SensitivityResponse(
        ChangeResponse change,
        @Nullable PlanResponse plan,
        @Nullable Double effectPercent,

        @Schema(allowableValues = {"helps", "no_effect", "hurts", "no_plan"}) @Nullable
        String outcome) {
    private static final double LEAST_PERCENT = 0.05;
    private static final String HELPS = "helps";
    private static final String NO_EFFECT = "no_effect";
    private static final String COST = "cost_per_million_tokens";

    static SensitivityResponse from(Sensitivity one, Answer answer, LeverPointers pointers) {
        return new SensitivityResponse(
                ChangeResponse.from(one.change(), pointers, answer.device()),
                one.plan() == null ? null : PlanResponse.from(one.plan(), answer.aim()),
                one.effect() == null ? null : ExplanationResponse.percent(one.effect()),
                WireFormat.name(one.outcome()));
    }

    /// Returns whether the change improves the objective.
    public boolean helps() {
        if (outcome != null) {
            return outcome.equals(HELPS);
        }
        return effectPercent != null && !isWithoutEffect() && (isOfCost() ? effectPercent < 0 : effectPercent > 0);
    }

    /// Returns whether the change neither improves nor worsens the objective.
    public boolean isWithoutEffect() {
        return outcome == null
                ? effectPercent != null && Math.abs(effectPercent) < LEAST_PERCENT
                : outcome.equals(NO_EFFECT);
    }

    private boolean isOfCost() {
        return plan != null
                && plan.objective() != null
                && COST.equals(plan.objective().name());
    }
}
