package io.throughputoptimizer.core.search.batch;

import io.throughputoptimizer.core.forward.MemoryFootprint;
import io.throughputoptimizer.core.serving.ServingPoint;
import io.throughputoptimizer.core.workload.Limits;
import org.jspecify.annotations.Nullable;

/// Estimate of the batch size beyond which nothing is feasible.
interface RightBoundary {

    /// No estimate: any batch size may be feasible.
    RightBoundary UNKNOWN = (first, right, limits) -> Double.POSITIVE_INFINITY;

    /// Linear extrapolation of two probes, for `linear_exponential`.
    RightBoundary EXTRAPOLATED = (first, right, limits) ->
            LinearExtrapolation.estimate(Sample.of(first), Sample.of(right), MemoryGrowth.at(right), limits);

    /// Returns a whole number, or infinity.
    ///
    /// @param first smallest batch size tried
    /// @param right upper end of the range
    double estimate(ServingPoint first, ServingPoint right, Limits limits);

    /// Latencies in ms at a batch size.
    record Sample(
            long batchSize,
            @Nullable Double ttftMillis,
            @Nullable Double tpotMillis,
            @Nullable Double requestLatencyMillis) {
        static Sample of(ServingPoint point) {
            return new Sample(
                    point.load().batchSize(),
                    point.figures().ttftMillis(),
                    point.figures().tpotMillis(),
                    point.figures().requestLatencyMillis());
        }
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
}
