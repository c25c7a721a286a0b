package io.throughputoptimizer.core.explain;

import io.throughputoptimizer.core.cost.BoundBreakdown;
import io.throughputoptimizer.core.cost.OperatorCost;
import io.throughputoptimizer.core.forward.PricedPass;
import io.throughputoptimizer.core.forward.PricedPass.PricedOperator;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Where the time of a pass goes.
///
/// @param decode whether its requests decode
/// @param seconds of the whole pass
/// @param bound the part that takes most
/// @param parts time by what dominates each operator; static costs are the rest
/// @param heaviest the operators that take most, all calls of a name together
public record PassProfile(boolean decode, double seconds, Bound bound, BoundBreakdown parts, List<Operator> heaviest) {
    /// Operators that are named.
    public static final int SHOWN = 5;

    /// What a pass spends its time on.
    public enum Bound {
        MEMORY,
        COMMUNICATION,
        MATRIX,
        GENERAL,
        STATIC_COST
    }

    /// @param calls over all layers
    /// @param seconds of all calls
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

    /// `seconds - parts`
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
