package io.throughputoptimizer.core.model.family;

import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.model.config.HuggingFaceConfig;
import io.throughputoptimizer.core.model.config.VisionConfig;
import java.util.Map;
import java.util.Set;

/// Qwen3-VL with routed experts: the decoder of [Qwen3MoeFamily] behind a vision tower.
final class Qwen3VlMoeFamily implements ModelFamily {
    @Override
    public String modelType() {
        return "qwen3_vl_moe";
    }

    /// The decoder without its tower.
    static TextOnlyFamily textOnly() {
        return new TextOnlyFamily(
                "qwen3_vl_moe_text",
                "Qwen3-VL",
                Qwen3MoeFamily.KNOWN_KEYS,
                (id, config) -> Qwen3MoeFamily.decoder(id, config, "Qwen3VLMoeTextModel", "Qwen3VLMoeForCausalLM"));
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
        return Map.of(
                HuggingFaceConfig.TEXT, Qwen3MoeFamily.KNOWN_KEYS, VisionConfig.VISION, VisionConfig.KNOWN_VISION_KEYS);
    }

    @Override
    public ModelArchitecture architecture(String id, HuggingFaceConfig config) {
        HuggingFaceConfig text = VisionConfig.text(config, "Qwen3VLMoeForConditionalGeneration", "qwen3_vl_moe_text");
        return VisionConfig.withVision(Qwen3MoeFamily.decoder(id, text, "Qwen3VLMoeTextModel"), config, modelType());
    }
}
