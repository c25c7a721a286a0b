package io.throughputoptimizer.core.search.batch;

import io.throughputoptimizer.core.serving.ServingOutcome;
import io.throughputoptimizer.core.serving.ServingOutcome.Feasible;
import io.throughputoptimizer.core.serving.ServingPoint;
import io.throughputoptimizer.core.workload.Limits;
import org.jspecify.annotations.Nullable;

/// Search of every batch size: of the range if given, else from the least up to its first infeasible doubling,
/// at most [BatchSearch#LARGEST]. Beyond a batch size the step can grow in proportion.
///
/// @param singly batch size up to which all are tried
/// @param shares divisor of the step beyond: each batch size is `1 / shares` larger than the last
record ExhaustiveSearch(long singly, long shares) implements BatchSearch {
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

    /// Returns the batch sizes that it tries, including the doublings.
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
