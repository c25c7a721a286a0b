package io.throughputoptimizer.core.search;

import io.throughputoptimizer.core.search.Objective.Delivered;
import io.throughputoptimizer.core.search.OptimizationProblem.Demand;
import io.throughputoptimizer.core.search.PairCounts.Weights;
import io.throughputoptimizer.core.search.PdRatioRow.Side;
import io.throughputoptimizer.core.search.PdRatioRow.Together;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/// Objective of a prefill instance that feeds a decode instance.
///
/// Tokens per second are those of one instance of each, `balanced_requests_per_s * output tokens`. Per device, and for
/// the
/// cost, they are those of instances in the ratio that keeps both busy: a request takes `devices_p / qps_p +
/// devices_d / qps_d` device seconds. The user rate follows the TPOT of decode. For counted instances all
/// figures are those of the whole deployment.
///
/// @param outputTokens mean tokens generated per request
public record PairObjective(Objective objective, double outputTokens) {

    /// Returns the objective of a demand; absent if the demand has none.
    public static @Nullable PairObjective of(Demand demand) {
        Objective objective = demand.objective();
        return objective == null
                ? null
                : new PairObjective(objective, demand.workload().outputs().mean());
    }

    /// Returns the objective's value; empty if it is infinite.
    public OptionalDouble value(PdRatioRow row) {
        return objective.value(delivered(row));
    }

    /// Returns the order by the objective, then by another order.
    Comparator<PdRatioRow> first(Comparator<PdRatioRow> then) {
        return objective instanceof Objective.TokensPerSecond
                ? then
                : Comparator.comparingDouble((PdRatioRow row) -> objective.order(delivered(row)))
                        .thenComparing(then);
    }

    /// Returns the order of counted pairs: by the objective, then by requests per second and device.
    Comparator<PdRatioRow> togetherFirst() {
        return Comparator.comparingDouble((PdRatioRow row) -> objective.order(delivered(row)))
                .thenComparing(PdRatioRow.BETTER_TOGETHER_FIRST);
    }

    /// Returns the best instance counts of a pair; empty if the devices do not hold one of each. The user rate
    /// does not depend on counts, so it uses requests per device.
    Optional<InstanceCounts> counts(PairCounts pair) {
        return switch (objective) {
            case Objective.TokensPerSecond() -> pair.most();
            case Objective.TokensPerSecondPerDevice(), Objective.TokensPerSecondPerUser(var _) ->
                pair.most(
                        new Weights(pair.prefill().deviceCount(), pair.decode().deviceCount()));
            case Objective.CostPerMillionTokens cost ->
                pair.most(new Weights(price(cost, pair.prefill()), price(cost, pair.decode())));
        };
    }

    private static double price(Objective.CostPerMillionTokens cost, Side side) {
        return cost.price(side.device()) * side.deviceCount();
    }

    private Delivered delivered(PdRatioRow row) {
        return row.together() == null || row.instances() == null
                ? oneOfEach(row)
                : together(row, row.together(), row.instances());
    }

    private Delivered together(PdRatioRow row, Together together, InstanceCounts counts) {
        double tokens = together.requestsPerS() * outputTokens;
        Map<String, Double> spent = new HashMap<>();
        spent.merge(row.prefill().device(), counts.prefill() * row.prefill().deviceCount() / tokens, Double::sum);
        spent.merge(row.decode().device(), counts.decode() * row.decode().deviceCount() / tokens, Double::sum);
        return new Delivered(
                spent, tokens, tokens / together.devices(), row.decode().latencyMillis());
    }

    private Delivered oneOfEach(PdRatioRow row) {
        double deviceSeconds = (deviceSeconds(row.prefill()) + deviceSeconds(row.decode())) / outputTokens;
        return new Delivered(
                Map.of(row.prefill().device(), deviceSeconds),
                row.balancedRequestsPerS() * outputTokens,
                1 / deviceSeconds,
                row.decode().latencyMillis());
    }

    /// Returns the device seconds that a request takes of one side.
    private static double deviceSeconds(Side side) {
        return side.deviceCount() / side.countedRequestsPerS();
    }
}
