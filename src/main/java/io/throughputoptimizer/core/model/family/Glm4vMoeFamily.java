package io.throughputoptimizer.core.model.family;

import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.model.config.HuggingFaceConfig;
import io.throughputoptimizer.core.model.config.VisionConfig;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// GLM-4.5V and 4.6V: the decoder of [Glm4MoeFamily] behind a vision tower that is not priced, without drafts.
final class Glm4vMoeFamily implements BehindTower {
    private static final String TEXT_TYPE = "glm4v_moe_text";
    private static final Set<String> AROUND = around();

    @Override
    public String modelType() {
        return "glm4v_moe";
    }

    @Override
    public String title() {
        return "GLM-4.5V";
    }

    @Override
    public Set<String> knownKeys() {
        return AROUND;
    }

    @Override
    public Set<String> textKeys() {
        return Glm4MoeFamily.KNOWN_KEYS;
    }

    @Override
    public ModelArchitecture architecture(String id, HuggingFaceConfig config) {
        HuggingFaceConfig text = VisionConfig.text(config, "Glm4vMoeForConditionalGeneration", TEXT_TYPE);
        return Glm4MoeFamily.decoder(id, text, List.of("Glm4vMoeTextModel"), false)
                .as(modelType());
    }

    private static Set<String> around() {
        Set<String> keys = new HashSet<>(VisionConfig.KNOWN_KEYS);
        keys.addAll(List.of(
                "image_end_token_id",
                "image_start_token_id",
                "quantization_config",
                "video_end_token_id",
                "video_start_token_id"));
        return Set.copyOf(keys);
    }
}
