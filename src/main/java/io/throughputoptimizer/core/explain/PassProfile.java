package io.throughputoptimizer.core.explain;

import io.throughputoptimizer.core.cost.BoundBreakdown;
import io.throughputoptimizer.core.cost.OperatorCost;
import io.throughputoptimizer.core.forward.PricedPass;
import io.throughputoptimizer.core.forward.PricedPass.PricedOperator;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Time profile of a forward pass.
///
/// @param decode true if its requests decode
/// @param seconds duration of the pass
/// @param bound resource with the largest share of time
/// @param parts time by dominant resource of each operator; the rest is static cost
/// @param heaviest operators with the most time, all calls of a name together
public record PassProfile(boolean decode, double seconds, Bound bound, BoundBreakdown parts, List<Operator> heaviest) {
    /// Number of operators listed.
    public static final int SHOWN = 5;

    /// Resource that dominates a pass.
    public enum Bound {
        MEMORY,
        COMMUNICATION,
        MATRIX,
        GENERAL,
        STATIC_COST
    }

    /// @param calls number of calls over all layers
    /// @param seconds time of all calls
    public record Operator(String name, long calls, double seconds) {
        private Operator plus(Operator other) {
            return new Operator(name, calls + other.calls, seconds + other.seconds);
        }
    }

    public PassProfile {
        heaviest = List.copyOf(heaviest);
    }

    static PassProfile of(PricedPass pass, boolean decode) {
        BoundBreakdown parts = BoundBreakdown.ZERO;
        double seconds = 0;
        Map<String, Operator> byName = new LinkedHashMap<>();
        for (PricedOperator operator : pass.operators()) {
            OperatorCost cost = operator.cost();
            parts = parts.plus(cost.dominant().times(operator.calls()));
            seconds += cost.seconds() * operator.calls();
            byName.merge(
                    operator.name(),
                    new Operator(operator.name(), operator.calls(), cost.seconds() * operator.calls()),
                    Operator::plus);
        }
        List<Operator> heaviest = byName.values().stream()
                .sorted(Comparator.comparingDouble(Operator::seconds).reversed())
                .limit(SHOWN)
                .toList();
        return new PassProfile(decode, seconds, bound(parts, seconds), parts, heaviest);
    }

    /// Returns the static cost, `seconds - parts`.
    public double staticSeconds() {
        return seconds - parts.totalSeconds();
    }

    private static Bound bound(BoundBreakdown parts, double seconds) {
        Map<Bound, Double> shares = Map.of(
                Bound.MEMORY, parts.memorySeconds(),
                Bound.COMMUNICATION, parts.communicationSeconds(),
                Bound.MATRIX, parts.matrixSeconds(),
                Bound.GENERAL, parts.generalSeconds(),
                Bound.STATIC_COST, seconds - parts.totalSeconds());
        return shares.entrySet().stream()
                .max(Map.Entry.<Bound, Double>comparingByValue()
                        .thenComparing(Map.Entry.<Bound, Double>comparingByKey().reversed()))
                .orElseThrow()
                .getKey();
    }
}
