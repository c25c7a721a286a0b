package io.throughputoptimizer.core.model.family;

import io.throughputoptimizer.core.model.AttentionSpec;
import io.throughputoptimizer.core.model.AttentionSpec.HeadNorm;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.model.config.AttentionHeads;
import io.throughputoptimizer.core.model.config.DecoderConfig;
import io.throughputoptimizer.core.model.config.HuggingFaceConfig;
import io.throughputoptimizer.core.model.config.UnpricedFeatures;
import java.util.Set;

/// Qwen2 and Qwen2.5, and MiMo-7B, whose draft layer is not priced: the q, k and v projections always have biases, the
/// output projection never.
///
/// @param modelClass the class that `architectures` may name
record Qwen2Family(String modelType, String title, String modelClass) implements ModelFamily {
    private static final String BIAS = "attention_bias";
    private static final Set<String> KNOWN_KEYS = DecoderConfig.knownKeys(BIAS);

    static Qwen2Family qwen2() {
        return new Qwen2Family("qwen2", "Qwen2.5", "Qwen2ForCausalLM");
    }

    static Qwen2Family mimo() {
        return new Qwen2Family("mimo", "MiMo", "MiMoForCausalLM");
    }

    @Override
    public Set<String> knownKeys() {
        return KNOWN_KEYS;
    }

    @Override
    public ModelArchitecture architecture(String id, HuggingFaceConfig config) {
        UnpricedFeatures.refuse(
                config, modelClass, modelType.equals("mimo") ? Set.of("num_nextn_predict_layers") : Set.of());
        if (config.has(BIAS) && !config.flag(BIAS)) {
            throw config.refused(BIAS, "only true is priced");
        }
        AttentionHeads heads = AttentionHeads.sharingHiddenSize(config);
        AttentionSpec.GroupedQuery attention = new AttentionSpec.GroupedQuery(
                heads.query(), heads.keyValue(), heads.size(), HeadNorm.NONE, true, false);
        return DecoderConfig.uniform(id, config, attention, DecoderConfig.denseFeedForward(config));
    }
}
