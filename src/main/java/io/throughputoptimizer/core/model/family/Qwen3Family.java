package io.throughputoptimizer.core.model.family;

import io.throughputoptimizer.core.model.AttentionSpec;
import io.throughputoptimizer.core.model.AttentionSpec.HeadNorm;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.model.config.AttentionHeads;
import io.throughputoptimizer.core.model.config.DecoderConfig;
import io.throughputoptimizer.core.model.config.HuggingFaceConfig;
import io.throughputoptimizer.core.model.config.UnpricedFeatures;
import java.util.List;
import java.util.Set;

/// Qwen3, dense: queries and keys are normalized per head; `attention_bias` puts biases on all four
/// projections of attention. The size of a head is independent of the hidden size and must be given.
final class Qwen3Family implements ModelFamily {
    static final Set<String> KNOWN_KEYS = DecoderConfig.knownKeys("attention_bias");

    @Override
    public String modelType() {
        return "qwen3";
    }

    @Override
    public String title() {
        return "Qwen3";
    }

    @Override
    public Set<String> knownKeys() {
        return KNOWN_KEYS;
    }

    @Override
    public ModelArchitecture architecture(String id, HuggingFaceConfig config) {
        return decoder(id, config, "Qwen3ForCausalLM");
    }

    /// The decoder, which other families share.
    ///
    /// @param modelClasses classes that `architectures` can name
    static ModelArchitecture decoder(String id, HuggingFaceConfig config, String... modelClasses) {
        UnpricedFeatures.refuse(config, List.of(modelClasses), Set.of());
        AttentionHeads heads = AttentionHeads.given(config);
        boolean bias = config.flag("attention_bias");
        AttentionSpec.GroupedQuery attention = new AttentionSpec.GroupedQuery(
                heads.query(), heads.keyValue(), heads.size(), HeadNorm.PER_HEAD, bias, bias);
        return DecoderConfig.uniform(id, config, attention, DecoderConfig.denseFeedForward(config));
    }
}
