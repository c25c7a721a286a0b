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
import io.throughputoptimizer.core.model.config.WindowConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/// MiMo-V2-Flash: five of six layers see the most recent tokens only, with key and value heads of their own number;
/// values are narrower than keys, of which a part is rotated; a first dense layer, then experts without a shared one.
/// Sinks of attention, numbers for each query head, and the factor of values are not counted; draft layers stand in no
/// key of the configuration.
final class MiMoV2Family implements ModelFamily {
    private static final String EXPERTS = "n_routed_experts";
    private static final String EPSILON = "layernorm_epsilon";
    private static final String VALUE_SIZE = "v_head_dim";
    private static final String PATTERN = "hybrid_layer_pattern";
    private static final String EXPERT_LAYERS = "moe_layer_freq";
    private static final String CHUNK = "attention_chunk_size";
    private static final String WINDOW_AGAIN = "sliding_window_size";
    private static final String BIAS = "attention_bias";
    /// Layers with a window have sizes of heads of their own, each under its key behind this.
    private static final String SLIDING = "swa_";
    private static final List<String> SIZES =
            List.of("num_attention_heads", "num_key_value_heads", "head_dim", VALUE_SIZE);

    private static final Set<String> KNOWN_KEYS = knownKeysOfAll();

    @Override
    public String modelType() {
        return "mimo_v2_flash";
    }

    @Override
    public String title() {
        return "MiMo-V2";
    }

    @Override
    public Set<String> knownKeys() {
        return KNOWN_KEYS;
    }

    @Override
    public ModelArchitecture architecture(String id, HuggingFaceConfig config) {
        UnpricedFeatures.refuse(
                config,
                "MiMoV2FlashForCausalLM",
                Set.of(EXPERTS, WindowConfig.WINDOW, CHUNK, UnpricedFeatures.ROTARY_SHARE));
        int window = WindowConfig.window(config);
        for (String again : List.of(CHUNK, WINDOW_AGAIN)) {
            config.requireNumberIfGiven(again, window, "only " + WindowConfig.WINDOW + ", " + window + ", is priced");
        }
        config.require("norm_topk_prob", true, "only weights normalized to a sum of 1 are priced");
        config.require("scoring_func", "sigmoid", "only sigmoid is priced");
        AttentionSpec.GroupedQuery full = attention(config);
        AttentionSpec.GroupedQuery sliding = attention(slidingHeads(config)).within(window);
        Router.GroupLimited groups = ExpertConfig.groups(config);
        Router router = new Router.GroupLimited(groups.groups(), groups.selectedGroups(), Router.GroupLimited.HALF);
        FeedForwardSpec experts =
                ExpertConfig.experts(config, ExpertConfig.routing(config, EXPERTS, router), "n_shared_experts");
        FeedForwardSpec dense = DecoderConfig.denseFeedForward(config);
        List<LayerGroup> layers = new ArrayList<>();
        for (int layer = 0; layer < DecoderConfig.layers(config); layer++) {
            layers.add(new LayerGroup(
                    1,
                    isOn(config, PATTERN, layer) ? sliding : full,
                    isOn(config, EXPERT_LAYERS, layer) ? experts : dense));
        }
        double epsilon = config.fraction(EPSILON);
        return DecoderConfig.architecture(
                id, config.orElse(Map.of("rms_norm_eps", epsilon)), LayerGroup.joined(layers), false);
    }

    private static AttentionSpec.GroupedQuery attention(HuggingFaceConfig config) {
        AttentionHeads heads = AttentionHeads.given(config);
        boolean bias = config.flag(BIAS);
        return new AttentionSpec.GroupedQuery(heads.query(), heads.keyValue(), heads.size(), HeadNorm.NONE, bias, false)
                .valued(config.count(VALUE_SIZE, ModelArchitecture.MAX_INNER_WIDTH / heads.query()))
                .rotating(heads.rotated(config));
    }

    /// The configuration as layers with a window read it.
    private static HuggingFaceConfig slidingHeads(HuggingFaceConfig config) {
        SIZES.forEach(key -> config.count(SLIDING + key, ModelArchitecture.MAX_INNER_WIDTH));
        return config.renamed(SIZES.stream().collect(Collectors.toMap(key -> key, key -> SLIDING + key)));
    }

    private static boolean isOn(HuggingFaceConfig config, String key, int layer) {
        List<?> entries = DecoderConfig.requireEachLayer(config, key, config.list(key), DecoderConfig.layers(config));
        if (entries.get(layer) instanceof Number number && (number.intValue() == 0 || number.intValue() == 1)) {
            return number.intValue() == 1;
        }
        throw config.refused(key, "only 0 and 1 are priced");
    }

    private static Set<String> knownKeysOfAll() {
        List<String> keys =
                new ArrayList<>(SIZES.stream().map(key -> SLIDING + key).toList());
        keys.addAll(ExpertConfig.deepSeekKeys());
        keys.addAll(List.of(
                EPSILON,
                VALUE_SIZE,
                PATTERN,
                WINDOW_AGAIN,
                BIAS,
                "add_full_attention_sink_bias",
                "add_swa_attention_sink_bias",
                "attention_value_scale",
                "swa_rope_theta"));
        return DecoderConfig.knownKeys(keys.toArray(String[]::new));
    }
}
