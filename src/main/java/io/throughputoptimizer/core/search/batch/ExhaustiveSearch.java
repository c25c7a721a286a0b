package io.throughputoptimizer.core.search.batch;

import io.throughputoptimizer.core.serving.ServingOutcome;
import io.throughputoptimizer.core.serving.ServingOutcome.Feasible;
import io.throughputoptimizer.core.serving.ServingPoint;
import io.throughputoptimizer.core.workload.Limits;
import org.jspecify.annotations.Nullable;

/// Tries every batch size: of the range if one is given, else from the least up to the first doubling of it that is
/// infeasible, at most where the other searches end too. From a batch size on each that is tried may be larger than the
/// last by a share instead of by one.
///
/// @param singly batch size up to which all are tried
/// @param shares from there on each is `1 / shares` larger than the last
record ExhaustiveSearch(long singly, long shares) implements BatchSearch {
    /// Of all batch sizes.
    ExhaustiveSearch() {
        this(Long.MAX_VALUE, 1);
    }

    @Override
    public void run(Trial trial, @Nullable BatchRange range, Limits limits) {
        long first = trial.least();
        long last = range == null ? lastBeforeInfeasibleDoubling(trial) : range.max();
        for (long batchSize = first; batchSize <= last; batchSize += step(batchSize)) {
            if (trial.at(batchSize) instanceof Feasible(ServingPoint point)) {
                trial.record(point);
            }
        }
    }

    private long step(long batchSize) {
        return batchSize <= singly ? 1 : Math.max(1, batchSize / shares);
    }

    /// Those that it tries, and the doublings.
    @Override
    public long mostProbes(@Nullable BatchRange range) {
        long first = range == null ? 1 : range.min();
        long last = range == null ? LARGEST : range.max();
        if (singly >= last) {
            return last - first + 1;
        }
        long tried = range == null ? DOUBLINGS : 0;
        for (long batchSize = first; batchSize <= last; batchSize += step(batchSize)) {
            tried++;
        }
        return tried;
    }

    @Override
    public long largestBatchSize() {
        return LARGEST;
    }

    private static long lastBeforeInfeasibleDoubling(Trial trial) {
        @Nullable ServingPoint before = null;
        for (long batchSize = trial.least(); batchSize <= LARGEST; batchSize *= 2) {
            ServingOutcome outcome = trial.at(batchSize);
            if (outcome instanceof ServingOutcome.Infeasible) {
                return batchSize - 1;
            }
            if (batchSize >= INITIAL_RIGHT && before != null && trial.endsBetween(before, outcome.point())) {
                return batchSize;
            }
            before = outcome.point();
        }
        return LARGEST;
    }
}
