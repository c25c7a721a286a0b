package io.throughputoptimizer.core.model.family;

import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.model.config.HuggingFaceConfig;
import io.throughputoptimizer.core.model.config.UnpricedFeatures;
import io.throughputoptimizer.core.model.config.VisionConfig;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Kimi-K2.5 and K2.6: the decoder of [DeepSeekV3Family] behind a vision tower that is not priced. The reference
/// leaves the router out, because its wrapper replaces it by constants; here it is priced as in other models of that
/// architecture.
final class KimiK25Family implements MultimodalFamily {
    private static final Set<String> TEXT_TYPES = Set.of("kimi_k2", "deepseek_v3");
    /// Keys around the section of the decoder, also of [KimiK3Family].
    static final Set<String> AROUND = Set.of(
            "architectures",
            "auto_map",
            "bos_token_id",
            "dtype",
            "eos_token_id",
            "ignore_index",
            "media_placeholder_token_id",
            "model_type",
            "pad_token_id",
            "quantization_config",
            HuggingFaceConfig.TEXT,
            VisionConfig.VISION,
            "tie_word_embeddings",
            "torch_dtype",
            "transformers_version",
            "use_unified_vision_chunk",
            "video_placeholder");

    /// Keys of the section of the decoder: those of the architecture, and what libraries write into any configuration.
    private static final Set<String> KNOWN_TEXT_KEYS = decoderKeys();

    @Override
    public String modelType() {
        return "kimi_k25";
    }

    @Override
    public String title() {
        return "Kimi-K2.5";
    }

    @Override
    public Set<String> knownKeys() {
        return AROUND;
    }

    @Override
    public Set<String> textKeys() {
        return KNOWN_TEXT_KEYS;
    }

    @Override
    public ModelArchitecture architecture(String id, HuggingFaceConfig config) {
        UnpricedFeatures.refuse(
                config, "KimiK25ForConditionalGeneration", Set.of(HuggingFaceConfig.TEXT, VisionConfig.VISION));
        HuggingFaceConfig text = config.section(HuggingFaceConfig.TEXT);
        String rule = "only kimi_k2 and deepseek_v3 are priced";
        if (!TEXT_TYPES.contains(text.text("model_type", rule))) {
            throw text.refused("model_type", rule);
        }
        return DeepSeekV3Family.decoder(id, text).as(modelType());
    }

    private static Set<String> decoderKeys() {
        Set<String> keys = new HashSet<>(DeepSeekV3Family.KNOWN_KEYS);
        keys.addAll(List.of(
                "bad_words_ids",
                "begin_suppress_tokens",
                "chunk_size_feed_forward",
                "cross_attention_hidden_size",
                "decoder_start_token_id",
                "diversity_penalty",
                "do_sample",
                "early_stopping",
                "encoder_no_repeat_ngram_size",
                "exponential_decay_length_penalty",
                "finetuning_task",
                "forced_bos_token_id",
                "forced_eos_token_id",
                "id2label",
                "is_decoder",
                "label2id",
                "length_penalty",
                "max_length",
                "min_length",
                "no_repeat_ngram_size",
                "num_beam_groups",
                "num_beams",
                "num_return_sequences",
                "output_attentions",
                "output_hidden_states",
                "output_scores",
                "prefix",
                "problem_type",
                "pruned_heads",
                "remove_invalid_values",
                "repetition_penalty",
                "return_dict",
                "return_dict_in_generate",
                "sep_token_id",
                "suppress_tokens",
                "task_specific_params",
                "temperature",
                "tf_legacy_loss",
                "tie_encoder_decoder",
                "tokenizer_class",
                "top_k",
                "top_p",
                "torchscript",
                "typical_p",
                "use_bfloat16"));
        return Set.copyOf(keys);
    }
}
