package io.throughputoptimizer.core.kernels;

import io.throughputoptimizer.core.kernels.calibration.ModuleType;

/// Number formats of a deployment.
///
/// @param scheme scheme of the weights and products
/// @param cache type of the KV cache
/// @param state type of recurrent states
/// @param asStored whether weights take the memory of the checkpoint, module by module, rather than that of the
///     scheme
public record Precision(Scheme scheme, CacheType cache, StateType state, boolean asStored) {
    /// Returns a scheme with its default KV cache type.
    public static Precision of(Scheme scheme) {
        return new Precision(scheme, scheme.defaultCache(), StateType.FLOAT32, false);
    }

    /// Returns the type of attention modules: FP8 by blocks for all formats other than 16 bits.
    ModuleType moduleType(boolean sharedIndex) {
        return new ModuleType(scheme.attention().quantizesActivations(), cache == CacheType.FP8, sharedIndex);
    }
}
