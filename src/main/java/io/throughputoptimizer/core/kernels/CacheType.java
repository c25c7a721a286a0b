package io.throughputoptimizer.core.kernels;

import io.throughputoptimizer.core.model.AttentionSpec;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.model.StoredQuantization;
import io.throughputoptimizer.core.model.StoredQuantization.StoredCache;
import java.util.Locale;
import java.util.Optional;

/// Element type of the KV cache.
public enum CacheType {
    BF16(2),
    FP8(1);

    private final double bytes;

    CacheType(double bytes) {
        this.bytes = bytes;
    }

    /// Returns the default KV cache type of any engine: that of the checkpoint, else the model's own type.
    /// Empty for attention to selected or compressed tokens, whose cache format depends on engine, release and
    /// device.
    public static Optional<CacheType> unlessTold(ModelArchitecture model) {
        boolean own = model.attentions().stream().anyMatch(AttentionSpec::cachesInOwnFormat);
        StoredQuantization stored = model.stored();
        if (own || (stored != null && stored.cache() == StoredCache.INT8)) {
            return Optional.empty();
        }
        return Optional.of(stored != null && stored.cache() == StoredCache.FLOAT8 ? FP8 : BF16);
    }

    /// Returns the only KV cache type of a model, which is FP8 for attention to compressed tokens; empty if it has
    /// several.
    public static Optional<CacheType> only(ModelArchitecture model) {
        return model.compressed().map(_ -> FP8);
    }

    /// Returns the bytes of a cached element, `e`.
    public double bytes() {
        return bytes;
    }

    /// Returns the name in requests, such as `fp8`.
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// Returns the name in kernel types, such as `kv_fp8`.
    String kernelLabel() {
        return "kv_" + label();
    }
}
