package io.throughputoptimizer.core.replica;

import io.throughputoptimizer.core.memory.RankMemory;
import io.throughputoptimizer.core.silicon.CalibratedPass;
import io.throughputoptimizer.core.silicon.Engine;
import io.throughputoptimizer.core.silicon.SiliconDeployment;
import io.throughputoptimizer.core.steady.CacheUse;
import io.throughputoptimizer.core.steady.ServingRank;
import org.jspecify.annotations.Nullable;

/// An attention data parallel rank whose steps are calibrated passes.
public final class CalibratedRank {
    private CalibratedRank() {}

    /// What bounds a rank besides the scheduling of its engine.
    ///
    /// @param cacheTokens that its KV cache holds; 0 or less when the weights leave no room
    /// @param maxRunning most requests that are admitted at once
    /// @param pollInterval steps after which the engine looks at new requests
    /// @param use what a request takes of it
    /// @param memory memory of the rank that `cacheTokens` follow from; absent where they are stated
    public record Limits(
            double cacheTokens,
            int maxRunning,
            int pollInterval,
            CacheUse use,
            @Nullable RankMemory memory) {
        /// Limits of a rank whose cache is stated.
        public Limits(double cacheTokens, int maxRunning, int pollInterval, CacheUse use) {
            this(cacheTokens, maxRunning, pollInterval, use, null);
        }

        /// Of requests that take nothing but their tokens.
        public Limits(double cacheTokens, int maxRunning, int pollInterval) {
            this(cacheTokens, maxRunning, pollInterval, CacheUse.TOKENS);
        }
    }

    /// A rank of that deployment.
    ///
    /// @throws IllegalArgumentException if the deployment has an obstacle
    public static ServingRank of(SiliconDeployment deployment, Limits limits) {
        return of(CalibratedPass.of(deployment), deployment.engine(), limits);
    }

    /// A rank whose pass is at hand.
    ///
    /// @param engine of the pass's deployment
    public static ServingRank of(CalibratedPass pass, Engine engine, Limits limits) {
        return new ServingRank(
                pass,
                limits.cacheTokens,
                engine.settings().running(limits.maxRunning, limits.pollInterval),
                limits.use);
    }
}
