package io.throughputoptimizer.core.model.family;

import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.model.config.HuggingFaceConfig;
import io.throughputoptimizer.core.model.config.VisionConfig;
import java.util.Map;
import java.util.Set;

/// Qwen3-VL: a decoder of Qwen3, dense or with routed experts, behind a vision tower.
///
/// @param stem start of the classes that `architectures` may name
/// @param textKeys known keys of the decoder
record Qwen3VlFamily(String modelType, String stem, Set<String> textKeys, Decoder decoder) implements ModelFamily {

    /// A decoder, by the classes that `architectures` may name.
    @FunctionalInterface
    interface Decoder {
        ModelArchitecture read(String id, HuggingFaceConfig config, String... modelClasses);
    }

    /// The decoder of [DenseFamilies#QWEN3].
    static Qwen3VlFamily dense() {
        return new Qwen3VlFamily("qwen3_vl", "Qwen3VL", DenseFamilies.QWEN3_KEYS, DenseFamilies::qwen3);
    }

    /// The decoder of [Qwen3MoeFamily].
    static Qwen3VlFamily routed() {
        return new Qwen3VlFamily("qwen3_vl_moe", "Qwen3VLMoe", Qwen3MoeFamily.KNOWN_KEYS, Qwen3MoeFamily::decoder);
    }

    /// The decoder without the tower.
    DecoderFamily textOnly() {
        return new DecoderFamily(
                textType(),
                title(),
                textKeys,
                (id, config) -> decoder.read(id, config, stem + "TextModel", stem + "ForCausalLM"));
    }

    @Override
    public String title() {
        return "Qwen3-VL";
    }

    @Override
    public Set<String> knownKeys() {
        return VisionConfig.KNOWN_KEYS;
    }

    @Override
    public Map<String, Set<String>> knownSectionKeys() {
        return Map.of(HuggingFaceConfig.TEXT, textKeys, VisionConfig.VISION, VisionConfig.KNOWN_VISION_KEYS);
    }

    @Override
    public ModelArchitecture architecture(String id, HuggingFaceConfig config) {
        HuggingFaceConfig text = VisionConfig.text(config, stem + "ForConditionalGeneration", textType());
        return VisionConfig.withVision(decoder.read(id, text, stem + "TextModel"), config, modelType);
    }

    private String textType() {
        return modelType + "_text";
    }
}
