package io.throughputoptimizer.core.model;

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
    public Set<String> knownKeys() {
        return KNOWN_KEYS;
    }

    @Override
    public ModelArchitecture architecture(String id, HuggingFaceConfig config) {
        LatentConfig.refuseUnpriced(config, "GlmMoeDsaForCausalLM");
        var experts = ExpertConfig.deepSeek(config, new Router.RawLogits(BIAS_BYTES));
        AttentionSpec attention = LatentConfig.attention(config, LatentConfig.indexer(config));
        return DecoderConfig.architecture(id, config, attention, experts, LatentConfig.hasDraftLayers(config));
    }
}
