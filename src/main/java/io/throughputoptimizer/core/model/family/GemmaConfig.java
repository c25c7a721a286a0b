package io.throughputoptimizer.core.model.family;

import io.throughputoptimizer.core.model.FeedForwardSpec;
import io.throughputoptimizer.core.model.GatedActivation;
import io.throughputoptimizer.core.model.LayerGroup;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.model.SandwichNorms;
import io.throughputoptimizer.core.model.config.DecoderConfig;
import io.throughputoptimizer.core.model.config.HuggingFaceConfig;
import io.throughputoptimizer.core.model.config.UnpricedFeatures;
import io.throughputoptimizer.core.model.config.VisionConfig;
import io.throughputoptimizer.core.model.config.WindowConfig;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Common parts of Gemma configurations.
final class GemmaConfig {
    private static final String ACTIVATION = "hidden_activation";
    private static final String GELU = "gelu_pytorch_tanh";
    static final String BOTH_WAYS = "use_bidirectional_attention";

    /// Softcaps bound scores of attention and logits.
    static final String SCORE_CAP = "attn_logit_softcapping";
    static final String LOGIT_CAP = "final_logit_softcapping";

    /// Keys of the decoder beside those of all families. Free are the factor of the queries, which decides no cost, and
    /// the bases of rotary factors.
    private static final Set<String> KEYS = Set.of(
            ACTIVATION,
            BOTH_WAYS,
            SCORE_CAP,
            LOGIT_CAP,
            WindowConfig.PATTERN,
            "_" + WindowConfig.PATTERN,
            "attention_bias",
            "cache_implementation",
            "query_pre_attn_scalar",
            "rope_local_base_freq");

    /// Keys around the section of the decoder. The tower is not priced, nor what it needs.
    static final Set<String> AROUND = Set.of(
            "architectures",
            "boi_token_index",
            "bos_token_id",
            "dtype",
            "eoi_token_index",
            "eos_token_id",
            "image_token_index",
            "initializer_range",
            "mm_tokens_per_image",
            "model_type",
            "pad_token_id",
            "quantization_config",
            HuggingFaceConfig.TEXT,
            "tie_word_embeddings",
            "torch_dtype",
            "transformers_version",
            "use_cache",
            VisionConfig.VISION);

    private GemmaConfig() {}

    static Set<String> textKeys(String... further) {
        Set<String> keys = new HashSet<>(KEYS);
        keys.addAll(List.of(further));
        return DecoderConfig.knownKeys(keys.toArray(String[]::new));
    }

    /// Refuses what has no price.
    ///
    /// @param modelClasses classes that `architectures` can name
    static void refuse(HuggingFaceConfig config, List<String> modelClasses) {
        UnpricedFeatures.refuse(config, modelClasses, Set.of(UnpricedFeatures.WINDOW, UnpricedFeatures.ACTIVATION));
        WindowConfig.requireWholeRotation(config);
        requireGelu(config);
        if (config.isOn(BOTH_WAYS)) {
            throw config.refused(BOTH_WAYS, "only attention to tokens before is priced");
        }
    }

    static void requireGelu(HuggingFaceConfig config) {
        for (String key : List.of(ACTIVATION, UnpricedFeatures.ACTIVATION)) {
            if (config.has(key) && !config.text(key).equals(GELU)) {
                throw config.refused(key, "only " + GELU + " is priced");
            }
        }
    }

    /// A decoder with norms before and behind each part.
    ///
    /// @param id name of the model
    /// @param family `model_type` of the whole configuration
    static ModelArchitecture decoder(String id, String family, HuggingFaceConfig config, List<LayerGroup> groups) {
        return DecoderConfig.withShiftedNorms(id, family, config, groups, null)
                .connectedBy(new SandwichNorms(true, true, false));
    }

    static FeedForwardSpec.Dense feedForward(HuggingFaceConfig config) {
        return new FeedForwardSpec.Dense(
                config.count("intermediate_size", ModelArchitecture.MAX_INNER_WIDTH), GatedActivation.GELU);
    }

    /// Returns the library's defaults that all generations of Gemma share.
    static Map<String, Object> defaults(int vocabulary, int positions, int window) {
        return Map.of(
                "num_attention_heads",
                8,
                "num_key_value_heads",
                4,
                "head_dim",
                256,
                "vocab_size",
                vocabulary,
                "max_position_embeddings",
                positions,
                "rms_norm_eps",
                1e-6,
                "tie_word_embeddings",
                true,
                WindowConfig.WINDOW,
                window);
    }
}
