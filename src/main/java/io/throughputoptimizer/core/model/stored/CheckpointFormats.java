package io.throughputoptimizer.core.model.stored;

import io.throughputoptimizer.core.model.StoredFormat;
import io.throughputoptimizer.core.model.config.HuggingFaceConfig;
import io.throughputoptimizer.core.model.stored.StoredLayers.Targeted;
import java.util.List;
import java.util.Optional;

/// Storage formats of a quantized checkpoint by module. Not thread-safe.
///
/// @see StoredQuantizationConfig
public final class CheckpointFormats {
    private static final List<String> ROOTS = List.of("model.", "language_model.model.", "model.language_model.", "");

    private final String method;
    private final ModuleNames ignored;
    private final List<Targeted> formats;
    private final boolean quantizesCache;

    CheckpointFormats(String method, ModuleNames ignored, List<Targeted> formats, boolean quantizesCache) {
        this.method = method;
        this.ignored = ignored;
        this.formats = formats;
        this.quantizesCache = quantizesCache;
    }

    /// Reads the formats of a configuration; empty if its checkpoint is not quantized.
    ///
    /// @throws IllegalArgumentException if `quantization_config` cannot be read
    public static Optional<CheckpointFormats> of(HuggingFaceConfig config) {
        return StoredQuantizationConfig.formats(config);
    }

    /// Returns `quant_method`.
    public String method() {
        return method;
    }

    /// Returns whether the KV cache has 8 bits.
    public boolean quantizesCache() {
        return quantizesCache;
    }

    /// Returns the format of a module, or empty for 16 bits.
    ///
    /// @param module path without leading `model.`, such as `layers.0.self_attn.q_proj`
    /// @throws IllegalArgumentException if the names take too long to compare
    public Optional<StoredFormat> of(String module) {
        List<ModulePath> paths =
                ROOTS.stream().map(root -> new ModulePath(root + module)).toList();
        if (paths.stream().anyMatch(ignored::contain)) {
            return Optional.empty();
        }
        return formats.stream()
                .filter(targeted -> targeted.everywhere() || paths.stream().anyMatch(targeted.targets()::contain))
                .map(Targeted::format)
                .findFirst();
    }
}
