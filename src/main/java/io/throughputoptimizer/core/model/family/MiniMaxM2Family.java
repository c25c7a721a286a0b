package io.throughputoptimizer.core.model.family;

import static io.throughputoptimizer.core.model.config.ExpertConfig.EXPERTS_PER_TOKEN;

import io.throughputoptimizer.core.model.AttentionSpec;
import io.throughputoptimizer.core.model.AttentionSpec.HeadNorm;
import io.throughputoptimizer.core.model.FeedForwardSpec;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.model.Router;
import io.throughputoptimizer.core.model.config.AttentionHeads;
import io.throughputoptimizer.core.model.config.DecoderConfig;
import io.throughputoptimizer.core.model.config.ExpertConfig;
import io.throughputoptimizer.core.model.config.HuggingFaceConfig;
import io.throughputoptimizer.core.model.config.UnpricedFeatures;
import java.util.Set;

/// MiniMax-M2: queries and keys are normalized across heads; experts in every layer, as wide as `intermediate_size`
/// says. The reference rotates whole heads, whatever `rotary_dim` is, and has no layers for multi-token prediction.
final class MiniMaxM2Family implements ModelFamily {
    private static final String EXPERTS = "num_local_experts";
    private static final String ROTATED = "rotary_dim";
    private static final Set<String> KNOWN_KEYS = DecoderConfig.knownKeys(
            EXPERTS_PER_TOKEN,
            "attn_type_list",
            "layernorm_full_attention_beta",
            "layernorm_linear_attention_beta",
            "layernorm_mlp_beta",
            "mlp_intermediate_size",
            "mtp_transformer_layers",
            "num_mtp_modules",
            "output_router_logits",
            "qk_norm_type",
            ROTATED,
            "router_aux_loss_coef",
            "router_jitter_noise",
            "scoring_func",
            "shared_intermediate_size",
            "shared_moe_mode",
            "use_mtp",
            "use_qk_norm",
            "use_routing_bias");

    @Override
    public String modelType() {
        return "minimax_m2";
    }

    @Override
    public String title() {
        return "MiniMax-M2";
    }

    @Override
    public Set<String> knownKeys() {
        return KNOWN_KEYS;
    }

    @Override
    public ModelArchitecture architecture(String id, HuggingFaceConfig config) {
        boolean inPart = config.has(ROTATED);
        UnpricedFeatures.refuse(
                config,
                "MiniMaxM2ForCausalLM",
                inPart ? Set.of(EXPERTS, UnpricedFeatures.ROTARY_SHARE) : Set.of(EXPERTS));
        config.require("use_qk_norm", true, "only normalized queries and keys are priced");
        config.require("qk_norm_type", "per_layer", "only a norm across heads is priced");
        config.require("scoring_func", "sigmoid", "only sigmoid is priced");
        config.require("use_routing_bias", true, "only corrected scores are priced");
        if (config.isOn("shared_intermediate_size")) {
            throw config.refused("shared_intermediate_size", "a shared expert is not priced");
        }
        if (config.list("attn_type_list").stream()
                .anyMatch(type -> !(type instanceof Number full && full.intValue() == 1))) {
            throw config.refused("attn_type_list", "only full attention in every layer, 1, is priced");
        }
        AttentionHeads heads = AttentionHeads.given(config);
        if (inPart) {
            heads.requireRotated(config, ROTATED);
        }
        AttentionSpec.GroupedQuery attention = new AttentionSpec.GroupedQuery(
                heads.query(), heads.keyValue(), heads.size(), HeadNorm.ACROSS_HEADS, false, false);
        FeedForwardSpec.Routing routing = ExpertConfig.routing(config, EXPERTS, new Router.Sigmoid());
        int width = ExpertConfig.expertWidth(config, "intermediate_size", routing);
        var experts = new FeedForwardSpec.RoutedExperts(routing, width, 0);
        return DecoderConfig.uniform(id, config, attention, experts);
    }
}
