package io.throughputoptimizer.core.model.config;

import io.throughputoptimizer.core.model.AttentionSpec;
import io.throughputoptimizer.core.model.FeedForwardSpec;
import io.throughputoptimizer.core.model.LayerGroup;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.model.Router;
import java.util.List;
import java.util.Set;

/// Reads the keys of routed experts.
public final class ExpertConfig {
    public static final String EXPERTS_PER_TOKEN = "num_experts_per_tok";
    public static final String EXPERT_WIDTH = "moe_intermediate_size";

    private static final String EXPERTS = "n_routed_experts";
    private static final String GROUPS = "n_group";
    private static final String SELECTED_GROUPS = "topk_group";
    private static final String SHARED_EXPERTS = "n_shared_experts";
    public static final String LEADING_DENSE = "first_k_dense_replace";

    private ExpertConfig() {}

    /// Reads the routing, with the number of experts at `expertsKey`.
    public static FeedForwardSpec.Routing routing(HuggingFaceConfig config, String expertsKey, Router router) {
        int experts = config.count(expertsKey, FeedForwardSpec.Routing.MAX_EXPERTS);
        return new FeedForwardSpec.Routing(experts, config.count(EXPERTS_PER_TOKEN, experts), router);
    }

    /// Reads the width of an expert at `key`.
    public static int expertWidth(HuggingFaceConfig config, String key, FeedForwardSpec.Routing routing) {
        return config.count(key, ModelArchitecture.MAX_INNER_WIDTH / routing.experts());
    }

    /// Reads DeepSeek layers: shared experts as one wide network, and leading dense layers.
    public static List<LayerGroup> deepSeek(HuggingFaceConfig config, AttentionSpec attention, Router router) {
        return behindDense(config, attention, deepSeekExperts(config, router));
    }

    /// Returns layers with the given experts, of which the leading ones are dense.
    public static List<LayerGroup> behindDense(
            HuggingFaceConfig config, AttentionSpec attention, FeedForwardSpec.RoutedExperts experts) {
        int layers = DecoderConfig.layers(config);
        return config.isOn(LEADING_DENSE)
                ? LayerGroup.withLeadingDense(
                        config.count(LEADING_DENSE, ModelArchitecture.MAX_LAYERS),
                        DecoderConfig.denseFeedForward(config),
                        new LayerGroup(layers, attention, experts))
                : List.of(new LayerGroup(layers, attention, experts));
    }

    /// Reads DeepSeek experts: shared experts as one wide network.
    public static FeedForwardSpec.RoutedExperts deepSeekExperts(HuggingFaceConfig config, Router router) {
        config.requireNumberIfGiven("moe_layer_freq", 1, "only experts in every layer after the dense ones are priced");
        return experts(config, routing(config, EXPERTS, router), SHARED_EXPERTS);
    }

    /// Reads experts, with shared experts as one wide network.
    ///
    /// @param sharedKey key of the number of shared experts
    public static FeedForwardSpec.RoutedExperts experts(
            HuggingFaceConfig config, FeedForwardSpec.Routing routing, String sharedKey) {
        int width = expertWidth(config, EXPERT_WIDTH, routing);
        int shared =
                config.isOn(sharedKey) ? width * config.count(sharedKey, ModelArchitecture.MAX_INNER_WIDTH / width) : 0;
        return new FeedForwardSpec.RoutedExperts(routing, width, shared);
    }

    /// Reads the group-limited router; a single group by default.
    public static Router.GroupLimited groups(HuggingFaceConfig config) {
        int groups = config.has(GROUPS) ? config.count(GROUPS, FeedForwardSpec.Routing.MAX_EXPERTS) : 1;
        return new Router.GroupLimited(
                groups,
                config.has(SELECTED_GROUPS) ? config.count(SELECTED_GROUPS, groups) : 1,
                Router.GroupLimited.SINGLE);
    }

    /// Returns the keys read by [#deepSeek], and routing keys that do not affect cost or must have a given
    /// value.
    public static Set<String> deepSeekKeys() {
        return Set.of(
                EXPERTS,
                EXPERTS_PER_TOKEN,
                EXPERT_WIDTH,
                SHARED_EXPERTS,
                LEADING_DENSE,
                "moe_layer_freq",
                GROUPS,
                SELECTED_GROUPS,
                "norm_topk_prob",
                "scoring_func",
                "topk_method",
                "routed_scaling_factor",
                "aux_loss_alpha",
                "seq_aux",
                "ep_size");
    }
}
