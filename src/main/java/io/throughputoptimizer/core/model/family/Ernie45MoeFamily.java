package io.throughputoptimizer.core.model.family;

import io.throughputoptimizer.core.model.AttentionSpec;
import io.throughputoptimizer.core.model.AttentionSpec.HeadNorm;
import io.throughputoptimizer.core.model.FeedForwardSpec;
import io.throughputoptimizer.core.model.HeadRotation;
import io.throughputoptimizer.core.model.LayerGroup;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.model.Router;
import io.throughputoptimizer.core.model.config.AttentionHeads;
import io.throughputoptimizer.core.model.config.DecoderConfig;
import io.throughputoptimizer.core.model.config.ExpertConfig;
import io.throughputoptimizer.core.model.config.HuggingFaceConfig;
import io.throughputoptimizer.core.model.config.UnpricedFeatures;
import java.util.List;
import java.util.Set;

/// ERNIE-4.5 with routed experts: attention of [DenseFamilies#ERNIE_4_5], dense layers in front, some shared
/// experts as one wide network.
final class Ernie45MoeFamily implements ModelFamily {
    static final String BIAS = "use_bias";
    private static final String EXPERTS = "moe_num_experts";
    private static final String EXPERTS_PER_TOKEN = "moe_k";
    private static final String SHARED_EXPERTS = "moe_num_shared_experts";
    private static final String FIRST = "moe_layer_start_index";
    private static final String LAST = "moe_layer_end_index";
    private static final String INTERVAL = "moe_layer_interval";
    private static final Set<String> KNOWN_KEYS = DecoderConfig.knownKeys(
            EXPERTS,
            EXPERTS_PER_TOKEN,
            ExpertConfig.EXPERT_WIDTH,
            SHARED_EXPERTS,
            FIRST,
            LAST,
            INTERVAL,
            BIAS,
            "moe_capacity",
            "moe_gate",
            "moe_norm_min",
            "moe_use_aux_free",
            "output_router_logits",
            "router_aux_loss_coef");

    @Override
    public String modelType() {
        return "ernie4_5_moe";
    }

    @Override
    public String title() {
        return "ERNIE-4.5";
    }

    @Override
    public Set<String> knownKeys() {
        return KNOWN_KEYS;
    }

    @Override
    public ModelArchitecture architecture(String id, HuggingFaceConfig config) {
        UnpricedFeatures.refuse(config, "Ernie4_5_MoeForCausalLM", Set.of());
        int layers = DecoderConfig.layers(config);
        String everyLayer = "only experts in every layer after the dense ones are priced";
        config.requireNumberIfGiven(INTERVAL, 1, everyLayer);
        if (config.numberAt(LAST).filter(last -> last >= 0 && last < layers - 1).isPresent()) {
            throw config.refused(LAST, everyLayer);
        }
        LayerGroup routed = new LayerGroup(layers, attention(config), experts(config));
        List<LayerGroup> groups = config.isOn(FIRST)
                ? LayerGroup.withLeadingDense(
                        config.count(FIRST, ModelArchitecture.MAX_LAYERS),
                        DecoderConfig.denseFeedForward(config),
                        routed)
                : List.of(routed);
        return DecoderConfig.architecture(id, config, groups, false);
    }

    private static FeedForwardSpec experts(HuggingFaceConfig config) {
        int experts = config.count(EXPERTS, FeedForwardSpec.Routing.MAX_EXPERTS);
        var routing = new FeedForwardSpec.Routing(
                experts, config.count(EXPERTS_PER_TOKEN, experts), new Router.CorrectedSoftmax());
        return ExpertConfig.experts(config, routing, SHARED_EXPERTS);
    }

    /// Attention, which [DenseFamilies#ERNIE_4_5] shares.
    static AttentionSpec attention(HuggingFaceConfig config) {
        if (config.isOn(BIAS)) {
            throw config.refused(BIAS, "biases of ERNIE-4.5 are not priced");
        }
        AttentionHeads heads = AttentionHeads.sharingHiddenSize(config);
        return new AttentionSpec.GroupedQuery(
                        heads.query(), heads.keyValue(), heads.size(), HeadNorm.NONE, false, false)
                .turning(HeadRotation.WIDE_PAIRS);
    }
}
