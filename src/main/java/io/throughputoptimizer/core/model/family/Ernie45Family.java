package io.throughputoptimizer.core.model.family;

import io.throughputoptimizer.core.model.AttentionSpec;
import io.throughputoptimizer.core.model.AttentionSpec.HeadNorm;
import io.throughputoptimizer.core.model.HeadRotation;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.model.config.AttentionHeads;
import io.throughputoptimizer.core.model.config.DecoderConfig;
import io.throughputoptimizer.core.model.config.HuggingFaceConfig;
import io.throughputoptimizer.core.model.config.UnpricedFeatures;
import java.util.Set;

/// ERNIE-4.5: as Llama, with heads that are turned by neighbours in float32.
final class Ernie45Family implements ModelFamily {
    static final String BIAS = "use_bias";
    private static final Set<String> KNOWN_KEYS = DecoderConfig.knownKeys(BIAS, "compression_ratio", "freq_allocation");

    @Override
    public String modelType() {
        return "ernie4_5";
    }

    @Override
    public String title() {
        return "ERNIE-4.5";
    }

    @Override
    public Set<String> knownKeys() {
        return KNOWN_KEYS;
    }

    @Override
    public ModelArchitecture architecture(String id, HuggingFaceConfig config) {
        UnpricedFeatures.refuse(config, "Ernie4_5ForCausalLM", Set.of());
        return DecoderConfig.uniform(id, config, attention(config), DecoderConfig.denseFeedForward(config));
    }

    /// Attention, which another family shares.
    static AttentionSpec attention(HuggingFaceConfig config) {
        if (config.isOn(BIAS)) {
            throw config.refused(BIAS, "biases of ERNIE-4.5 are not priced");
        }
        AttentionHeads heads = AttentionHeads.sharingHiddenSize(config);
        return new AttentionSpec.GroupedQuery(
                        heads.query(), heads.keyValue(), heads.size(), HeadNorm.NONE, false, false)
                .turning(HeadRotation.WIDE_PAIRS);
    }
}
