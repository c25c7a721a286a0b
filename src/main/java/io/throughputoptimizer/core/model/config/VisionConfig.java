package io.throughputoptimizer.core.model.config;

import io.throughputoptimizer.core.model.ImagePatching;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.model.VisionSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// Reads the keys of a model with a vision tower: a section for each part, and the keys that join them.
public final class VisionConfig {
    public static final String VISION = "vision_config";

    /// Keys outside the sections. Some, such as token ids and types, do not affect cost.
    public static final Set<String> KNOWN_KEYS = Set.of(
            "architectures",
            "dtype",
            "image_token_id",
            "model_type",
            HuggingFaceConfig.TEXT,
            VISION,
            "tie_word_embeddings",
            "torch_dtype",
            "transformers_version",
            "video_token_id",
            "vision_end_token_id",
            "vision_start_token_id");

    /// Keys of the vision section.
    public static final Set<String> KNOWN_VISION_KEYS = Set.of(
            "deepstack_visual_indexes",
            "depth",
            "dtype",
            "hidden_act",
            "hidden_size",
            "in_channels",
            "initializer_range",
            "intermediate_size",
            "model_type",
            "num_heads",
            "num_position_embeddings",
            "out_hidden_size",
            "patch_size",
            "spatial_merge_size",
            "temporal_patch_size",
            "torch_dtype");

    private static final String DEEPSTACK = "deepstack_visual_indexes";
    private static final String HIDDEN = "hidden_size";
    private static final String HEADS = "num_heads";
    private static final String OUTPUT = "out_hidden_size";

    private VisionConfig() {}

    /// Returns the decoder section.
    ///
    /// @param modelClass class allowed in `architectures`
    /// @param textType required `model_type` of the section
    public static HuggingFaceConfig text(HuggingFaceConfig config, String modelClass, String textType) {
        UnpricedFeatures.refuse(config, modelClass, Set.of(HuggingFaceConfig.TEXT, VISION));
        HuggingFaceConfig text = config.section(HuggingFaceConfig.TEXT);
        text.require("model_type", textType, "only " + textType + " is priced");
        return text;
    }

    /// Returns the decoder with the vision tower.
    public static ModelArchitecture withVision(ModelArchitecture decoder, HuggingFaceConfig config, String modelType) {
        return decoder.withVision(modelType, vision(config.section(VISION), decoder.hiddenSize()));
    }

    private static VisionSpec vision(HuggingFaceConfig config, int outputSize) {
        requireGelu(config);
        if (config.count(OUTPUT, ModelArchitecture.MAX_HIDDEN_SIZE) != outputSize) {
            throw config.invalid(OUTPUT, "hidden_size of " + HuggingFaceConfig.TEXT + " (" + outputSize + ")");
        }
        int hiddenSize = config.count(HIDDEN, ModelArchitecture.MAX_HIDDEN_SIZE);
        int heads = config.count(HEADS, hiddenSize);
        if (hiddenSize % (4L * heads) != 0) {
            throw config.invalid(HIDDEN, "a multiple of 4 * " + HEADS + " (" + 4L * heads + ")");
        }
        int depth = config.count("depth", ModelArchitecture.MAX_LAYERS);
        return new VisionSpec(
                depth,
                hiddenSize,
                config.count("intermediate_size", ModelArchitecture.MAX_HIDDEN_SIZE),
                heads,
                config.count("num_position_embeddings", ModelArchitecture.MAX_POSITIONS),
                patching(config, hiddenSize),
                deepstackBlocks(config, depth));
    }

    private static void requireGelu(HuggingFaceConfig config) {
        String rule = "only gelu_pytorch_tanh is priced";
        if (config.has("hidden_act") && !config.text("hidden_act", rule).equals("gelu_pytorch_tanh")) {
            throw config.refused("hidden_act", rule);
        }
    }

    /// Reads the patching. Pixel limits are in a preprocessor file, not in the configuration.
    private static ImagePatching patching(HuggingFaceConfig config, int hiddenSize) {
        int largestMerge = (int) Math.sqrt(ModelArchitecture.MAX_HIDDEN_SIZE / (double) hiddenSize);
        return new ImagePatching(
                config.count("in_channels", ImagePatching.MAX_PLANES),
                config.count("temporal_patch_size", ImagePatching.MAX_PLANES),
                config.count("patch_size", ImagePatching.MAX_EDGE),
                config.count("spatial_merge_size", largestMerge),
                ImagePatching.DEFAULT_MIN_PIXELS,
                ImagePatching.DEFAULT_MAX_PIXELS);
    }

    private static List<Integer> deepstackBlocks(HuggingFaceConfig config, int depth) {
        List<Integer> blocks = new ArrayList<>();
        for (Object entry : config.list(DEEPSTACK)) {
            double index = entry instanceof Number number ? number.doubleValue() : Double.NaN;
            int least = blocks.isEmpty() ? 0 : blocks.getLast() + 1;
            if (!(index >= least && index < depth && index == Math.rint(index))) {
                throw config.invalid(DEEPSTACK, "ascending indices below depth (" + depth + ")");
            }
            blocks.add((int) index);
        }
        return blocks;
    }
}
