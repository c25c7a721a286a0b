package io.throughputoptimizer.core.model.family;

import static io.throughputoptimizer.core.model.config.ExpertConfig.EXPERTS_PER_TOKEN;

import io.throughputoptimizer.core.model.AttentionSpec;
import io.throughputoptimizer.core.model.AttentionSpec.HeadNorm;
import io.throughputoptimizer.core.model.FeedForwardSpec;
import io.throughputoptimizer.core.model.LayerGroup;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.model.Router;
import io.throughputoptimizer.core.model.config.AttentionHeads;
import io.throughputoptimizer.core.model.config.DecoderConfig;
import io.throughputoptimizer.core.model.config.ExpertConfig;
import io.throughputoptimizer.core.model.config.HuggingFaceConfig;
import io.throughputoptimizer.core.model.config.UnpricedFeatures;
import io.throughputoptimizer.core.model.config.WindowConfig;
import java.util.List;
import java.util.Set;

/// gpt-oss: layers take turns in seeing all tokens and the most recent ones only; experts in every layer, as wide as
/// `intermediate_size` says. Biases of experts and router, and the sinks of attention, are not counted: together
/// they are less than a thousandth of the parameters.
final class GptOssFamily implements ModelFamily {
    private static final String EXPERTS = "num_local_experts";
    private static final Set<String> KNOWN_KEYS = DecoderConfig.knownKeys(
            EXPERTS_PER_TOKEN,
            "attention_bias",
            "experts_per_token",
            "initial_context_length",
            "output_router_logits",
            "router_aux_loss_coef",
            "swiglu_limit");

    @Override
    public String modelType() {
        return "gpt_oss";
    }

    @Override
    public String title() {
        return "gpt-oss";
    }

    @Override
    public Set<String> knownKeys() {
        return KNOWN_KEYS;
    }

    @Override
    public ModelArchitecture architecture(String id, HuggingFaceConfig config) {
        UnpricedFeatures.refuse(config, "GptOssForCausalLM", Set.of(EXPERTS, WindowConfig.WINDOW));
        AttentionHeads heads = AttentionHeads.given(config);
        boolean bias = config.flag("attention_bias");
        AttentionSpec.GroupedQuery attention = new AttentionSpec.GroupedQuery(
                heads.query(), heads.keyValue(), heads.size(), HeadNorm.NONE, bias, bias);
        FeedForwardSpec.Routing routing = ExpertConfig.routing(config, EXPERTS, new Router.Softmax());
        int width = ExpertConfig.expertWidth(config, "intermediate_size", routing);
        var experts = new FeedForwardSpec.RoutedExperts(routing, width, 0);
        AttentionSpec.GroupedQuery sliding = attention.within(WindowConfig.window(config));
        List<LayerGroup> groups = WindowConfig.groups(
                WindowConfig.byTypes(config), slides -> new LayerGroup(1, slides ? sliding : attention, experts));
        return DecoderConfig.architecture(id, config, groups, false);
    }
}
