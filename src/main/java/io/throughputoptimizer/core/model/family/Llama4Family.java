package io.throughputoptimizer.core.model.family;

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
import io.throughputoptimizer.core.model.config.VisionConfig;
import io.throughputoptimizer.core.model.config.WindowConfig;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Llama 4: three of four layers attend within chunks of tokens, the others to all; some or all layers have
/// experts, of which each token visits one, and a shared one. Behind a vision tower, which is not priced, or by
/// itself. Factors of positions turn heads in every layer here, and the router is that of [MiniMaxM2Family].
final class Llama4Family implements MultimodalFamily {
    private static final String TEXT_TYPE = "llama4_text";
    private static final String TITLE = "Llama 4";
    private static final int PERIOD = 4;
    private static final String CHUNK = "attention_chunk_size";
    private static final String CHUNKED = "chunked_attention";
    private static final String FULL = "full_attention";
    private static final String EXPERTS = "num_local_experts";
    private static final String EXPERT_LAYERS = "moe_layers";
    private static final String EXPERT_STEP = "interleave_moe_layer_step";
    private static final String TURNING_LAYERS = "no_rope_layers";
    private static final String TURNING_PERIOD = "no_rope_layer_interval";
    private static final String DENSE_WIDTH = "intermediate_size_mlp";
    private static final String WIDTH = "intermediate_size";
    private static final String NORMALIZES = "use_qk_norm";
    private static final String BIAS = "attention_bias";
    private static final Set<String> TEXT_KEYS = DecoderConfig.knownKeys(
            ExpertConfig.EXPERTS_PER_TOKEN,
            EXPERT_LAYERS,
            EXPERT_STEP,
            TURNING_LAYERS,
            TURNING_PERIOD,
            DENSE_WIDTH,
            NORMALIZES,
            BIAS,
            "attn_scale",
            "attn_temperature_tuning",
            "floor_scale",
            "for_llm_compressor",
            "output_router_logits",
            "router_aux_loss_coef",
            "router_jitter_noise");
    private static final Set<String> AROUND = around();

    @Override
    public String modelType() {
        return "llama4";
    }

    @Override
    public String title() {
        return TITLE;
    }

    @Override
    public boolean countsScaling() {
        return true;
    }

    @Override
    public Set<String> knownKeys() {
        return AROUND;
    }

    @Override
    public Set<String> textKeys() {
        return TEXT_KEYS;
    }

    @Override
    public ModelArchitecture architecture(String id, HuggingFaceConfig config) {
        return decoder(id, VisionConfig.text(config, "Llama4ForConditionalGeneration", TEXT_TYPE))
                .as(modelType());
    }

    /// The decoder by itself.
    static DecoderFamily textOnly() {
        return new DecoderFamily(TEXT_TYPE, TITLE, TEXT_KEYS, Llama4Family::decoder, false, true);
    }

    private static ModelArchitecture decoder(String id, HuggingFaceConfig config) {
        UnpricedFeatures.refuse(
                config, List.of("Llama4ForCausalLM", "Llama4TextModel"), Set.of(EXPERTS, CHUNK, WindowConfig.WINDOW));
        if (config.isOn(WindowConfig.WINDOW)) {
            throw config.refused(WindowConfig.WINDOW, "only " + CHUNK + " is priced");
        }
        AttentionHeads heads = AttentionHeads.given(config);
        boolean bias = config.flag(BIAS);
        AttentionSpec.GroupedQuery full = new AttentionSpec.GroupedQuery(
                heads.query(),
                heads.keyValue(),
                heads.size(),
                config.flag(NORMALIZES) ? HeadNorm.PER_HEAD : HeadNorm.NONE,
                bias,
                bias);
        AttentionSpec.GroupedQuery chunked = full.chunked(config.count(CHUNK, ModelArchitecture.MAX_POSITIONS));
        FeedForwardSpec.Routing routing = ExpertConfig.routing(config, EXPERTS, new Router.Sigmoid());
        int width = ExpertConfig.expertWidth(config, WIDTH, routing);
        var experts = new FeedForwardSpec.RoutedExperts(routing, width, width);
        List<LayerGroup> groups = new ArrayList<>();
        for (int layer = 0; layer < DecoderConfig.layers(config); layer++) {
            FeedForwardSpec feedForward = hasExperts(config, layer)
                    ? experts
                    : new FeedForwardSpec.Dense(config.count(DENSE_WIDTH, ModelArchitecture.MAX_INNER_WIDTH));
            groups.add(new LayerGroup(1, isChunked(config, layer) ? chunked : full, feedForward));
        }
        return DecoderConfig.architecture(id, config, LayerGroup.joined(groups), false);
    }

    /// Layers whose heads are turned attend within chunks.
    private static boolean isChunked(HuggingFaceConfig config, int layer) {
        if (config.has(WindowConfig.TYPES)) {
            Object type = at(config, WindowConfig.TYPES, layer);
            if (!FULL.equals(type) && !CHUNKED.equals(type)) {
                throw config.refused(WindowConfig.TYPES, "only " + FULL + " and " + CHUNKED + " are priced");
            }
            return CHUNKED.equals(type);
        }
        if (!config.list(TURNING_LAYERS).isEmpty()) {
            return at(config, TURNING_LAYERS, layer) instanceof Number number && number.intValue() != 0;
        }
        int period = config.has(TURNING_PERIOD) ? config.count(TURNING_PERIOD, ModelArchitecture.MAX_LAYERS) : PERIOD;
        return (layer + 1) % period != 0;
    }

    private static Object at(HuggingFaceConfig config, String key, int layer) {
        return DecoderConfig.requireEachLayer(config, key, config.list(key), DecoderConfig.layers(config))
                .get(layer);
    }

    private static boolean hasExperts(HuggingFaceConfig config, int layer) {
        List<?> listed = config.list(EXPERT_LAYERS);
        if (!listed.isEmpty()) {
            return listed.stream().anyMatch(one -> one instanceof Number number && number.intValue() == layer);
        }
        int step = config.has(EXPERT_STEP) ? config.count(EXPERT_STEP, ModelArchitecture.MAX_LAYERS) : 1;
        return (layer + 1) % step == 0;
    }

    private static Set<String> around() {
        Set<String> keys = new HashSet<>(VisionConfig.KNOWN_KEYS);
        keys.addAll(List.of(
                "boi_token_index",
                "bos_token_id",
                "eoi_token_index",
                "eos_token_id",
                "image_token_index",
                "pad_token_id",
                "quantization_config"));
        return Set.copyOf(keys);
    }
}
