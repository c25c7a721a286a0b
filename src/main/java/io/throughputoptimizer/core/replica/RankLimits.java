package io.throughputoptimizer.core.replica;

import io.throughputoptimizer.core.silicon.SiliconDeployment;
import io.throughputoptimizer.core.silicon.SiliconMemory;
import org.jspecify.annotations.Nullable;

/// What bounds ranks of any layout besides the scheduling of their engine.
///
/// @param cacheTokens that the KV cache of a rank holds; absent to estimate them from the memory
/// @param maxRunning most requests that are admitted at once
/// @param pollInterval steps after which the engine looks at new requests
public record RankLimits(@Nullable Double cacheTokens, int maxRunning, int pollInterval) {
    /// The same for a rank of that deployment.
    public CalibratedRank.Limits of(SiliconDeployment deployment) {
        SiliconMemory memory = SiliconMemory.of(deployment);
        return new CalibratedRank.Limits(
                cacheTokens == null ? memory.cacheTokens() : cacheTokens, maxRunning, pollInterval, memory.cacheUse());
    }
}
