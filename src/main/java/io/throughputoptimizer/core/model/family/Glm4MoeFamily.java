package io.throughputoptimizer.core.model.family;

import io.throughputoptimizer.core.model.AttentionSpec;
import io.throughputoptimizer.core.model.AttentionSpec.HeadNorm;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.model.Router;
import io.throughputoptimizer.core.model.config.AttentionHeads;
import io.throughputoptimizer.core.model.config.DecoderConfig;
import io.throughputoptimizer.core.model.config.ExpertConfig;
import io.throughputoptimizer.core.model.config.HuggingFaceConfig;
import io.throughputoptimizer.core.model.config.UnpricedFeatures;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// GLM-4.5 to 4.7: grouped-query attention with biases on queries, keys and values, of whose heads a part is rotated;
/// routing of [DeepSeekV3Family]. With `use_qk_norm`, queries and keys are normalized per head.
final class Glm4MoeFamily implements ModelFamily {
    private static final int BIAS_BYTES = 4;
    private static final String NORMALIZES = "use_qk_norm";
    private static final String ROTARY_SHARE = UnpricedFeatures.ROTARY_SHARE;
    private static final String DRAFT_LAYERS = "num_nextn_predict_layers";
    static final Set<String> KNOWN_KEYS = keys();

    @Override
    public String modelType() {
        return "glm4_moe";
    }

    @Override
    public String title() {
        return "GLM-4.5 to 4.7";
    }

    @Override
    public Set<String> knownKeys() {
        return KNOWN_KEYS;
    }

    @Override
    public ModelArchitecture architecture(String id, HuggingFaceConfig config) {
        return decoder(id, config, List.of("Glm4MoeForCausalLM"), config.isOn(DRAFT_LAYERS));
    }

    /// The decoder, which another family shares.
    ///
    /// @param modelClasses classes that `architectures` can name
    /// @param predictsDrafts whether multi-token prediction is modelled
    static ModelArchitecture decoder(
            String id, HuggingFaceConfig config, List<String> modelClasses, boolean predictsDrafts) {
        UnpricedFeatures.refuse(config, modelClasses, Set.of("n_routed_experts", DRAFT_LAYERS, ROTARY_SHARE));
        config.require("norm_topk_prob", true, "only weights normalized to a sum of 1 are priced");
        Router router = new Router.RawLogits(BIAS_BYTES, ExpertConfig.groups(config));
        return DecoderConfig.architecture(
                id, config, ExpertConfig.deepSeek(config, attention(config), router), predictsDrafts);
    }

    private static AttentionSpec.GroupedQuery attention(HuggingFaceConfig config) {
        AttentionHeads heads = AttentionHeads.given(config);
        return new AttentionSpec.GroupedQuery(
                        heads.query(),
                        heads.keyValue(),
                        heads.size(),
                        config.flag(NORMALIZES) ? HeadNorm.PER_HEAD : HeadNorm.NONE,
                        config.flag("attention_bias"),
                        false)
                .rotating(heads.rotated(config));
    }

    private static Set<String> keys() {
        Set<String> keys = new HashSet<>(ExpertConfig.deepSeekKeys());
        keys.addAll(List.of("attention_bias", NORMALIZES));
        return DecoderConfig.knownKeys(keys.toArray(String[]::new));
    }
}
