package io.throughputoptimizer.core.model.family;

import io.throughputoptimizer.core.model.AttentionSpec.GroupedQuery;
import io.throughputoptimizer.core.model.AttentionSpec.HeadNorm;
import io.throughputoptimizer.core.model.AttentionSpec.Projections;
import io.throughputoptimizer.core.model.FeedForwardSpec;
import io.throughputoptimizer.core.model.GatedActivation;
import io.throughputoptimizer.core.model.LayerGroup;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.model.NormStyle;
import io.throughputoptimizer.core.model.Router;
import io.throughputoptimizer.core.model.SandwichNorms;
import io.throughputoptimizer.core.model.config.AttentionHeads;
import io.throughputoptimizer.core.model.config.DecoderConfig;
import io.throughputoptimizer.core.model.config.ExpertConfig;
import io.throughputoptimizer.core.model.config.HuggingFaceConfig;
import io.throughputoptimizer.core.model.config.UnpricedFeatures;
import io.throughputoptimizer.core.model.config.VisionConfig;
import io.throughputoptimizer.core.model.config.WindowConfig;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Gemma 4: five of six layers see the most recent tokens only; the others have wider heads, fewer of keys, whose
/// values are keys before their norm, and factors as wide as these heads, most of which turn nothing. Norms before and
/// behind each part of a layer, and of heads, values included. Some have routed experts beside the dense part of each
/// layer. Behind towers, which are not priced, or by itself; a bound of logits costs nothing, as in Gemma 2.
final class Gemma4Family implements MultimodalFamily {
    private static final String TEXT_TYPE = "gemma4_text";
    private static final String TITLE = "Gemma 4";
    private static final String EXPERTS = "num_experts";
    private static final String EXPERTS_PER_TOKEN = "top_k_experts";
    private static final String HAS_EXPERTS = "enable_moe_block";
    private static final String WIDE_HEAD = "global_head_dim";
    private static final String WIDE_KEY_HEADS = "num_global_key_value_heads";
    private static final String KEYS_ARE_VALUES = "attention_k_eq_v";
    private static final String INPUTS_OF_LAYERS = "hidden_size_per_layer_input";
    private static final String SHARED_CACHES = "num_kv_shared_layers";
    private static final String ROTATION = "rope_type";
    private static final int PERIOD = 6;
    private static final int VOCABULARY = 262_144;
    private static final int POSITIONS = 131_072;
    private static final int WINDOW = 512;
    private static final int ROTATIONS = 2;

    /// Free are the width of the networks of layers that share a cache, which are refused, and the rows of a table that
    /// is refused.
    private static final Set<String> TEXT_KEYS = GemmaConfig.textKeys(
            EXPERTS_PER_TOKEN,
            ExpertConfig.EXPERT_WIDTH,
            HAS_EXPERTS,
            WIDE_HEAD,
            WIDE_KEY_HEADS,
            KEYS_ARE_VALUES,
            INPUTS_OF_LAYERS,
            SHARED_CACHES,
            "expert_intermediate_size",
            "use_double_wide_mlp",
            "vocab_size_per_layer_input");

    @Override
    public String modelType() {
        return "gemma4";
    }

    @Override
    public String title() {
        return TITLE;
    }

    @Override
    public Set<String> knownKeys() {
        Set<String> keys = new HashSet<>(GemmaConfig.AROUND);
        keys.addAll(List.of(
                "audio_config",
                "audio_token_id",
                "boa_token_id",
                "boi_token_id",
                "eoa_token_id",
                "eoa_token_index",
                "eoi_token_id",
                "image_token_id",
                "video_token_id",
                "vision_soft_tokens_per_image"));
        return Set.copyOf(keys);
    }

    @Override
    public Set<String> textKeys() {
        return TEXT_KEYS;
    }

    @Override
    public ModelArchitecture architecture(String id, HuggingFaceConfig config) {
        HuggingFaceConfig text = VisionConfig.text(config, "Gemma4ForConditionalGeneration", TEXT_TYPE);
        return decoder(id, modelType(), text);
    }

    /// The decoder by itself.
    static DecoderFamily textOnly() {
        return new DecoderFamily(TEXT_TYPE, TITLE, TEXT_KEYS, (id, config) -> decoder(id, TEXT_TYPE, config));
    }

    private static ModelArchitecture decoder(String id, String family, HuggingFaceConfig given) {
        HuggingFaceConfig config = given.orElse(defaults());
        boolean routes = config.flag(HAS_EXPERTS);
        refuse(config, routes);
        GroupedQuery full = full(config);
        GroupedQuery sliding = attention(AttentionHeads.given(config), config).within(WindowConfig.window(config));
        FeedForwardSpec feedForward = routes ? experts(config) : GemmaConfig.feedForward(config);
        List<LayerGroup> groups =
                WindowConfig.groups(sliding(config), slides -> new LayerGroup(1, slides ? sliding : full, feedForward));
        return DecoderConfig.architecture(id, family, config, groups, NormStyle.WIDE, null, null)
                .connectedBy(new SandwichNorms(true, true, true))
                .computingRotations(ROTATIONS);
    }

    /// Returns the library's defaults.
    private static Map<String, Object> defaults() {
        Map<String, Object> defaults = new HashMap<>(GemmaConfig.defaults(VOCABULARY, POSITIONS, WINDOW));
        defaults.put(WIDE_HEAD, 512);
        defaults.put(INPUTS_OF_LAYERS, 256);
        return defaults;
    }

    private static void refuse(HuggingFaceConfig config, boolean routes) {
        Set<String> priced = new HashSet<>(Set.of(UnpricedFeatures.WINDOW, UnpricedFeatures.ACTIVATION));
        if (routes) {
            priced.add(EXPERTS);
        }
        UnpricedFeatures.refuse(config, List.of("Gemma4ForCausalLM", "Gemma4TextModel"), priced);
        GemmaConfig.requireGelu(config);
        if (config.isOn(INPUTS_OF_LAYERS)) {
            throw config.refused(INPUTS_OF_LAYERS, "embeddings of each layer are not priced");
        }
        if (config.isOn(SHARED_CACHES)) {
            throw config.refused(SHARED_CACHES, "layers that share keys and values are not priced");
        }
        if (config.isOn(GemmaConfig.SCORE_CAP)) {
            throw config.refused(GemmaConfig.SCORE_CAP, "bounds of scores are not priced for " + TITLE);
        }
        if (config.isOn(GemmaConfig.BOTH_WAYS)) {
            config.require(
                    GemmaConfig.BOTH_WAYS,
                    "vision",
                    "only tokens of images may attend to those behind, which is vision");
        }
        for (String kind : List.of("full_attention", "sliding_attention")) {
            HuggingFaceConfig rotation = config.section("rope_parameters").section(kind);
            if (!rotation.isText(ROTATION) || !rotation.text(ROTATION, "").equals("proportional")) {
                rotation.requireNumberIfGiven(
                        UnpricedFeatures.ROTARY_SHARE,
                        1,
                        "heads that are rotated in part are priced with " + ROTATION + " proportional");
            }
        }
    }

    /// By `layer_types`, or every sixth layer sees all. The library lets the last one see all in any case; of a
    /// shortened model it is further behind.
    private static List<Boolean> sliding(HuggingFaceConfig config) {
        List<Boolean> sliding = new ArrayList<>(WindowConfig.byTypesOrPattern(config, PERIOD));
        if (config.list(WindowConfig.TYPES).size() <= sliding.size()) {
            sliding.set(sliding.size() - 1, false);
        }
        return sliding;
    }

    private static GroupedQuery full(HuggingFaceConfig config) {
        boolean shares = config.flag(KEYS_ARE_VALUES);
        HuggingFaceConfig heads = config.renamed(
                shares && config.has(WIDE_KEY_HEADS)
                        ? Map.of("head_dim", WIDE_HEAD, "num_key_value_heads", WIDE_KEY_HEADS)
                        : Map.of("head_dim", WIDE_HEAD));
        GroupedQuery attention = attention(AttentionHeads.given(heads), config);
        return shares ? attention.projecting(Projections.KEYS) : attention;
    }

    private static GroupedQuery attention(AttentionHeads heads, HuggingFaceConfig config) {
        boolean bias = config.flag("attention_bias");
        return new GroupedQuery(heads.query(), heads.keyValue(), heads.size(), HeadNorm.PER_HEAD_AND_VALUE, bias, bias);
    }

    private static FeedForwardSpec experts(HuggingFaceConfig config) {
        int experts = config.count(EXPERTS, FeedForwardSpec.Routing.MAX_EXPERTS);
        FeedForwardSpec.Routing routing = new FeedForwardSpec.Routing(
                experts, config.count(EXPERTS_PER_TOKEN, experts), new Router.NormedSoftmax());
        return new FeedForwardSpec.RoutedExperts(
                        routing,
                        ExpertConfig.expertWidth(config, ExpertConfig.EXPERT_WIDTH, routing),
                        config.count("intermediate_size", ModelArchitecture.MAX_INNER_WIDTH),
                        false,
                        GatedActivation.GELU)
                .standingBeside();
    }
}
