package io.throughputoptimizer.core.model.config;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Features of a configuration without a price in the cost model of its family. If ignored, they would silently
/// give the figures of another model.
public final class UnpricedFeatures {
    /// Keys that must be missing or off, with reasons.
    private static final Map<String, String> OFF = Map.ofEntries(
            Map.entry("mlp_bias", "biases in the feed-forward part are not priced"),
            Map.entry("use_sliding_window", "sliding window attention is not priced"),
            Map.entry("attention_chunk_size", "chunked attention is not priced"),
            Map.entry("num_experts", "experts of this kind are not those of this model_type"),
            Map.entry("num_local_experts", "experts of this kind are not those of this model_type"),
            Map.entry("n_routed_experts", "experts of this kind are not those of this model_type"),
            Map.entry("kv_lora_rank", "latent attention is not that of this model_type"),
            Map.entry("num_nextn_predict_layers", "layers for multi-token prediction are not those of this model_type"),
            Map.entry("is_encoder_decoder", "only decoders are priced"),
            Map.entry("add_cross_attention", "cross attention is not priced"),
            Map.entry("text_config", "a text model has no sections by modality"),
            Map.entry("vision_config", "images are not an input of this model_type"),
            Map.entry("audio_config", "sound is not an input of this model_type"));

    /// Names of the number of routed experts in different families.
    private static final Set<String> EXPERTS = Set.of("num_experts", "num_local_experts", "n_routed_experts");

    private static final String FULL = "full_attention";

    public static final String WINDOW = "sliding_window";

    public static final String ACTIVATION = "hidden_act";

    public static final String ROTARY_SHARE = "partial_rotary_factor";

    private static final List<String> ROTARY_SECTIONS = List.of("rope_scaling", "rope_parameters");

    /// All keys checked here.
    public static final Set<String> KEYS = keys();

    private UnpricedFeatures() {}

    /// Rejects a configuration with a feature that has no price.
    ///
    /// @param modelClass class allowed in `architectures`
    /// @param priced features that this family prices nevertheless
    public static void refuse(HuggingFaceConfig config, String modelClass, Set<String> priced) {
        refuse(config, List.of(modelClass), priced);
    }

    /// @param modelClasses classes allowed in `architectures`
    /// @param priced features that this family prices nevertheless
    public static void refuse(HuggingFaceConfig config, List<String> modelClasses, Set<String> priced) {
        OFF.entrySet().stream()
                .filter(feature -> !priced.contains(feature.getKey()))
                .filter(feature -> config.isOn(feature.getKey()))
                .filter(feature -> !repeats(config, feature.getKey(), priced))
                .min(Map.Entry.comparingByKey())
                .ifPresent(feature -> {
                    throw config.refused(feature.getKey(), feature.getValue());
                });
        requireOnly(
                config,
                "architectures",
                modelClasses,
                "only " + String.join(" and ", modelClasses) + (modelClasses.size() == 1 ? " is" : " are") + " priced");
        if (!priced.contains(ACTIVATION)) {
            requireSilu(config);
        }
        if (!priced.contains(WINDOW)) {
            requireOnly(
                    config,
                    "layer_types",
                    config.has("index_topk") ? List.of(FULL, "deepseek_sparse_attention") : List.of(FULL),
                    "only full attention in every layer is priced");
            requireNoSlidingWindow(config);
        }
        if (!priced.contains(ROTARY_SHARE)) {
            requireFullRotation(config);
        }
    }

    /// Returns whether a number of experts repeats, under another name, the one this family reads.
    private static boolean repeats(HuggingFaceConfig config, String key, Set<String> priced) {
        return EXPERTS.contains(key)
                && EXPERTS.stream()
                        .filter(priced::contains)
                        .anyMatch(read -> config.numberAt(key).equals(config.numberAt(read)));
    }

    private static void requireOnly(HuggingFaceConfig config, String key, List<String> accepted, String rule) {
        if (!config.list(key).stream().allMatch(accepted::contains)) {
            throw config.refused(key, rule);
        }
    }

    private static void requireSilu(HuggingFaceConfig config) {
        String rule = "only silu is priced";
        if (config.has(ACTIVATION) && !config.text(ACTIVATION, rule).equals("silu")) {
            throw config.refused(ACTIVATION, rule);
        }
    }

    /// Rejects a window unless the configuration states that it is unused.
    private static void requireNoSlidingWindow(HuggingFaceConfig config) {
        if (config.has(WINDOW) && !config.has("use_sliding_window")) {
            throw config.refused(
                    WINDOW, "sliding window attention is not priced; with use_sliding_window false it is unused");
        }
    }

    private static void requireFullRotation(HuggingFaceConfig config) {
        requireRotation(config, 1, "heads that are rotated in part are not priced");
    }

    /// Rejects a rotated fraction of a head that differs from the one given by another key.
    public static void requireRotation(HuggingFaceConfig config, double share, String rule) {
        config.requireNumberIfGiven(ROTARY_SHARE, share, rule);
        ROTARY_SECTIONS.forEach(section -> config.section(section).requireNumberIfGiven(ROTARY_SHARE, share, rule));
    }

    private static Set<String> keys() {
        Set<String> keys = new HashSet<>(OFF.keySet());
        keys.addAll(List.of("architectures", "layer_types", ACTIVATION, WINDOW, ROTARY_SHARE));
        keys.addAll(ROTARY_SECTIONS);
        return Set.copyOf(keys);
    }
}
