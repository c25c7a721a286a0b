package io.throughputoptimizer.core.model.family;

import io.throughputoptimizer.core.model.LayerGroup;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.model.config.DecoderConfig;
import io.throughputoptimizer.core.model.config.HuggingFaceConfig;
import io.throughputoptimizer.core.model.config.HybridConfig;
import io.throughputoptimizer.core.model.config.VisionConfig;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Qwen3.5 and 3.6, dense and with routed experts: three of four layers with the gated delta rule, one with
/// grouped-query attention whose output is gated. Their vision tower is not priced.
final class Qwen35Family implements ModelFamily {
    private static final Set<String> AROUND = around();

    private final String modelType;
    private final String modelClass;

    private Qwen35Family(String modelType, String modelClass) {
        this.modelType = modelType;
        this.modelClass = modelClass;
    }

    static Qwen35Family dense() {
        return new Qwen35Family("qwen3_5", "Qwen3_5");
    }

    static Qwen35Family routed() {
        return new Qwen35Family("qwen3_5_moe", "Qwen3_5Moe");
    }

    @Override
    public String modelType() {
        return modelType;
    }

    @Override
    public String title() {
        return "Qwen3.5 and 3.6";
    }

    @Override
    public boolean overlooksImages() {
        return true;
    }

    @Override
    public Set<String> knownKeys() {
        return AROUND;
    }

    @Override
    public Map<String, Set<String>> knownSectionKeys() {
        return Map.of(
                HuggingFaceConfig.TEXT, HybridConfig.KNOWN_KEYS, VisionConfig.VISION, VisionConfig.KNOWN_VISION_KEYS);
    }

    @Override
    public ModelArchitecture architecture(String id, HuggingFaceConfig config) {
        HuggingFaceConfig text =
                VisionConfig.text(config, modelClass + "ForConditionalGeneration", modelType + "_text");
        return decoder(id, modelType, text);
    }

    /// The decoder by itself.
    DecoderFamily textOnly() {
        String textType = modelType + "_text";
        return new DecoderFamily(
                textType, title(), HybridConfig.KNOWN_KEYS, (id, config) -> decoder(id, textType, config));
    }

    private ModelArchitecture decoder(String id, String family, HuggingFaceConfig text) {
        HybridConfig.refuseUnpriced(text, List.of(modelClass + "TextModel", modelClass + "ForCausalLM"));
        List<LayerGroup> groups = HybridConfig.groups(text, false);
        boolean drafts = text.isOn("mtp_num_hidden_layers");
        return DecoderConfig.withShiftedNorms(
                id, family, text, groups, drafts ? HybridConfig.drafts(text, false) : null);
    }

    private static Set<String> around() {
        Set<String> keys = new HashSet<>(VisionConfig.KNOWN_KEYS);
        keys.add("language_model_only");
        return Set.copyOf(keys);
    }
}
