package io.throughputoptimizer.core.calibrated;

import io.throughputoptimizer.core.kernels.Engine;
import io.throughputoptimizer.core.load.Preference;
import io.throughputoptimizer.core.load.RankBatches;
import io.throughputoptimizer.core.load.Traffic;
import io.throughputoptimizer.core.search.Objective;
import io.throughputoptimizer.core.workload.Limits;
import org.jspecify.annotations.Nullable;

/// Demand on a calibrated deployment.
///
/// @param batches batch sizes per rank; absent for all that the rank can run
/// @param simulatesRows whether each row is simulated, for its percentiles
/// @param objective objective that ranks plans; absent for the default, which rows do not name: tokens per
///     second, or for disaggregated instances, which may leave devices idle, tokens per second and busy device
public record CalibratedDemand(
        Traffic traffic,
        Limits limits,
        @Nullable RankBatches batches,
        boolean simulatesRows,
        @Nullable Objective objective) {
    public CalibratedDemand with(Traffic other) {
        return new CalibratedDemand(other, limits, batches, simulatesRows, objective);
    }

    public CalibratedDemand with(Limits other) {
        return new CalibratedDemand(traffic, other, batches, simulatesRows, objective);
    }

    public CalibratedDemand with(Objective other) {
        return new CalibratedDemand(traffic, limits, batches, simulatesRows, other);
    }

    /// Returns a copy without percentiles of rows; percentile targets stay.
    public CalibratedDemand withoutSimulatedRows() {
        return new CalibratedDemand(traffic, limits, batches, false, objective);
    }

    /// Returns the minimum concurrency of a deployment.
    int leastConcurrency() {
        return objective == null ? 1 : objective.leastConcurrency();
    }

    /// Returns whether a batch size is the engine's maximum.
    public boolean endsAt(double ofRank, Engine engine) {
        return batches == null && ofRank >= engine.maxSequences();
    }

    /// Returns the criterion for the best concurrency of a layout.
    Preference preference() {
        return objective != null && objective.prefersFewRequests() ? Preference.SHORTEST_TPOT : Preference.MOST_TOKENS;
    }
}
