package io.throughputoptimizer.core.model.family;

import io.throughputoptimizer.core.model.AttentionSpec;
import io.throughputoptimizer.core.model.AttentionSpec.HeadNorm;
import io.throughputoptimizer.core.model.AttentionSpec.Projections;
import io.throughputoptimizer.core.model.FeedForwardSpec;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.model.Router;
import io.throughputoptimizer.core.model.config.AttentionHeads;
import io.throughputoptimizer.core.model.config.DecoderConfig;
import io.throughputoptimizer.core.model.config.ExpertConfig;
import io.throughputoptimizer.core.model.config.HuggingFaceConfig;
import io.throughputoptimizer.core.model.config.UnpricedFeatures;
import java.util.Set;

/// Ling 2.0: grouped-query attention, of whose heads a part is rotated, in a class that comes with the checkpoint;
/// routing limited to groups. The reference has no multi-token prediction for it.
final class LingFamily implements ModelFamily {
    private static final int BIAS_BYTES = Router.GroupLimited.HALF;
    private static final String EXPERTS = "num_experts";
    private static final String SHARED_EXPERTS = "num_shared_experts";
    private static final String QUERY_BIAS = "use_qkv_bias";
    private static final String BIAS = "use_bias";
    private static final String NORMALIZES = "use_qk_norm";
    private static final String DRAFT_LAYERS = "num_nextn_predict_layers";
    private static final Set<String> KNOWN_KEYS = DecoderConfig.knownKeys(
            SHARED_EXPERTS,
            QUERY_BIAS,
            BIAS,
            NORMALIZES,
            ExpertConfig.EXPERTS_PER_TOKEN,
            ExpertConfig.EXPERT_WIDTH,
            ExpertConfig.LEADING_DENSE,
            "n_group",
            "topk_group",
            "norm_topk_prob",
            "score_function",
            "moe_router_enable_expert_bias",
            "moe_shared_expert_intermediate_size",
            "routed_scaling_factor",
            "router_dtype",
            "embedding_dropout",
            "output_dropout",
            "use_rmsnorm");

    @Override
    public String modelType() {
        return "bailing_moe";
    }

    @Override
    public String title() {
        return "Ling";
    }

    @Override
    public Set<String> knownKeys() {
        return KNOWN_KEYS;
    }

    @Override
    public ModelArchitecture architecture(String id, HuggingFaceConfig config) {
        UnpricedFeatures.refuse(
                config, "BailingMoeV2ForCausalLM", Set.of(EXPERTS, DRAFT_LAYERS, UnpricedFeatures.ROTARY_SHARE));
        if (config.isOn(BIAS)) {
            throw config.refused(BIAS, "biases of the output are not priced");
        }
        config.require("norm_topk_prob", true, "only weights normalized to a sum of 1 are priced");
        config.require("score_function", "sigmoid", "only sigmoid is priced");
        config.require("moe_router_enable_expert_bias", true, "only corrected scores are priced");
        Router.GroupLimited groups = ExpertConfig.groups(config);
        Router router = new Router.GroupLimited(groups.groups(), groups.selectedGroups(), BIAS_BYTES);
        FeedForwardSpec.RoutedExperts experts =
                ExpertConfig.experts(config, ExpertConfig.routing(config, EXPERTS, router), SHARED_EXPERTS);
        return DecoderConfig.architecture(
                id, config, ExpertConfig.behindDense(config, attention(config), experts), false);
    }

    private static AttentionSpec.GroupedQuery attention(HuggingFaceConfig config) {
        AttentionHeads heads = AttentionHeads.given(config);
        return new AttentionSpec.GroupedQuery(
                        heads.query(),
                        heads.keyValue(),
                        heads.size(),
                        config.flag(NORMALIZES) ? HeadNorm.PER_HEAD : HeadNorm.NONE,
                        config.flag(QUERY_BIAS),
                        false)
                .rotating(heads.rotated(config))
                .projecting(Projections.COPIED);
    }
}
