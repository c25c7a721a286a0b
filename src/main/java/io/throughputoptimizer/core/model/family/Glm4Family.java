package io.throughputoptimizer.core.model.family;

import io.throughputoptimizer.core.model.AttentionSpec;
import io.throughputoptimizer.core.model.AttentionSpec.HeadNorm;
import io.throughputoptimizer.core.model.FeedForwardSpec;
import io.throughputoptimizer.core.model.HeadRotation;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.model.SandwichNorms;
import io.throughputoptimizer.core.model.config.AttentionHeads;
import io.throughputoptimizer.core.model.config.DecoderConfig;
import io.throughputoptimizer.core.model.config.HuggingFaceConfig;
import io.throughputoptimizer.core.model.config.UnpricedFeatures;
import java.util.Set;

/// GLM-4-0414: norms before and behind each part of a layer, heads turned in part by neighbours, gate and up in one
/// weight.
final class Glm4Family implements ModelFamily {
    private static final String ROTARY_SHARE = UnpricedFeatures.ROTARY_SHARE;
    private static final Set<String> KNOWN_KEYS = DecoderConfig.knownKeys("attention_bias");

    @Override
    public String modelType() {
        return "glm4";
    }

    @Override
    public String title() {
        return "GLM-4-0414";
    }

    @Override
    public Set<String> knownKeys() {
        return KNOWN_KEYS;
    }

    @Override
    public ModelArchitecture architecture(String id, HuggingFaceConfig config) {
        UnpricedFeatures.refuse(config, "Glm4ForCausalLM", Set.of(ROTARY_SHARE));
        config.requireNumberIfGiven("rms_norm_eps", 1e-5, "only norms that do not fuse with quantization are priced");
        AttentionHeads heads = AttentionHeads.given(config);
        AttentionSpec.GroupedQuery attention = new AttentionSpec.GroupedQuery(
                        heads.query(),
                        heads.keyValue(),
                        heads.size(),
                        HeadNorm.NONE,
                        config.flag("attention_bias"),
                        false)
                .rotating(heads.rotated(config))
                .turning(HeadRotation.PAIRS);
        FeedForwardSpec feedForward = DecoderConfig.denseFeedForward(config).joining();
        return DecoderConfig.uniform(id, config, attention, feedForward).connectedBy(new SandwichNorms(true, false));
    }
}
