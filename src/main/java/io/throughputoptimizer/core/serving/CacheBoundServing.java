package io.throughputoptimizer.core.serving;

import io.throughputoptimizer.core.cost.BoundShares;
import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.forward.ImageInput;
import io.throughputoptimizer.core.forward.MemoryFootprint;
import io.throughputoptimizer.core.serving.ServingPoint.PhaseCost;
import io.throughputoptimizer.core.serving.ServingPoint.PhaseCosts;
import io.throughputoptimizer.core.workload.Workload;
import java.util.List;

/// Decides batch sizes far beyond any real one without looking at their passes, of which there may be more than
/// anybody can wait for: they are out of memory when the KV cache of a rank's requests, at
/// `requests * contextTokens * bytesPerToken`, divided where ranks share sequences, does not fit next to the weights.
/// All that do fit, and every batch size
/// that is not far beyond, are left to the instance.
///
/// Far beyond is what no search tries unless it is told to, and what no device holds the tokens of.
final class CacheBoundServing implements Serving {
    /// Largest batch size that a search reaches on its own: 512, doubled ten times.
    private static final long LARGEST_BATCH = 512L << 10;

    private static final double MOST_TOKENS = 1e12;

    private final Serving instance;
    private final Deployment deployment;
    private final Workload workload;
    private final InstancePasses passes;
    private final long contextTokens;

    /// @param contextTokens text in the context of a request
    CacheBoundServing(
            Serving instance, Deployment deployment, Workload workload, InstancePasses passes, long contextTokens) {
        this.instance = instance;
        this.deployment = deployment;
        this.workload = workload;
        this.passes = passes;
        this.contextTokens = contextTokens;
    }

    @Override
    public ServingPoint at(long batchSize) {
        Load load = Load.of(batchSize, deployment.layout());
        ImageInput images = RequestImages.of(workload, load);
        double imageTokens = images == null ? 0 : images.tokens(deployment.model());
        double tokens = (double) batchSize * deployment.layout().pp() * (contextTokens + imageTokens);
        if (batchSize <= LARGEST_BATCH && tokens <= MOST_TOKENS) {
            return instance.at(batchSize);
        }
        MemoryFootprint needed = withCacheOf(tokens);
        return needed.availableBytes() < 0 ? outOfMemory(load, needed) : instance.at(batchSize);
    }

    private MemoryFootprint withCacheOf(double tokens) {
        MemoryFootprint smallest = passes.smallest().memory();
        return new MemoryFootprint(
                smallest.capacityBytes(),
                smallest.reservedBytes(),
                smallest.weightBytes(),
                tokens / deployment.cacheCapacityFactor() * smallest.kvCacheBytesPerToken(),
                smallest.kvCacheBytesPerToken(),
                0,
                0,
                false,
                smallest.exact());
    }

    private static ServingPoint outOfMemory(Load load, MemoryFootprint needed) {
        return new ServingPoint(
                load,
                Figures.OUT_OF_MEMORY,
                new PhaseCosts(null, new PhaseCost(BoundShares.ZERO, needed)),
                0,
                List.of());
    }
}
