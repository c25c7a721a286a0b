package io.throughputoptimizer.core.model;

import java.util.List;
import java.util.Set;

/// GLM-5 and 5.1: sparse attention, routing of [DeepSeekV3Family].
final class GlmMoeDsaFamily implements ModelFamily {
    private static final int BIAS_BYTES = 4;
    private static final Set<String> KNOWN_KEYS = LatentConfig.sparseKeys();

    @Override
    public String modelType() {
        return "glm_moe_dsa";
    }

    @Override
    public String title() {
        return "GLM-5";
    }

    @Override
    public Set<String> knownKeys() {
        return KNOWN_KEYS;
    }

    @Override
    public ModelArchitecture architecture(String id, HuggingFaceConfig config) {
        LatentConfig.refuseUnpriced(config, "GlmMoeDsaForCausalLM");
        AttentionSpec attention = LatentConfig.attention(config, LatentConfig.indexer(config));
        List<LayerGroup> groups = ExpertConfig.deepSeek(config, attention, new Router.RawLogits(BIAS_BYTES));
        return DecoderConfig.architecture(id, config, groups, LatentConfig.hasDraftLayers(config));
    }
}
