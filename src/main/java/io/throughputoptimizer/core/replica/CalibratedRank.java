package io.throughputoptimizer.core.replica;

import io.throughputoptimizer.core.kernels.CalibratedDeployment;
import io.throughputoptimizer.core.kernels.CalibratedPass;
import io.throughputoptimizer.core.kernels.Engine;
import io.throughputoptimizer.core.load.CacheUse;
import io.throughputoptimizer.core.load.ServingRank;
import io.throughputoptimizer.core.memory.RankMemory;
import org.jspecify.annotations.Nullable;

/// Factory of attention data parallel ranks whose steps are calibrated passes.
public final class CalibratedRank {
    private CalibratedRank() {}

    /// Limits of a rank in addition to its engine's scheduler.
    ///
    /// @param cacheTokens capacity of its KV cache, in tokens; 0 or less if the weights leave no memory
    /// @param maxRunning maximum number of admitted requests
    /// @param pollInterval steps between checks for new requests
    /// @param use KV cache use of a request
    /// @param memory memory of the rank that yields `cacheTokens`; absent if they are given
    public record Limits(
            double cacheTokens,
            int maxRunning,
            int pollInterval,
            CacheUse use,
            @Nullable RankMemory memory) {}

    /// Returns a rank of a deployment.
    ///
    /// @throws IllegalArgumentException if the deployment is not supported
    public static ServingRank of(CalibratedDeployment deployment, Limits limits) {
        return of(CalibratedPass.of(deployment), deployment.engine(), limits);
    }

    /// Returns a rank with an existing pass.
    ///
    /// @param engine engine of the pass's deployment
    public static ServingRank of(CalibratedPass pass, Engine engine, Limits limits) {
        return new ServingRank(
                pass,
                limits.cacheTokens,
                engine.settings().running(limits.maxRunning, limits.pollInterval),
                limits.use);
    }
}
