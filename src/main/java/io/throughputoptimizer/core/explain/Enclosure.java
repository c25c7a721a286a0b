package io.throughputoptimizer.core.explain;

import io.throughputoptimizer.core.explain.Inquiry.Answered;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Optional;
import java.util.function.DoubleFunction;
import java.util.function.IntFunction;

/// The amount nearest to today's with which a question has an answer, enclosed between one that fails and one that
/// suffices, each tried by a search.
final class Enclosure {
    /// Of the least of the two ends, what may be left between them: 0.1 % less fails, as far as feasibility grows with
    /// the amount.
    private static final double PRECISION = 4e-4;

    private static final MathContext DIGITS = new MathContext(6, RoundingMode.UP);

    private Enclosure() {}

    /// Steps by a factor until an amount suffices, then halves what lies between.
    ///
    /// @param today fails
    /// @param most steps
    /// @param farthest amount from which no step is made
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

    /// The most of a whole amount that suffices.
    ///
    /// @param fails an amount that does not
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
