package io.throughputoptimizer.core.model.family;

import io.throughputoptimizer.core.model.CompressedSpec;
import io.throughputoptimizer.core.model.CompressedSpec.Compression;
import io.throughputoptimizer.core.model.DraftLayers;
import io.throughputoptimizer.core.model.FeedForwardSpec;
import io.throughputoptimizer.core.model.GatedActivation;
import io.throughputoptimizer.core.model.HyperConnections;
import io.throughputoptimizer.core.model.LayerGroup;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.model.NormStyle;
import io.throughputoptimizer.core.model.Router;
import io.throughputoptimizer.core.model.config.DecoderConfig;
import io.throughputoptimizer.core.model.config.ExpertConfig;
import io.throughputoptimizer.core.model.config.HuggingFaceConfig;
import io.throughputoptimizer.core.model.config.LatentConfig;
import io.throughputoptimizer.core.model.config.UnpricedFeatures;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// DeepSeek-V4: attention to a window and to compressed entries, whose ratio `compress_ratios` gives layer by
/// layer; several residual streams; experts in every layer, which the first `num_hash_layers` choose by a
/// table.
final class DeepSeekV4Family implements ModelFamily {
    private static final String RATIOS = "compress_ratios";
    private static final String HEADS = "num_attention_heads";
    private static final String HEAD_SIZE = "head_dim";
    private static final String ROTATED = "qk_rope_head_dim";
    private static final String QUERY_RANK = "q_lora_rank";
    private static final String GROUPS = "o_groups";
    private static final String GROUP_RANK = "o_lora_rank";
    private static final String HASHED = "num_hash_layers";
    private static final String BIASES = "attention_bias";
    private static final Set<String> KNOWN_KEYS = keys();

    /// Defaults of keys that the vendor's own files leave out.
    private static final Map<String, Object> USUAL = Map.of("norm_topk_prob", true, "rms_norm_eps", 1e-6);

    private final String modelType;

    /// @param modelType type in the published files, or in the vendor's own files
    DeepSeekV4Family(String modelType) {
        this.modelType = modelType;
    }

    @Override
    public String modelType() {
        return modelType;
    }

    @Override
    public String title() {
        return "DeepSeek-V4";
    }

    @Override
    public Set<String> knownKeys() {
        return KNOWN_KEYS;
    }

    @Override
    public ModelArchitecture architecture(String id, HuggingFaceConfig given) {
        HuggingFaceConfig config = modelType.equals("deepseek_ref") ? given.orElse(USUAL) : given;
        refuseUnpriced(config);
        int layers = DecoderConfig.layers(config);
        List<Compression> compressions = compressions(config, layers);
        CompressedSpec attention = attention(config);
        List<LayerGroup> groups = new ArrayList<>();
        int hashed = config.isOn(HASHED) ? config.count(HASHED, ModelArchitecture.MAX_LAYERS) : 0;
        for (int layer = 0; layer < layers; layer++) {
            groups.add(new LayerGroup(1, attention.with(compressions.get(layer)), experts(config, layer < hashed)));
        }
        DraftLayers drafts = LatentConfig.hasDraftLayers(config)
                ? DraftLayers.first(compressions.subList(layers, compressions.size()).stream()
                        .map(compression -> new LayerGroup(1, attention.with(compression), experts(config, false)))
                        .toList())
                : null;
        return DecoderConfig.architecture(
                        id, modelType(), config, LayerGroup.joined(groups), NormStyle.PLAIN, drafts, null)
                .connectedBy(connections(config));
    }

    private static void refuseUnpriced(HuggingFaceConfig config) {
        UnpricedFeatures.refuse(
                config,
                "DeepseekV4ForCausalLM",
                Set.of("n_routed_experts", "num_nextn_predict_layers", UnpricedFeatures.WINDOW));
        if (config.isOn(BIASES)) {
            throw config.refused(BIASES, "biases beside compressed entries are not priced");
        }
        if (config.isOn(ExpertConfig.LEADING_DENSE)) {
            throw config.refused(ExpertConfig.LEADING_DENSE, "only experts in every layer are priced");
        }
        config.requireNumberIfGiven("num_key_value_heads", 1, "only one head of keys, which are the values, is priced");
        config.require("scoring_func", "sqrtsoftplus", "only sqrtsoftplus is priced");
        config.require("norm_topk_prob", true, "only weights normalized to a sum of 1 are priced");
    }

    private static CompressedSpec attention(HuggingFaceConfig config) {
        int size = width(config, HEAD_SIZE);
        int heads = config.count(HEADS, ModelArchitecture.MAX_INNER_WIDTH / size);
        int groups = config.count(GROUPS, heads);
        if (heads % groups != 0) {
            throw config.invalid(GROUPS, "a divisor of " + HEADS + " (" + heads + ")");
        }
        return new CompressedSpec(
                heads,
                size,
                config.count(ROTATED, size),
                width(config, QUERY_RANK),
                new CompressedSpec.Output(groups, config.count(GROUP_RANK, ModelArchitecture.MAX_INNER_WIDTH / groups)),
                config.count(UnpricedFeatures.WINDOW, ModelArchitecture.MAX_POSITIONS),
                Compression.NONE,
                LatentConfig.indexer(config));
    }

    private static int width(HuggingFaceConfig config, String key) {
        return config.count(key, ModelArchitecture.MAX_HIDDEN_SIZE);
    }

    private static FeedForwardSpec experts(HuggingFaceConfig config, boolean hashed) {
        var experts = ExpertConfig.deepSeekExperts(config, new Router.SquareRoot(hashed));
        return new FeedForwardSpec.RoutedExperts(
                experts.routing(),
                experts.expertWidth(),
                experts.sharedWidth(),
                false,
                GatedActivation.SILU,
                GatedActivation.CLAMPED_SILU);
    }

    /// Compressions of the layers, then of draft layers, which compress nothing where nothing is said of them.
    private static List<Compression> compressions(HuggingFaceConfig config, int layers) {
        List<Compression> compressions = new ArrayList<>();
        for (Object ratio : config.list(RATIOS)) {
            compressions.add(compression(config, ratio));
        }
        DecoderConfig.requireEachLayer(config, RATIOS, compressions, layers);
        compressions.add(Compression.NONE);
        return compressions;
    }

    private static Compression compression(HuggingFaceConfig config, @Nullable Object ratio) {
        return Arrays.stream(Compression.values())
                .filter(compression -> ratio instanceof Number number && number.doubleValue() == compression.ratio())
                .findFirst()
                .orElseThrow(() -> config.refused(RATIOS, "only 0, 4 and 128 are priced"));
    }

    private static Set<String> keys() {
        Set<String> keys = new HashSet<>(ExpertConfig.deepSeekKeys());
        keys.addAll(List.of(
                RATIOS,
                ROTATED,
                QUERY_RANK,
                GROUPS,
                GROUP_RANK,
                HASHED,
                BIASES,
                "hc_mult",
                "hc_sinkhorn_iters",
                "hc_eps",
                "index_n_heads",
                "index_head_dim",
                "index_topk",
                "expert_dtype",
                "swiglu_limit",
                "compress_rope_theta"));
        return DecoderConfig.knownKeys(keys.toArray(String[]::new));
    }

    private static HyperConnections connections(HuggingFaceConfig config) {
        return new HyperConnections(
                config.count("hc_mult", HyperConnections.MAX_STREAMS),
                config.count("hc_sinkhorn_iters", HyperConnections.MAX_ITERATIONS));
    }
}
