package io.throughputoptimizer.core.model.family;

import io.throughputoptimizer.core.model.AttentionSpec;
import io.throughputoptimizer.core.model.BlockResiduals;
import io.throughputoptimizer.core.model.FeedForwardSpec;
import io.throughputoptimizer.core.model.LayerGroup;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.model.NormStyle;
import io.throughputoptimizer.core.model.Router;
import io.throughputoptimizer.core.model.config.DecoderConfig;
import io.throughputoptimizer.core.model.config.ExpertConfig;
import io.throughputoptimizer.core.model.config.HuggingFaceConfig;
import io.throughputoptimizer.core.model.config.LatentConfig;
import io.throughputoptimizer.core.model.config.UnpricedFeatures;
import io.throughputoptimizer.core.model.config.VisionConfig;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Kimi-K3: Kimi delta attention in most layers, gated latent attention in the others, routed
/// experts in a narrower space, attention residuals. Only measured kernels price it.
final class KimiK3Family implements MultimodalFamily {
    private static final int BIAS_BYTES = 4;
    private static final String LINEAR = "linear_attn_config";
    private static final String FULL_LAYERS = "full_attn_layers";
    private static final String HEADS = "num_heads";
    private static final String EXPERTS = "num_experts";
    private static final String EXPERTS_PER_TOKEN = "num_experts_per_token";
    private static final String SHARED_EXPERTS = "num_shared_experts";
    private static final String LATENT_WIDTH = "routed_expert_hidden_size";
    private static final String RESIDUAL_BLOCK = "attn_res_block_size";
    private static final String OUTPUT_GATE = "mla_use_output_gate";
    static final String DRAFTS = "num_nextn_predict_layers";

    /// Keys of features that Kimi-Linear lacks.
    static final List<String> OF_K3 = List.of(OUTPUT_GATE, LATENT_WIDTH, RESIDUAL_BLOCK);

    private static final Set<String> TEXT_KEYS = DecoderConfig.knownKeys(
            LINEAR,
            EXPERTS_PER_TOKEN,
            SHARED_EXPERTS,
            LATENT_WIDTH,
            RESIDUAL_BLOCK,
            OUTPUT_GATE,
            ExpertConfig.EXPERT_WIDTH,
            ExpertConfig.LEADING_DENSE,
            "activation_situ_beta",
            "activation_situ_linear_beta",
            "kv_lora_rank",
            "latent_moe_use_norm",
            "mla_use_nope",
            "moe_layer_freq",
            "moe_renormalize",
            "moe_router_activation_func",
            "num_expert_group",
            "q_lora_rank",
            "qk_nope_head_dim",
            "qk_rope_head_dim",
            "routed_scaling_factor",
            "topk_group",
            "topk_method",
            "use_grouped_topk",
            "v_head_dim");

    /// Returns the keys of a decoder of this kind.
    static Set<String> textKeys(String further) {
        Set<String> keys = new HashSet<>(TEXT_KEYS);
        keys.add(further);
        return Set.copyOf(keys);
    }

    @Override
    public String modelType() {
        return "kimi_k3";
    }

    @Override
    public String title() {
        return "Kimi-K3";
    }

    @Override
    public Set<String> knownKeys() {
        return KimiK25Family.AROUND;
    }

    @Override
    public Set<String> textKeys() {
        return TEXT_KEYS;
    }

    @Override
    public ModelArchitecture architecture(String id, HuggingFaceConfig config) {
        String modelClass = "KimiK3ForConditionalGeneration";
        UnpricedFeatures.refuse(config, modelClass, Set.of(HuggingFaceConfig.TEXT, VisionConfig.VISION));
        HuggingFaceConfig text = config.section(HuggingFaceConfig.TEXT);
        UnpricedFeatures.refuse(
                text,
                List.of(modelClass, "KimiLinearForCausalLM"),
                Set.of(EXPERTS, "kv_lora_rank", UnpricedFeatures.ACTIVATION));
        refuseUnpriced(text);
        return DecoderConfig.architecture(id, modelType(), text, groups(text, false), NormStyle.PLAIN, null, null)
                .connectedBy(
                        text.isOn(RESIDUAL_BLOCK)
                                ? new BlockResiduals(text.count(RESIDUAL_BLOCK, ModelArchitecture.MAX_LAYERS))
                                : null);
    }

    static void refuseUnpriced(HuggingFaceConfig text) {
        text.requireNumberIfGiven(DRAFTS, 0, "drafts of layers of the model itself are not priced");
        text.requireNumberIfGiven("moe_layer_freq", 1, "only experts in every layer after the dense ones are priced");
    }

    /// Reads the layers.
    ///
    /// @param gatesNarrowly whether gates of results pass through a vector as wide as a head
    static List<LayerGroup> groups(HuggingFaceConfig text, boolean gatesNarrowly) {
        HuggingFaceConfig linear = text.section(LINEAR);
        AttentionSpec delta = delta(linear, gatesNarrowly);
        AttentionSpec full = full(text, gatesNarrowly);
        FeedForwardSpec experts = experts(text);
        List<Integer> fullLayers = layers(linear);
        int dense = text.isOn(ExpertConfig.LEADING_DENSE)
                ? text.count(ExpertConfig.LEADING_DENSE, ModelArchitecture.MAX_LAYERS)
                : 0;
        List<LayerGroup> groups = new ArrayList<>();
        for (int layer = 1; layer <= DecoderConfig.layers(text); layer++) {
            groups.add(new LayerGroup(
                    1,
                    fullLayers.contains(layer) ? full : delta,
                    layer <= dense ? DecoderConfig.denseFeedForward(text) : experts));
        }
        return LayerGroup.joined(groups);
    }

    private static AttentionSpec delta(HuggingFaceConfig linear, boolean gatesNarrowly) {
        int size = linear.count("head_dim", ModelArchitecture.MAX_HIDDEN_SIZE);
        int heads = linear.count(HEADS, ModelArchitecture.MAX_INNER_WIDTH / size);
        return new AttentionSpec.GatedDelta(
                heads,
                heads,
                size,
                linear.count("short_conv_kernel_size", AttentionSpec.GatedDelta.MAX_KERNEL),
                false,
                true,
                gatesNarrowly);
    }

    /// @param mayKeepQueries whether queries may lack a compression
    private static AttentionSpec full(HuggingFaceConfig text, boolean mayKeepQueries) {
        AttentionSpec.MultiHeadLatent latent = mayKeepQueries && !text.has("q_lora_rank")
                ? LatentConfig.attention(text, 0, null)
                : LatentConfig.attention(text, null);
        return new AttentionSpec.MultiHeadLatent(
                latent.heads(), latent.queryRank(), latent.keyValueRank(), latent.head(), null, text.flag(OUTPUT_GATE));
    }

    /// Numbers of the layers of full attention, the first being 1.
    private static List<Integer> layers(HuggingFaceConfig linear) {
        List<Integer> layers = new ArrayList<>();
        for (Object layer : linear.list(FULL_LAYERS)) {
            layers.add(layer instanceof Number number ? number.intValue() : 0);
        }
        if (layers.isEmpty() || layers.stream().anyMatch(layer -> layer < 1)) {
            throw linear.invalid(FULL_LAYERS, "a list of layer numbers from 1");
        }
        return layers;
    }

    private static FeedForwardSpec experts(HuggingFaceConfig text) {
        int number = text.count(EXPERTS, FeedForwardSpec.Routing.MAX_EXPERTS);
        var routing = new FeedForwardSpec.Routing(
                number, text.count(EXPERTS_PER_TOKEN, number), new Router.RawLogits(BIAS_BYTES, null));
        int width = ExpertConfig.expertWidth(text, ExpertConfig.EXPERT_WIDTH, routing);
        int shared = text.isOn(SHARED_EXPERTS)
                ? width * text.count(SHARED_EXPERTS, ModelArchitecture.MAX_INNER_WIDTH / width)
                : 0;
        var experts = new FeedForwardSpec.RoutedExperts(routing, width, shared);
        return text.isOn(LATENT_WIDTH)
                ? experts.within(text.count(LATENT_WIDTH, ModelArchitecture.MAX_HIDDEN_SIZE))
                : experts;
    }
}
