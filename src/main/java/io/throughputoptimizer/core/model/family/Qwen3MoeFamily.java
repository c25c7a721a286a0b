package io.throughputoptimizer.core.model.family;

import static io.throughputoptimizer.core.model.config.ExpertConfig.EXPERTS_PER_TOKEN;
import static io.throughputoptimizer.core.model.config.ExpertConfig.EXPERT_WIDTH;

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
import java.util.List;
import java.util.Set;

/// Qwen3 with routed experts: attention of [DenseFamilies#QWEN3], experts in every layer, none of them shared.
final class Qwen3MoeFamily implements ModelFamily {
    private static final String EXPERTS = "num_experts";
    private static final String EVERY_LAYER = "only experts in every layer are priced";
    static final Set<String> KNOWN_KEYS = DecoderConfig.knownKeys(
            "attention_bias",
            EXPERTS_PER_TOKEN,
            EXPERT_WIDTH,
            "decoder_sparse_step",
            "mlp_only_layers",
            "norm_topk_prob",
            "output_router_logits",
            "qkv_bias",
            "router_aux_loss_coef",
            "shared_expert_intermediate_size",
            "use_qk_norm");

    @Override
    public String modelType() {
        return "qwen3_moe";
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
        return decoder(id, config, "Qwen3MoeForCausalLM");
    }

    /// The decoder, which other families share.
    ///
    /// @param modelClasses classes that `architectures` can name
    static ModelArchitecture decoder(String id, HuggingFaceConfig config, String... modelClasses) {
        UnpricedFeatures.refuse(config, List.of(modelClasses), Set.of(EXPERTS));
        config.requireNumberIfGiven("decoder_sparse_step", 1, EVERY_LAYER);
        if (!config.list("mlp_only_layers").isEmpty()) {
            throw config.refused("mlp_only_layers", EVERY_LAYER);
        }
        config.require("norm_topk_prob", true, "only weights normalized to a sum of 1 are priced");
        if (config.isOn("shared_expert_intermediate_size")) {
            throw config.refused("shared_expert_intermediate_size", "this model_type has no shared expert");
        }
        AttentionHeads heads = AttentionHeads.given(config);
        boolean bias = config.flag("attention_bias");
        AttentionSpec.GroupedQuery attention = new AttentionSpec.GroupedQuery(
                heads.query(), heads.keyValue(), heads.size(), HeadNorm.PER_HEAD, bias, bias);
        FeedForwardSpec.Routing routing = ExpertConfig.routing(config, EXPERTS, new Router.Softmax());
        int width = ExpertConfig.expertWidth(config, EXPERT_WIDTH, routing);
        var experts = new FeedForwardSpec.RoutedExperts(routing, width, 0);
        return DecoderConfig.uniform(id, config, attention, experts);
    }
}
