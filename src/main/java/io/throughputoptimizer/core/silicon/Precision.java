package io.throughputoptimizer.core.silicon;

import io.throughputoptimizer.core.silicon.calibration.ModuleType;

/// Number formats of a deployment.
///
/// @param scheme of the weights and products
/// @param cache of the KV cache
/// @param state of recurrent states
/// @param asStored whether weights take the memory that the checkpoint says, module by module, rather than the scheme's
public record Precision(Scheme scheme, CacheType cache, StateType state, boolean asStored) {
    /// Weights as the scheme says.
    public Precision(Scheme scheme, CacheType cache, StateType state) {
        this(scheme, cache, state, false);
    }

    /// With states in float32, as engines keep them unless told otherwise.
    public Precision(Scheme scheme, CacheType cache) {
        this(scheme, cache, StateType.FLOAT32);
    }

    /// A scheme with the cache that it usually has.
    public static Precision of(Scheme scheme) {
        return new Precision(scheme, scheme.defaultCache());
    }

    /// Type of attention modules: of whatever is not in 16 bits those in FP8 by blocks.
    ModuleType moduleType(boolean sharedIndex) {
        return new ModuleType(scheme.attention().quantizesActivations(), cache == CacheType.FP8, sharedIndex);
    }
}
