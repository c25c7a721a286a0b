package io.throughputoptimizer.core.explain;

import static java.util.Objects.requireNonNull;

import io.throughputoptimizer.core.explain.ExplanationSearch.Answered;
import io.throughputoptimizer.core.explain.Lever.Adjustable;
import io.throughputoptimizer.core.explain.Lever.DeviceFigure;
import io.throughputoptimizer.core.explain.Variants.Variant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Finds the smallest limits that make a search feasible.
///
/// A limit is lifted first; if that helps, the smallest sufficient value is [bisected][ThresholdBisection].
///
/// @param question search that is infeasible within its limits
record LeastLimits(Question question, ExplanationSearch inquiry) {
    private static final int MOST_DOUBLINGS = 32;
    /// Bound below which doubled values and their sums remain finite.
    private static final double MOST_DOUBLED = Double.MAX_VALUE / 4;

    private static final double LIFTED_FIGURE = 256;

    /// Lifts all these limits, then lowers one after another as far as the others allow.
    Optional<Relaxation> together(List<Adjustable> levers) {
        return levers.stream().allMatch(inquiry::affords)
                ? inquiry.whole(levers, () -> leastTogether(levers))
                : Optional.empty();
    }

    private Optional<Relaxation> leastTogether(List<Adjustable> levers) {
        Optional<Question> lifted = Optional.of(question);
        for (Adjustable lever : levers) {
            lifted = lifted.flatMap(one -> lift(one, lever));
        }
        Optional<Plan> plan = lifted.flatMap(inquiry::best);
        List<Change> changes = new ArrayList<>();
        for (Adjustable lever : levers) {
            Optional<Answered> least =
                    plan.isEmpty() ? Optional.empty() : lifted.flatMap(others -> least(others, lever));
            least.ifPresent(one -> changes.add(one.variant().change()));
            lifted = least.map(one -> one.variant().question());
            plan = least.map(Answered::plan);
        }
        return plan.map(then -> new Relaxation(changes, then));
    }

    /// Returns the smallest feasible amount given the other limits.
    private Optional<Answered> least(Question others, Adjustable lever) {
        double today = requireNonNull(question.amount(lever));
        return ThresholdBisection.nearest(
                today, 2, MOST_DOUBLINGS, MOST_DOUBLED, value -> answered(others, lever, today, value));
    }

    private Optional<Answered> answered(Question others, Adjustable lever, double today, double value) {
        return Variant.of(others, lever, today, value).flatMap(inquiry::answered);
    }

    /// Returns the search with a limit too high to bind, or empty if there is no finite limit.
    private static Optional<Question> lift(Question question, Adjustable lever) {
        Double today = question.amount(lever);
        return today == null || today.isInfinite()
                ? Optional.empty()
                : question.with(lever, lifted(lever, today)).map(lifted -> lifted);
    }

    private static double lifted(Adjustable lever, double today) {
        return switch (lever) {
            case Lever.Limit _ -> Double.POSITIVE_INFINITY;
            case DeviceFigure _, Lever.FigureOf _ -> today * LIFTED_FIGURE;
            case Lever.Transfer _ -> TransferRate.MOST;
        };
    }
}
