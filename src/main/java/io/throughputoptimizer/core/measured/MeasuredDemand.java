package io.throughputoptimizer.core.measured;

import io.throughputoptimizer.core.search.Objective;
import io.throughputoptimizer.core.silicon.Engine;
import io.throughputoptimizer.core.steady.Preference;
import io.throughputoptimizer.core.steady.RankBatches;
import io.throughputoptimizer.core.steady.Traffic;
import io.throughputoptimizer.core.workload.Limits;
import org.jspecify.annotations.Nullable;

/// What is asked of a deployment.
///
/// @param batches requests of a rank; absent for all that it can run
/// @param simulatesRows whether each row is simulated, for its percentiles
/// @param objective what plans are ranked by; absent for the usual, which rows do not name: tokens per
///     second, and of instances apart, which may leave devices idle, those per device that works
public record MeasuredDemand(
        Traffic traffic,
        Limits limits,
        @Nullable RankBatches batches,
        boolean simulatesRows,
        @Nullable Objective objective) {
    public MeasuredDemand(Traffic traffic, Limits limits, @Nullable RankBatches batches, boolean simulatesRows) {
        this(traffic, limits, batches, simulatesRows, null);
    }

    public MeasuredDemand with(Traffic other) {
        return new MeasuredDemand(other, limits, batches, simulatesRows, objective);
    }

    public MeasuredDemand with(Limits other) {
        return new MeasuredDemand(traffic, other, batches, simulatesRows, objective);
    }

    public MeasuredDemand with(Objective other) {
        return new MeasuredDemand(traffic, limits, batches, simulatesRows, other);
    }

    /// The same without percentiles of rows; limits on one are kept.
    public MeasuredDemand withoutSimulatedRows() {
        return new MeasuredDemand(traffic, limits, batches, false, objective);
    }

    /// Requests that a deployment must serve at once.
    int leastConcurrency() {
        return objective == null ? 1 : objective.leastConcurrency();
    }

    /// Returns whether a number of requests per rank is the most that the engine runs.
    public boolean endsAt(double ofRank, Engine engine) {
        return batches == null && ofRank >= engine.maxSequences();
    }

    /// Which concurrency of a layout is best.
    Preference preference() {
        return objective != null && objective.prefersFewRequests() ? Preference.SHORTEST_TPOT : Preference.MOST_TOKENS;
    }
}
