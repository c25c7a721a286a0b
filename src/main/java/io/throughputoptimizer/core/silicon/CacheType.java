package io.throughputoptimizer.core.silicon;

import java.util.Locale;

/// Element type of the KV cache.
public enum CacheType {
    BF16(2),
    FP8(1);

    private final double bytes;

    CacheType(double bytes) {
        this.bytes = bytes;
    }

    /// Bytes of a cached element, `e`.
    public double bytes() {
        return bytes;
    }

    /// Name in requests, such as `fp8`.
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// Name in the types of kernels, such as `kv_fp8`.
    String kernelLabel() {
        return "kv_" + label();
    }
}
