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
    /// Creates a precision whose weights take the memory of the scheme.
    public Precision(Scheme scheme, CacheType cache, StateType state) {
        this(scheme, cache, state, false);
    }

    /// Creates a precision with states in float32, the default of engines.
    public Precision(Scheme scheme, CacheType cache) {
        this(scheme, cache, StateType.FLOAT32);
    }

    /// Returns a scheme with its default KV cache type.
    public static Precision of(Scheme scheme) {
        return new Precision(scheme, scheme.defaultCache());
    }

    /// Returns the type of attention modules: FP8 by blocks for all formats other than 16 bits.
    ModuleType moduleType(boolean sharedIndex) {
        return new ModuleType(scheme.attention().quantizesActivations(), cache == CacheType.FP8, sharedIndex);
    }
}
