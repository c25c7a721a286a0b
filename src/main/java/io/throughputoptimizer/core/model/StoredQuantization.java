package io.throughputoptimizer.core.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// How a checkpoint is quantized, as the `quantization_config` of its configuration says.
///
/// @param method its `quant_method`
/// @param experts of most routed experts; absent where these have 16 bits, and for dense models
/// @param others of most parameters of the other linear layers; absent where these have 16 bits
/// @param cache of the KV cache; absent where it is none of the checkpoint's business
/// @param exceptions parts of which layers are stored otherwise, in words
/// @param obstacle why nothing of this could be read; absent when it could
public record StoredQuantization(
        String method,
        @Nullable StoredFormat experts,
        @Nullable StoredFormat others,
        @Nullable StoredCache cache,
        List<String> exceptions,
        @Nullable String obstacle) {

    /// What a KV cache is stored as.
    public enum StoredCache {
        FLOAT8,
        INT8
    }

    public StoredQuantization {
        exceptions = List.copyOf(exceptions);
    }

    /// Of a checkpoint whose configuration is in no known way.
    ///
    /// @param obstacle why it is not read
    public static StoredQuantization unread(String method, String obstacle) {
        return new StoredQuantization(method, null, null, null, List.of(), obstacle);
    }
}
