package io.throughputoptimizer.core.steady;

import io.throughputoptimizer.core.steady.LawOutcome.Figures;
import java.util.function.ToDoubleFunction;

/// Which concurrency of a layout is the best of those that keep the limits.
///
/// @param leastConcurrency requests that clients must be able to have outstanding, over all ranks
/// @param worth the higher the better; must not depend on anything but the figures
public record Preference(int leastConcurrency, ToDoubleFunction<Figures> worth) {
    /// Most tokens per second.
    public static final Preference MOST_TOKENS = new Preference(1, Figures::outputTokensPerSecond);

    /// Shortest TPOT.
    public static Preference shortestTpot(int leastConcurrency) {
        return new Preference(leastConcurrency, figures -> -figures.tpotMillis());
    }

    /// The same for one of so many ranks.
    Preference ofRank(int ranks) {
        return new Preference(Math.ceilDiv(leastConcurrency, ranks), worth);
    }

    double of(LawOutcome outcome) {
        return outcome instanceof Figures figures ? worth.applyAsDouble(figures) : Double.NEGATIVE_INFINITY;
    }
}
