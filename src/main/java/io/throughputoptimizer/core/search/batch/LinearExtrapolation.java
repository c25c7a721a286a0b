package io.throughputoptimizer.core.search.batch;

import io.throughputoptimizer.core.search.batch.RightBoundary.MemoryGrowth;
import io.throughputoptimizer.core.search.batch.RightBoundary.Sample;
import io.throughputoptimizer.core.workload.Limits;
import org.jspecify.annotations.Nullable;

/// Extrapolated batch size at which memory and latencies reach their limits, assumed to grow linearly with the
/// batch size.
///
/// Memory: `max(1, round(b + free / perRequest) + 1)` at the right probe. Each latency: the line through both
/// probes gives the growth to its limit, relaxed by half: `max(1, round((bl + (limit - l) / slope) * 1.5) +
/// 1)`. The smallest is the estimate; [#NO_LIMIT] if none limits it. `round` is half to even.
final class LinearExtrapolation {
    /// Largest batch size if no constraint limits it.
    static final double NO_LIMIT = (1 << 19) - 1;

    private static final double LATENCY_RELAXATION = 1.5;
    private static final double MEMORY_RELAXATION = 1.0;

    private LinearExtrapolation() {}

    static double estimate(Sample left, Sample right, MemoryGrowth memory, Limits limits) {
        double estimate = memoryBound(right, memory);
        if (right.batchSize() > left.batchSize()) {
            long gap = right.batchSize() - left.batchSize();
            Line tpot = new Line(left.batchSize(), gap, left.tpotMillis(), right.tpotMillis());
            Line ttft = new Line(left.batchSize(), gap, left.ttftMillis(), right.ttftMillis());
            Line whole = new Line(left.batchSize(), gap, left.requestLatencyMillis(), right.requestLatencyMillis());
            estimate = Math.min(estimate, tpot.reaches(limits.tpotMillis()));
            estimate = Math.min(estimate, ttft.reaches(limits.ttftMillis()));
            estimate = Math.min(estimate, whole.reaches(limits.requestLatencyMillis()));
        }
        return Double.isInfinite(estimate) ? NO_LIMIT : estimate;
    }

    private static double memoryBound(Sample right, MemoryGrowth memory) {
        return memory.perRequestGib() > 0
                ? bound((right.batchSize() + memory.freeGib() / memory.perRequestGib()) * MEMORY_RELAXATION)
                : Double.POSITIVE_INFINITY;
    }

    private static double bound(double batchSize) {
        return Math.max(1, Math.rint(batchSize) + 1);
    }

    /// A latency in ms over the batch size.
    private record Line(
            long batchSize,
            long gap,
            @Nullable Double left,
            @Nullable Double right) {

        /// Returns the relaxed batch size at which the latency reaches `limit`; infinite if it does not rise or
        /// has no limit. A probe that ran out of memory has no latency.
        double reaches(@Nullable Double limit) {
            if (limit == null || left == null || right == null || right <= left || right.isInfinite()) {
                return Double.POSITIVE_INFINITY;
            }
            double slope = (right - left) / gap;
            return bound((batchSize + (limit - left) / slope) * LATENCY_RELAXATION);
        }
    }
}
