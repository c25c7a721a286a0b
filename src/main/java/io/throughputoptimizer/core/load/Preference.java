package io.throughputoptimizer.core.load;

import java.util.function.ToDoubleFunction;

/// Criterion for the best concurrency of a layout among those within the targets.
///
/// @param worth value to maximize; must depend on the figures only
public record Preference(ToDoubleFunction<SteadyFigures> worth) {
    /// Highest tokens per second.
    public static final Preference MOST_TOKENS = new Preference(SteadyFigures::outputTokensPerSecond);

    public static final Preference SHORTEST_TPOT = new Preference(figures -> -figures.tpotMillis());

    double of(LawOutcome outcome) {
        return outcome instanceof SteadyFigures figures ? worth.applyAsDouble(figures) : Double.NEGATIVE_INFINITY;
    }
}
