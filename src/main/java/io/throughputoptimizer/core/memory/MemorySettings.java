package io.throughputoptimizer.core.memory;

import io.throughputoptimizer.core.memory.EngineMemory.Mxfp4Kernel;
import org.jspecify.annotations.Nullable;

/// Settings of a server that its memory depends on. Absent values are the engine's defaults.
///
/// @param version version of the engine, such as `0.24.0`; absent for the newest
/// @param share memory share, above 0, at most 1
/// @param sequences most sequences of a rank, `S`
/// @param tokenBudget most tokens of a step, `T`
/// @param context most tokens of a request that the server takes, `N`
/// @param graphs whether graphs are captured
/// @param tower whether a tower for images is loaded
/// @param kernel kernel of MXFP4 experts
/// @param prefixCaching whether prefixes are kept
/// @param poolGib size of the KV cache that a log printed; replaces the law up to the cache
/// @param kvTokens tokens of the KV cache that a log printed; likewise
public record MemorySettings(
        @Nullable String version,
        @Nullable Double share,
        @Nullable Integer sequences,
        @Nullable Integer tokenBudget,
        @Nullable Long context,
        boolean graphs,
        boolean tower,
        @Nullable Mxfp4Kernel kernel,
        boolean prefixCaching,
        @Nullable Double poolGib,
        @Nullable Double kvTokens) {

    /// All defaults of an engine.
    public static final MemorySettings DEFAULTS =
            new MemorySettings(null, null, null, null, null, true, true, null, true, null, null);

    /// Returns these settings with other most sequences.
    public MemorySettings withSequences(int most) {
        return new MemorySettings(
                version, share, most, tokenBudget, context, graphs, tower, kernel, prefixCaching, poolGib, kvTokens);
    }

    /// Returns these settings with another token budget.
    public MemorySettings withTokenBudget(int tokens) {
        return new MemorySettings(
                version, share, sequences, tokens, context, graphs, tower, kernel, prefixCaching, poolGib, kvTokens);
    }

    /// Returns these settings with another context.
    public MemorySettings withContext(long tokens) {
        return new MemorySettings(
                version,
                share,
                sequences,
                tokenBudget,
                tokens,
                graphs,
                tower,
                kernel,
                prefixCaching,
                poolGib,
                kvTokens);
    }

    /// Returns these settings with tokens of the KV cache that a log printed.
    public MemorySettings withKvTokens(double tokens) {
        return new MemorySettings(
                version, share, sequences, tokenBudget, context, graphs, tower, kernel, prefixCaching, null, tokens);
    }

    /// Returns these settings with another memory share.
    public MemorySettings withShare(double other) {
        return new MemorySettings(
                version,
                other,
                sequences,
                tokenBudget,
                context,
                graphs,
                tower,
                kernel,
                prefixCaching,
                poolGib,
                kvTokens);
    }

    /// Returns these settings without captured graphs.
    public MemorySettings withoutGraphs() {
        return new MemorySettings(
                version,
                share,
                sequences,
                tokenBudget,
                context,
                false,
                tower,
                kernel,
                prefixCaching,
                poolGib,
                kvTokens);
    }
}
