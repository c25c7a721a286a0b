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

/// What a objective means for a prefill instance that feeds a decode instance.
///
/// Tokens per second are those of one instance of each, `balanced_qps * output tokens`. Per device, and so for the
/// cost, they are those of instances in the ratio that keeps both busy, where a request takes `devices_p / qps_p +
/// devices_d / qps_d` device seconds. A user sees the TPOT of decode. Of instances in whole numbers all is what they
/// deliver together.
///
/// @param outputTokens tokens generated per request, in the mean
public record PairObjective(Objective objective, double outputTokens) {

    /// That of a demand; absent where nobody asked for one.
    public static @Nullable PairObjective of(Demand demand) {
        Objective objective = demand.objective();
        return objective == null
                ? null
                : new PairObjective(objective, demand.workload().outputs().mean());
    }

    /// The figure; empty where it is infinite.
    public OptionalDouble value(PdRatioRow row) {
        return objective.value(delivered(row));
    }

    /// By the objective, then by another order.
    Comparator<PdRatioRow> first(Comparator<PdRatioRow> then) {
        return objective instanceof Objective.TokensPerSecond
                ? then
                : Comparator.comparingDouble((PdRatioRow row) -> objective.order(delivered(row)))
                        .thenComparing(then);
    }

    /// Of pairs in numbers of instances: by the objective, then by requests per second and device.
    Comparator<PdRatioRow> togetherFirst() {
        return Comparator.comparingDouble((PdRatioRow row) -> objective.order(delivered(row)))
                .thenComparing(PdRatioRow.BETTER_TOGETHER_FIRST);
    }

    /// The numbers of instances that are best for a pair; empty when the devices do not hold one of each. What a user
    /// sees does not depend on them, so that they go by requests per device there.
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
        double tokens = together.qps() * outputTokens;
        Map<String, Double> spent = new HashMap<>();
        spent.merge(row.prefill().device(), counts.prefill() * row.prefill().deviceCount() / tokens, Double::sum);
        spent.merge(row.decode().device(), counts.decode() * row.decode().deviceCount() / tokens, Double::sum);
        return new Delivered(
                spent, tokens, tokens / together.devices(), row.decode().latencyMillis());
    }

    private Delivered oneOfEach(PdRatioRow row) {
        double deviceSeconds = (deviceSeconds(row.prefill()) + deviceSeconds(row.decode())) / outputTokens;
        return new Delivered(
                row.prefill().candidate().deployment().device().name(),
                row.balancedQps() * outputTokens,
                1 / deviceSeconds,
                deviceSeconds,
                row.decode().latencyMillis());
    }

    /// That a request takes of one side.
    private static double deviceSeconds(Side side) {
        return side.deviceCount() / side.countedQps();
    }
}
