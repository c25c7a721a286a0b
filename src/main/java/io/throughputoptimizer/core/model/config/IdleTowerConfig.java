package io.throughputoptimizer.core.model.config;

import io.throughputoptimizer.core.model.ImagePatching;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.model.UnusedVisionTower;
import java.util.Set;

/// Reads the keys of MiniMax vision towers, with the defaults of its library.
public final class IdleTowerConfig {
    private static final String DEPTH = "num_hidden_layers";
    private static final String HIDDEN = "hidden_size";
    private static final String INNER = "intermediate_size";
    private static final String HEADS = "num_attention_heads";
    private static final String CHANNELS = "num_channels";
    private static final String FRAMES = "temporal_patch_size";
    private static final String PATCH = "patch_size";
    private static final String MERGE = "spatial_merge_size";

    /// Section with frames and merged patches in older configurations.
    public static final String COMPRESSION = "img_token_compression_config";

    public static final String PROJECTOR = "projector_hidden_size";

    /// All keys of the section.
    public static final Set<String> KNOWN_KEYS = Set.of(
            DEPTH,
            HIDDEN,
            INNER,
            HEADS,
            CHANNELS,
            FRAMES,
            PATCH,
            MERGE,
            PROJECTOR,
            COMPRESSION,
            "attention_dropout",
            "dtype",
            "hidden_act",
            "image_size",
            "initializer_factor",
            "initializer_range",
            "layer_norm_eps",
            "model_type",
            "position_embedding_type",
            "projection_dim",
            "rope_mode",
            "rope_theta",
            "torch_dtype",
            "vision_segment_max_frames",
            "vocab_size");

    private IdleTowerConfig() {}

    /// @param whole the whole configuration
    public static UnusedVisionTower tower(HuggingFaceConfig whole) {
        HuggingFaceConfig config = whole.section(VisionConfig.VISION);
        HuggingFaceConfig compression = config.has(COMPRESSION) ? config.section(COMPRESSION) : config;
        int hiddenSize = count(config, HIDDEN, 1280, ModelArchitecture.MAX_HIDDEN_SIZE);
        int patchSize = count(config, PATCH, 14, ImagePatching.MAX_EDGE);
        int mergeSize = count(compression, MERGE, 2, ImagePatching.MAX_EDGE);
        long planes = (long) count(config, CHANNELS, 3, ImagePatching.MAX_PLANES)
                * count(compression, FRAMES, 2, ImagePatching.MAX_PLANES);
        return new UnusedVisionTower(
                count(config, DEPTH, 32, ModelArchitecture.MAX_LAYERS),
                hiddenSize,
                count(config, INNER, 5120, ModelArchitecture.MAX_HIDDEN_SIZE),
                count(config, HEADS, 16, hiddenSize),
                planes * patchSize * patchSize,
                mergeSize * mergeSize,
                count(config.has(PROJECTOR) ? config : whole, PROJECTOR, 6144, ModelArchitecture.MAX_HIDDEN_SIZE));
    }

    private static int count(HuggingFaceConfig config, String key, int absent, int max) {
        return config.has(key) ? config.count(key, max) : absent;
    }
}
