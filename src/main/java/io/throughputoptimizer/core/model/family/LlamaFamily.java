package io.throughputoptimizer.core.model.family;

import io.throughputoptimizer.core.model.AttentionSpec;
import io.throughputoptimizer.core.model.AttentionSpec.HeadNorm;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.model.config.AttentionHeads;
import io.throughputoptimizer.core.model.config.DecoderConfig;
import io.throughputoptimizer.core.model.config.HuggingFaceConfig;
import io.throughputoptimizer.core.model.config.UnpricedFeatures;
import java.util.Set;

/// Llama: `attention_bias` puts biases on all four projections of attention.
final class LlamaFamily implements ModelFamily {
    private static final Set<String> KNOWN_KEYS = DecoderConfig.knownKeys("attention_bias");

    @Override
    public String modelType() {
        return "llama";
    }

    @Override
    public String title() {
        return "Llama 3";
    }

    @Override
    public Set<String> knownKeys() {
        return KNOWN_KEYS;
    }

    @Override
    public ModelArchitecture architecture(String id, HuggingFaceConfig config) {
        UnpricedFeatures.refuse(config, "LlamaForCausalLM", Set.of());
        AttentionHeads heads = AttentionHeads.multiHeadUnlessGrouped(config);
        boolean bias = config.flag("attention_bias");
        AttentionSpec.GroupedQuery attention = new AttentionSpec.GroupedQuery(
                heads.query(), heads.keyValue(), heads.size(), HeadNorm.NONE, bias, bias);
        return DecoderConfig.uniform(id, config, attention, DecoderConfig.denseFeedForward(config));
    }
}
