package io.throughputoptimizer.core.search.batch;

import io.throughputoptimizer.core.serving.ServingOutcome;
import io.throughputoptimizer.core.serving.ServingOutcome.Feasible;
import io.throughputoptimizer.core.serving.ServingPoint;
import io.throughputoptimizer.core.workload.Limits;
import org.jspecify.annotations.Nullable;

/// Tries every batch size: of the range if one is given, else from the least up to the first doubling of it that is
/// infeasible, at most where the other searches end too.
record ExhaustiveSearch() implements BatchSearch {
    @Override
    public void run(Trial trial, @Nullable BatchRange range, Limits limits) {
        long first = trial.least();
        long last = range == null ? lastBeforeInfeasibleDoubling(trial) : range.max();
        for (long batchSize = first; batchSize <= last; batchSize++) {
            if (trial.at(batchSize) instanceof Feasible(ServingPoint point)) {
                trial.record(point);
            }
        }
    }

    @Override
    public long mostProbes(@Nullable BatchRange range) {
        return range == null ? LARGEST : (long) range.max() - range.min() + 1;
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
