package io.throughputoptimizer.core.model.config;

import static io.throughputoptimizer.core.model.config.ExpertConfig.EXPERTS_PER_TOKEN;
import static io.throughputoptimizer.core.model.config.ExpertConfig.EXPERT_WIDTH;

import io.throughputoptimizer.core.model.AttentionSpec;
import io.throughputoptimizer.core.model.AttentionSpec.HeadNorm;
import io.throughputoptimizer.core.model.DraftLayers;
import io.throughputoptimizer.core.model.FeedForwardSpec;
import io.throughputoptimizer.core.model.GatedActivation;
import io.throughputoptimizer.core.model.LayerGroup;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.model.Router;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Reads the keys of hybrid models with linear and full attention layers, as in Qwen.
public final class HybridConfig {
    private static final String LAYER_TYPES = "layer_types";
    private static final String INTERVAL = "full_attention_interval";
    private static final String SHARED_WIDTH = "shared_expert_intermediate_size";
    private static final String EXPERTS = "num_experts";
    private static final String KEY_SIZE = "linear_key_head_dim";
    private static final String VALUE_SIZE = "linear_value_head_dim";
    private static final String KEY_HEADS = "linear_num_key_heads";
    private static final String VALUE_HEADS = "linear_num_value_heads";
    private static final String KERNEL = "linear_conv_kernel_dim";
    private static final String ROTARY = "rope_parameters";
    private static final String STATE_TYPE = "mamba_ssm_dtype";
    private static final String OUTPUT_GATE = "attn_output_gate";
    private static final String LINEAR = "linear_attention";
    private static final String FULL = "full_attention";
    private static final String EVERY_LAYER = "only experts in every layer are priced";
    private static final String NORMALIZED = "norm_topk_prob";

    /// Keys known to such a family.
    public static final Set<String> KNOWN_KEYS = DecoderConfig.knownKeys(
            "attention_bias",
            OUTPUT_GATE,
            INTERVAL,
            KERNEL,
            KEY_HEADS,
            KEY_SIZE,
            VALUE_HEADS,
            VALUE_SIZE,
            STATE_TYPE,
            EXPERTS_PER_TOKEN,
            EXPERT_WIDTH,
            SHARED_WIDTH,
            NORMALIZED,
            "decoder_sparse_step",
            "mlp_only_layers",
            "mtp_num_hidden_layers",
            "mtp_use_dedicated_embeddings",
            "output_gate_type",
            "output_router_logits",
            "router_aux_loss_coef");

    private HybridConfig() {}

    /// Rejects features without a price for this kind of model.
    public static void refuseUnpriced(HuggingFaceConfig config, List<String> modelClasses) {
        UnpricedFeatures.refuse(
                config, modelClasses, Set.of(EXPERTS, UnpricedFeatures.WINDOW, UnpricedFeatures.ROTARY_SHARE));
        if (config.isOn(UnpricedFeatures.WINDOW)) {
            throw config.refused(UnpricedFeatures.WINDOW, "sliding window attention is not priced");
        }
        if (config.isOn("attention_bias")) {
            throw config.refused("attention_bias", "biases beside gates of the output are not priced");
        }
        if (config.has(OUTPUT_GATE)) {
            config.require(OUTPUT_GATE, true, "only attention with a gate of its output is priced");
        }
        if (config.has(STATE_TYPE)) {
            config.require(STATE_TYPE, "float32", "only states in float32 are priced");
        }
        config.requireNumberIfGiven("decoder_sparse_step", 1, EVERY_LAYER);
        if (!config.list("mlp_only_layers").isEmpty()) {
            throw config.refused("mlp_only_layers", EVERY_LAYER);
        }
        if (config.has(NORMALIZED)) {
            config.require(NORMALIZED, true, "only weights normalized to a sum of 1 are priced");
        }
    }

    /// Returns the layers in order, consecutive equal ones grouped.
    ///
    /// @param opaque true if msmodeling prices linear attention as one operator
    public static List<LayerGroup> groups(HuggingFaceConfig config, boolean opaque) {
        List<LayerGroup> groups = kinds(config, opaque).subList(0, DecoderConfig.layers(config));
        if (groups.stream().allMatch(group -> group.attention() instanceof AttentionSpec.GatedDelta)) {
            throw config.invalid(LAYER_TYPES, "a list with at least one " + FULL);
        }
        return LayerGroup.joined(groups);
    }

    /// Returns the draft layers: the kinds listed after the layers, or else copies of the last layer.
    public static DraftLayers drafts(HuggingFaceConfig config, boolean opaque) {
        List<LayerGroup> kinds = kinds(config, opaque);
        int layers = DecoderConfig.layers(config);
        return DraftLayers.first(kinds.subList(Math.min(layers, kinds.size() - 1), kinds.size()));
    }

    /// Returns one layer per entry of the configuration, which can list more entries than layers.
    private static List<LayerGroup> kinds(HuggingFaceConfig config, boolean opaque) {
        FeedForwardSpec feedForward = config.isOn(EXPERTS) ? experts(config) : DecoderConfig.denseFeedForward(config);
        AttentionSpec full = full(config);
        AttentionSpec linear = linear(config, opaque);
        List<LayerGroup> groups = new ArrayList<>();
        for (Object type : layerTypes(config)) {
            groups.add(new LayerGroup(1, isLinear(config, type) ? linear : full, feedForward));
        }
        return groups;
    }

    private static List<?> layerTypes(HuggingFaceConfig config) {
        int layers = DecoderConfig.layers(config);
        List<?> types = config.list(LAYER_TYPES);
        if (types.isEmpty()) {
            int interval = config.count(INTERVAL, layers);
            List<String> made = new ArrayList<>();
            for (int layer = 1; layer <= layers; layer++) {
                made.add(layer % interval == 0 ? FULL : LINEAR);
            }
            return made;
        }
        return DecoderConfig.requireEachLayer(config, LAYER_TYPES, types, layers);
    }

    private static boolean isLinear(HuggingFaceConfig config, @Nullable Object type) {
        if (!LINEAR.equals(type) && !FULL.equals(type)) {
            throw config.refused(LAYER_TYPES, "only " + LINEAR + " and " + FULL + " are priced");
        }
        return LINEAR.equals(type);
    }

    private static AttentionSpec full(HuggingFaceConfig config) {
        AttentionHeads heads = AttentionHeads.given(config);
        HuggingFaceConfig rotary = config.section(ROTARY);
        int rotated = heads.rotated(config.has(UnpricedFeatures.ROTARY_SHARE) ? config : rotary);
        return new AttentionSpec.GroupedQuery(
                        heads.query(), heads.keyValue(), heads.size(), HeadNorm.PER_HEAD, false, false)
                .rotating(rotated)
                .gated(sections(rotary, rotated));
    }

    private static List<Integer> sections(HuggingFaceConfig rotary, int rotated) {
        String key = "mrope_section";
        List<Integer> sections = new ArrayList<>();
        for (Object section : rotary.list(key)) {
            sections.add(section instanceof Number number ? number.intValue() : 0);
        }
        int pairs = sections.stream().mapToInt(Integer::intValue).sum();
        if (!sections.isEmpty() && (pairs != rotated / 2 || sections.stream().anyMatch(section -> section < 1))) {
            throw rotary.invalid(key, "sections with a sum of " + rotated / 2 + " pairs");
        }
        return sections;
    }

    private static AttentionSpec linear(HuggingFaceConfig config, boolean opaque) {
        int size = config.count(KEY_SIZE, ModelArchitecture.MAX_HIDDEN_SIZE);
        config.requireNumberIfGiven(VALUE_SIZE, size, "it must be " + KEY_SIZE + " (" + size + ")");
        int valueHeads = config.count(VALUE_HEADS, ModelArchitecture.MAX_INNER_WIDTH / size);
        int keyHeads = config.count(KEY_HEADS, valueHeads);
        if (valueHeads % keyHeads != 0) {
            throw config.invalid(VALUE_HEADS, "a multiple of " + KEY_HEADS + " (" + keyHeads + ")");
        }
        return new AttentionSpec.GatedDelta(
                keyHeads, valueHeads, size, config.count(KERNEL, AttentionSpec.GatedDelta.MAX_KERNEL), opaque, false);
    }

    private static FeedForwardSpec experts(HuggingFaceConfig config) {
        FeedForwardSpec.Routing routing = ExpertConfig.routing(config, EXPERTS, new Router.Softmax());
        return new FeedForwardSpec.RoutedExperts(
                routing,
                ExpertConfig.expertWidth(config, EXPERT_WIDTH, routing),
                config.count(SHARED_WIDTH, ModelArchitecture.MAX_INNER_WIDTH),
                true,
                GatedActivation.SILU);
    }
}
