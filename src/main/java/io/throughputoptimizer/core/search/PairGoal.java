package io.throughputoptimizer.core.search;

import io.throughputoptimizer.core.search.Goal.Delivered;
import io.throughputoptimizer.core.search.OptimizationProblem.Demand;
import io.throughputoptimizer.core.search.PdRatioRow.Side;
import java.util.Comparator;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/// What a goal means for a prefill instance that feeds a decode instance.
///
/// Tokens per second are those of one instance of each, `balanced_qps * output tokens`. Per device, and so for the
/// cost, they are those of instances in the ratio that keeps both busy, where a request takes
/// `devices_p / qps_p + devices_d / qps_d` device seconds. A user sees the TPOT of decode.
///
/// @param outputTokens tokens generated per request
public record PairGoal(Goal goal, int outputTokens) {

    /// That of a demand; absent where nobody asked for one.
    public static @Nullable PairGoal of(Demand demand) {
        Goal goal = demand.goal();
        return goal == null ? null : new PairGoal(goal, demand.workload().outputTokens());
    }

    /// The figure; empty where it is infinite.
    public OptionalDouble value(PdRatioRow row) {
        return goal.value(delivered(row));
    }

    /// By the goal, then by another order.
    Comparator<PdRatioRow> first(Comparator<PdRatioRow> then) {
        return goal instanceof Goal.TokensPerSecond
                ? then
                : Comparator.comparingDouble((PdRatioRow row) -> goal.order(delivered(row)))
                        .thenComparing(then);
    }

    private Delivered delivered(PdRatioRow row) {
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
        return side.deviceCount() / side.qps();
    }
}
