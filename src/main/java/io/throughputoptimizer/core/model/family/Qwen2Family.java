package io.throughputoptimizer.core.model.family;

import io.throughputoptimizer.core.model.AttentionSpec;
import io.throughputoptimizer.core.model.AttentionSpec.HeadNorm;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.model.config.AttentionHeads;
import io.throughputoptimizer.core.model.config.DecoderConfig;
import io.throughputoptimizer.core.model.config.HuggingFaceConfig;
import io.throughputoptimizer.core.model.config.UnpricedFeatures;
import java.util.Set;

/// Qwen2 and Qwen2.5: the q, k and v projections always have biases, the output projection never.
final class Qwen2Family implements ModelFamily {
    private static final Set<String> KNOWN_KEYS = DecoderConfig.knownKeys();

    @Override
    public String modelType() {
        return "qwen2";
    }

    @Override
    public String title() {
        return "Qwen2.5";
    }

    @Override
    public Set<String> knownKeys() {
        return KNOWN_KEYS;
    }

    @Override
    public ModelArchitecture architecture(String id, HuggingFaceConfig config) {
        UnpricedFeatures.refuse(config, "Qwen2ForCausalLM", Set.of());
        AttentionHeads heads = AttentionHeads.sharingHiddenSize(config);
        AttentionSpec.GroupedQuery attention = new AttentionSpec.GroupedQuery(
                heads.query(), heads.keyValue(), heads.size(), HeadNorm.NONE, true, false);
        return DecoderConfig.uniform(id, config, attention, DecoderConfig.denseFeedForward(config));
    }
}
