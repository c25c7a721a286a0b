package io.throughputoptimizer.core.steady;

import java.util.function.ToDoubleFunction;

/// Which concurrency of a layout is the best of those that keep the limits.
///
/// @param worth the higher the better; must not depend on anything but the figures
public record Preference(ToDoubleFunction<SteadyFigures> worth) {
    /// Most tokens per second.
    public static final Preference MOST_TOKENS = new Preference(SteadyFigures::outputTokensPerSecond);

    public static final Preference SHORTEST_TPOT = new Preference(figures -> -figures.tpotMillis());

    double of(LawOutcome outcome) {
        return outcome instanceof SteadyFigures figures ? worth.applyAsDouble(figures) : Double.NEGATIVE_INFINITY;
    }
}
