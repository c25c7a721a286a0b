package io.throughputoptimizer.core.deployment;

import io.throughputoptimizer.core.hardware.DataType;

/// Quantization of the KV cache and, with it, the operands of attention.
public enum AttentionQuantization {
    DISABLED(DataType.FLOAT16),
    INT8(DataType.INT8),
    FP8(DataType.FLOAT8_E4M3);

    private final DataType cacheType;

    AttentionQuantization(DataType cacheType) {
        this.cacheType = cacheType;
    }

    /// Element type of the KV cache.
    public DataType cacheType() {
        return cacheType;
    }

    public boolean isEnabled() {
        return this != DISABLED;
    }
}
