package io.throughputoptimizer.core.explain;

import io.throughputoptimizer.core.explain.ExplanationSearch.Answered;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Optional;
import java.util.function.DoubleFunction;
import java.util.function.IntFunction;

/// Bisection for the amount nearest to today's that makes a search feasible. Each trial is a search.
final class ThresholdBisection {
    /// Relative width at which bisection stops, as a fraction of the smaller end. If feasibility is monotone in
    /// the amount, a value 0.1% tighter is infeasible.
    private static final double PRECISION = 4e-4;

    private static final MathContext DIGITS = new MathContext(6, RoundingMode.UP);

    private ThresholdBisection() {}

    /// Multiplies the amount by a factor until it is feasible, then bisects.
    ///
    /// @param today an infeasible amount
    /// @param most maximum number of steps
    /// @param farthest bound at which stepping stops
    static Optional<Answered> nearest(
            double today, double factor, int most, double farthest, DoubleFunction<Optional<Answered>> asked) {
        double fails = today;
        double value = today;
        Optional<Answered> suffices = Optional.empty();
        for (int step = 0; suffices.isEmpty() && step < most && value < farthest; step++) {
            value = written(value * factor);
            suffices = asked.apply(value);
            fails = suffices.isEmpty() ? value : fails;
        }
        while (suffices.isPresent() && Math.abs(value - fails) > PRECISION * Math.min(value, fails)) {
            double middle = written((fails + value) / 2);
            Optional<Answered> tried = asked.apply(middle);
            if (tried.isPresent()) {
                suffices = tried;
                value = middle;
            } else {
                fails = middle;
            }
        }
        return suffices;
    }

    /// Returns the search with the largest feasible integer amount below `fails`, or empty if 1 is infeasible.
    ///
    /// @param fails an infeasible amount
    static Optional<Answered> mostBelow(int fails, IntFunction<Optional<Answered>> asked) {
        Optional<Answered> suffices = asked.apply(1);
        int least = 1;
        int most = fails;
        while (suffices.isPresent() && most - least > 1) {
            int middle = least + (most - least) / 2;
            Optional<Answered> tried = asked.apply(middle);
            if (tried.isPresent()) {
                suffices = tried;
                least = middle;
            } else {
                most = middle;
            }
        }
        return suffices;
    }

    private static double written(double value) {
        return new BigDecimal(value).round(DIGITS).doubleValue();
    }
}
