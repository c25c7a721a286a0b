package io.throughputoptimizer.core.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// Quantization of a checkpoint, from the `quantization_config` of its configuration.
///
/// @param method value of `quant_method`
/// @param experts format of most routed experts; null for 16 bits and for dense models
/// @param others format of most parameters of other linear layers; null for 16 bits
/// @param cache format of the KV cache; null if unspecified
/// @param exceptions descriptions of layers stored in another format
/// @param obstacle reason the quantization could not be read; null if it was
/// @param unmeasured reason no measured kernels multiply such weights; null if some do
public record StoredQuantization(
        String method,
        @Nullable StoredFormat experts,
        @Nullable StoredFormat others,
        @Nullable StoredCache cache,
        List<String> exceptions,
        @Nullable String obstacle,
        @Nullable String unmeasured) {

    /// Storage type of a KV cache.
    public enum StoredCache {
        FLOAT8,
        INT8
    }

    public StoredQuantization {
        exceptions = List.copyOf(exceptions);
    }

    /// Creates the quantization of a checkpoint whose configuration has an unknown form.
    ///
    /// @param obstacle reason it is not read
    public static StoredQuantization unread(String method, String obstacle) {
        return new StoredQuantization(method, null, null, null, List.of(), obstacle, null);
    }

    /// Returns the reason the calibrated cost model has no price of the weights; null if it can have one.
    public @Nullable String reason() {
        return obstacle == null ? unmeasured : obstacle;
    }
}
