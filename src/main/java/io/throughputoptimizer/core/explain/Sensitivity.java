package io.throughputoptimizer.core.explain;

import io.throughputoptimizer.core.explain.Variants.Variant;
import io.throughputoptimizer.core.search.Objective;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The best plan after one change, from a new search.
///
/// @param change the only change
/// @param plan best plan after the change; null if none is feasible
/// @param effect relative change of the objective, `then / today - 1` (tokens per second by default); null
///     without a plan
public record Sensitivity(
        Change change, @Nullable Plan plan, @Nullable Double effect, Outcome outcome) {
    /// Threshold below which an effect counts as none.
    private static final double LEAST_EFFECT = 5e-4;

    /// Effect of a change.
    public enum Outcome {
        HELPS,
        /// Less than 0.05% in either direction.
        NO_EFFECT,
        HURTS,
        /// No feasible plan.
        NO_PLAN
    }

    /// Returns the order of sensitivities: largest gain first, infeasible last.
    private static Comparator<Sensitivity> bestFirst(Objective objective) {
        int sign = objective.isCost() ? 1 : -1;
        return Comparator.comparingDouble((Sensitivity one) -> one.plan == null ? 1 : 0)
                .thenComparingDouble(one -> one.effect == null ? Double.POSITIVE_INFINITY : sign * one.effect);
    }

    static List<Sensitivity> of(Question question, Plan today, ExplanationSearch inquiry) {
        List<Sensitivity> found = new ArrayList<>();
        for (Variant variant : new Variants(question, today).all()) {
            if (inquiry.affords(variant.change().lever())) {
                inquiry.whole(
                                List.of(variant.change().lever()),
                                () -> Optional.of(of(
                                        variant.change(),
                                        inquiry.best(variant.question()),
                                        today,
                                        question.objective())))
                        .ifPresent(found::add);
            }
        }
        question.deviceCounts().stream()
                .flatMap(count -> new DeviceCounts(question, inquiry, count).beside(today).stream())
                .forEach(other -> found.add(
                        of(other.variant().change(), Optional.of(other.plan()), today, question.objective())));
        return found.stream().sorted(bestFirst(question.objective())).toList();
    }

    private static Sensitivity of(Change change, Optional<Plan> plan, Plan today, Objective objective) {
        return plan.map(then -> {
                    Double effect = today.effectOf(then);
                    return new Sensitivity(change, then, effect, outcome(effect, today, then, objective));
                })
                .orElseGet(() -> new Sensitivity(change, null, null, Outcome.NO_PLAN));
    }

    private static Outcome outcome(@Nullable Double effect, Plan today, Plan then, Objective objective) {
        if (effect != null && Math.abs(effect) < LEAST_EFFECT) {
            return Outcome.NO_EFFECT;
        }
        return then.isBetterThan(today, objective) ? Outcome.HELPS : Outcome.HURTS;
    }
}
