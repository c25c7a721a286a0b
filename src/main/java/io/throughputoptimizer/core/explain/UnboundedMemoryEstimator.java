package io.throughputoptimizer.core.explain;

import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.forward.ForwardEstimate;
import io.throughputoptimizer.core.forward.ForwardEstimator;
import io.throughputoptimizer.core.forward.ForwardShape;
import io.throughputoptimizer.core.forward.MemoryFootprint;
import io.throughputoptimizer.core.search.space.Candidate;
import io.throughputoptimizer.core.serving.ServingPoint;
import io.throughputoptimizer.core.serving.SimulationAllowance;
import io.throughputoptimizer.core.workload.Phase;
import org.jspecify.annotations.Nullable;

/// Estimates passes as if devices had [#TIMES] the memory, and records the peak memory of any pass. An
/// evaluation stops at the first pass that does not fit, so latencies of layouts that exceed memory are
/// evaluated here. Not thread-safe; one instance per batch size.
final class UnboundedMemoryEstimator implements ForwardEstimator {
    private static final double TIMES = 256;

    private final ForwardEstimator estimator;
    private double peakBytes;

    private UnboundedMemoryEstimator(ForwardEstimator estimator) {
        this.estimator = estimator;
    }

    /// Returns the figures of a candidate at a batch size, or null if even the enlarged memory is too small.
    static @Nullable BestReachable at(
            Candidate candidate,
            Phase phase,
            long batchSize,
            ForwardEstimator estimator,
            SimulationAllowance allowance) {
        UnboundedMemoryEstimator ample = new UnboundedMemoryEstimator(estimator);
        ServingPoint point = candidate.serving(phase, ample, allowance).at(batchSize);
        return point.costs().memory().availableBytes() < 0
                ? null
                : BestReachable.at(
                        batchSize, point.figures().ttftMillis(), point.figures().tpotMillis(), ample.peakBytes);
    }

    @Override
    public ForwardEstimate estimate(Deployment deployment, ForwardShape shape) {
        ForwardEstimate pass = estimator.estimate(deployment, shape);
        MemoryFootprint memory = pass.memory();
        peakBytes = Math.max(peakBytes, memory.peakBytes());
        return new ForwardEstimate(
                pass.latencyMillis(),
                pass.breakdown(),
                new MemoryFootprint(
                        TIMES * memory.capacityBytes(),
                        memory.reservedBytes(),
                        memory.weightBytes(),
                        memory.kvCacheBytes(),
                        memory.kvCacheBytesPerToken(),
                        memory.stateBytes(),
                        memory.activationBytes(),
                        memory.adjusted(),
                        memory.exact()));
    }
}
