package io.throughputoptimizer.core.search;

import io.throughputoptimizer.core.serving.ServingOutcome;
import io.throughputoptimizer.core.serving.ServingOutcome.Feasible;
import io.throughputoptimizer.core.serving.ServingPoint;
import io.throughputoptimizer.core.workload.ServiceObjective;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/// Tries every batch size: of the range if one is given, else from 1 up to the first doubling of 1 that is
/// infeasible, at most where the other searches end too.
record ExhaustiveSearch() implements BatchSearch {
    private static final long MOST = INITIAL_RIGHT << DOUBLINGS;

    @Override
    public List<ServingPoint> run(
            LongFunction<ServingOutcome> probe, @Nullable BatchRange range, ServiceObjective objective) {
        long first = range == null ? 1 : range.min();
        long last = range == null ? lastBeforeInfeasibleDoubling(probe) : range.max();
        List<ServingPoint> recorded = new ArrayList<>();
        for (long batchSize = first; batchSize <= last; batchSize++) {
            if (probe.apply(batchSize) instanceof Feasible(ServingPoint point)) {
                recorded.add(point);
            }
        }
        return recorded;
    }

    @Override
    public long mostProbes(@Nullable BatchRange range) {
        return range == null ? MOST : (long) range.max() - range.min() + 1;
    }

    private static long lastBeforeInfeasibleDoubling(LongFunction<ServingOutcome> probe) {
        for (long batchSize = 1; batchSize <= MOST; batchSize *= 2) {
            if (probe.apply(batchSize) instanceof ServingOutcome.Infeasible) {
                return batchSize - 1;
            }
        }
        return MOST;
    }
}
