package io.throughputoptimizer.core.model.family;

import io.throughputoptimizer.core.model.AttentionSpec;
import io.throughputoptimizer.core.model.AttentionSpec.HeadNorm;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.model.config.AttentionHeads;
import io.throughputoptimizer.core.model.config.DecoderConfig;
import io.throughputoptimizer.core.model.config.HuggingFaceConfig;
import io.throughputoptimizer.core.model.config.UnpricedFeatures;
import java.util.Map;
import java.util.Set;

/// Seed-OSS: `attention_bias` puts biases on queries, keys and values, `attention_out_bias` on the output projection.
final class SeedOssFamily implements ModelFamily {
    private static final String BIAS = "attention_bias";
    private static final String OUTPUT_BIAS = "attention_out_bias";
    private static final Set<String> KNOWN_KEYS = DecoderConfig.knownKeys(BIAS, OUTPUT_BIAS, "residual_dropout");

    @Override
    public String modelType() {
        return "seed_oss";
    }

    @Override
    public String title() {
        return "Seed-OSS";
    }

    @Override
    public Set<String> knownKeys() {
        return KNOWN_KEYS;
    }

    @Override
    public ModelArchitecture architecture(String id, HuggingFaceConfig given) {
        HuggingFaceConfig config = given.orElse(Map.of(BIAS, true));
        UnpricedFeatures.refuse(config, "SeedOssForCausalLM", Set.of());
        AttentionHeads heads = AttentionHeads.given(config);
        AttentionSpec.GroupedQuery attention = new AttentionSpec.GroupedQuery(
                heads.query(),
                heads.keyValue(),
                heads.size(),
                HeadNorm.NONE,
                config.flag(BIAS),
                config.flag(OUTPUT_BIAS));
        return DecoderConfig.uniform(id, config, attention, DecoderConfig.denseFeedForward(config));
    }
}
