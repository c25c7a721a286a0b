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

/// Prices passes as if devices had [#TIMES] the memory, and remembers the most that one takes. An evaluation ends at
/// the first pass that does not fit, with the time up to there; so the figures of what does not fit are those of more
/// memory. Used by one thread, for one batch size.
final class AmpleMemory implements ForwardEstimator {
    private static final double TIMES = 256;

    private final ForwardEstimator estimator;
    private double peakBytes;

    private AmpleMemory(ForwardEstimator estimator) {
        this.estimator = estimator;
    }

    /// What a candidate reaches at a batch size; absent where that memory is short too.
    static @Nullable Least at(
            Candidate candidate,
            Phase phase,
            long batchSize,
            ForwardEstimator estimator,
            SimulationAllowance allowance) {
        AmpleMemory ample = new AmpleMemory(estimator);
        ServingPoint point = candidate.serving(phase, ample, allowance).at(batchSize);
        return point.costs().memory().availableBytes() < 0
                ? null
                : Least.at(
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
