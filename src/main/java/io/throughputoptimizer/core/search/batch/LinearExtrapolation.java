package io.throughputoptimizer.core.search.batch;

import io.throughputoptimizer.core.forward.MemoryFootprint;
import io.throughputoptimizer.core.serving.Figures;
import io.throughputoptimizer.core.serving.ServingPoint;
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

    /// Returns a whole number.
    ///
    /// @param left smallest batch size tried
    /// @param right upper end of the range
    static double estimate(ServingPoint left, ServingPoint right, MemoryGrowth memory, Limits limits) {
        long batchSize = right.load().batchSize();
        double estimate = memory.perRequestGib() > 0
                ? bound((batchSize + memory.freeGib() / memory.perRequestGib()) * MEMORY_RELAXATION)
                : Double.POSITIVE_INFINITY;
        long first = left.load().batchSize();
        if (batchSize > first) {
            long gap = batchSize - first;
            Figures low = left.figures();
            Figures high = right.figures();
            Line tpot = new Line(first, gap, low.tpotMillis(), high.tpotMillis());
            Line ttft = new Line(first, gap, low.ttftMillis(), high.ttftMillis());
            Line whole = new Line(first, gap, low.requestLatencyMillis(), high.requestLatencyMillis());
            estimate = Math.min(estimate, tpot.reaches(limits.tpotMillis()));
            estimate = Math.min(estimate, ttft.reaches(limits.ttftMillis()));
            estimate = Math.min(estimate, whole.reaches(limits.requestLatencyMillis()));
        }
        return Double.isInfinite(estimate) ? NO_LIMIT : estimate;
    }

    private static double bound(double batchSize) {
        return Math.max(1, Math.rint(batchSize) + 1);
    }

    /// Device memory in GiB at a batch size.
    ///
    /// @param perRequestGib memory except the weights, per request of the batch
    /// @param freeGib free memory, negative if memory is short
    record MemoryGrowth(double perRequestGib, double freeGib) {
        static MemoryGrowth at(ServingPoint point) {
            MemoryFootprint memory = point.costs().memory();
            double besidesWeights = memory.capacityBytes() / MemoryFootprint.GIB
                    - memory.weightBytes() / MemoryFootprint.GIB
                    - memory.reservedBytes() / MemoryFootprint.GIB
                    - memory.availableGib();
            return new MemoryGrowth(besidesWeights / point.load().batchSize(), memory.availableGib());
        }
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
