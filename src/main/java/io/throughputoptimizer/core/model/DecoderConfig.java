package io.throughputoptimizer.core.model;

import java.util.HashSet;
import java.util.Set;

/// What decoders of all families have in common: their keys, and how these are read.
final class DecoderConfig {
    /// Keys whose value decides the cost.
    private static final Set<String> PRICED_KEYS = Set.of(
            "model_type",
            "hidden_size",
            "intermediate_size",
            "num_hidden_layers",
            "num_attention_heads",
            "num_key_value_heads",
            "head_dim",
            "vocab_size",
            "max_position_embeddings",
            "rms_norm_eps");

    /// Keys without influence on the cost. Among them: rotary scaling changes values of the rotary tables,
    /// not their size; a tied output head is priced as a weight of its own all the same; how a checkpoint was
    /// quantized is not asked, because the deployment says how it is to be served.
    private static final Set<String> FREE_KEYS = Set.of(
            "_name_or_path",
            "attention_dropout",
            "auto_map",
            "bos_token_id",
            "dtype",
            "eos_token_id",
            "initializer_range",
            "max_window_layers",
            "pad_token_id",
            "pretraining_tp",
            "quantization_config",
            "rope_theta",
            "tie_word_embeddings",
            "torch_dtype",
            "transformers_version",
            "use_cache",
            "use_mrope");

    private DecoderConfig() {}

    /// All keys known to a family.
    ///
    /// @param further keys known to this family only
    static Set<String> knownKeys(String... further) {
        Set<String> keys = new HashSet<>(Set.of(further));
        keys.addAll(PRICED_KEYS);
        keys.addAll(FREE_KEYS);
        keys.addAll(UnpricedFeatures.KEYS);
        return Set.copyOf(keys);
    }

    /// @param predictsDrafts whether multi-token prediction is modelled
    static ModelArchitecture architecture(
            String id,
            HuggingFaceConfig config,
            AttentionSpec attention,
            FeedForwardSpec feedForward,
            boolean predictsDrafts) {
        return new ModelArchitecture(
                id,
                config.text("model_type", "a text is needed"),
                config.count("num_hidden_layers", ModelArchitecture.MAX_LAYERS),
                config.count("hidden_size", ModelArchitecture.MAX_HIDDEN_SIZE),
                config.count("vocab_size", ModelArchitecture.MAX_VOCABULARY_SIZE),
                config.count("max_position_embeddings", ModelArchitecture.MAX_POSITIONS),
                config.fraction("rms_norm_eps"),
                attention,
                feedForward,
                predictsDrafts,
                null);
    }

    /// A model whose feed-forward parts are all dense.
    static ModelArchitecture dense(String id, HuggingFaceConfig config, AttentionSpec attention) {
        int intermediateSize = config.count("intermediate_size", ModelArchitecture.MAX_INNER_WIDTH);
        return architecture(id, config, attention, new FeedForwardSpec.Dense(intermediateSize), false);
    }
}
