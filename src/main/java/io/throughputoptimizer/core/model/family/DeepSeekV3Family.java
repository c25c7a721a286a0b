package io.throughputoptimizer.core.model.family;

import io.throughputoptimizer.core.model.AttentionSpec;
import io.throughputoptimizer.core.model.LayerGroup;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.model.Router;
import io.throughputoptimizer.core.model.config.DecoderConfig;
import io.throughputoptimizer.core.model.config.ExpertConfig;
import io.throughputoptimizer.core.model.config.HuggingFaceConfig;
import io.throughputoptimizer.core.model.config.LatentConfig;
import java.util.List;
import java.util.Set;

/// DeepSeek-V3, V3.1 and R1, and models of that architecture under a `model_type` of their own. The reference routes
/// them without groups and without scaling.
record DeepSeekV3Family(String modelType, String title) implements ModelFamily {
    private static final int BIAS_BYTES = 2;
    static final Set<String> KNOWN_KEYS = LatentConfig.knownKeys();

    @Override
    public Set<String> knownKeys() {
        return KNOWN_KEYS;
    }

    @Override
    public ModelArchitecture architecture(String id, HuggingFaceConfig config) {
        return decoder(id, config);
    }

    /// The decoder, which other families share.
    static ModelArchitecture decoder(String id, HuggingFaceConfig config) {
        LatentConfig.refuseUnpriced(config, "DeepseekV3ForCausalLM");
        AttentionSpec attention = LatentConfig.attention(config, null);
        List<LayerGroup> groups = ExpertConfig.deepSeek(config, attention, new Router.RawLogits(BIAS_BYTES, null));
        return DecoderConfig.architecture(id, config, groups, LatentConfig.hasDraftLayers(config));
    }
}
