package io.throughputoptimizer.core.model.config;

import io.throughputoptimizer.core.model.AttentionSpec;
import io.throughputoptimizer.core.model.ModelArchitecture;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Reads the keys of multi-head latent attention with routed experts, as named by DeepSeek.
public final class LatentConfig {
    private static final String DRAFT_LAYERS = "num_nextn_predict_layers";
    private static final String INDEXER_TYPES = "indexer_types";
    private static final Set<String> PRICED_FEATURES = Set.of("n_routed_experts", "kv_lora_rank", DRAFT_LAYERS);

    private LatentConfig() {}

    /// Rejects features without a price for this kind of model.
    public static void refuseUnpriced(HuggingFaceConfig config, String modelClass) {
        UnpricedFeatures.refuse(config, modelClass, PRICED_FEATURES);
        if (config.isOn("attention_bias")) {
            throw config.refused("attention_bias", "biases of latent attention are not priced");
        }
        config.require("norm_topk_prob", true, "only weights normalized to a sum of 1 are priced");
    }

    /// Returns for each layer whether it reuses the selection of an earlier layer; false for all by default.
    public static List<Boolean> reusesSelection(HuggingFaceConfig config) {
        int layers = DecoderConfig.layers(config);
        List<?> types = config.list(INDEXER_TYPES);
        if (types.isEmpty()) {
            return Collections.nCopies(layers, false);
        }
        List<Boolean> reuses =
                DecoderConfig.requireEachLayer(config, INDEXER_TYPES, types, layers).subList(0, layers).stream()
                        .map(type -> {
                            if (!"full".equals(type) && !"shared".equals(type)) {
                                throw config.refused(INDEXER_TYPES, "only full and shared are priced");
                            }
                            return "shared".equals(type);
                        })
                        .toList();
        if (reuses.getFirst()) {
            throw config.refused(INDEXER_TYPES, "a layer that selects must come before one that shares");
        }
        return reuses;
    }

    /// Rejects layers that reuse the selection of another.
    public static void refuseSharedSelection(HuggingFaceConfig config) {
        if (reusesSelection(config).contains(true)) {
            throw config.refused(INDEXER_TYPES, "layers that share an indexer are not those of this model_type");
        }
    }

    public static AttentionSpec.MultiHeadLatent attention(
            HuggingFaceConfig config, AttentionSpec.@Nullable Indexer indexer) {
        return attention(config, width(config, "q_lora_rank"), indexer);
    }

    /// @param queryRank width of the compressed query; 0 where queries are not compressed
    public static AttentionSpec.MultiHeadLatent attention(
            HuggingFaceConfig config, int queryRank, AttentionSpec.@Nullable Indexer indexer) {
        var head = new AttentionSpec.LatentHead(
                width(config, "qk_nope_head_dim"), rotated(config), width(config, "v_head_dim"));
        return new AttentionSpec.MultiHeadLatent(
                config.count("num_attention_heads", ModelArchitecture.MAX_INNER_WIDTH / (head.query() + head.value())),
                queryRank,
                width(config, "kv_lora_rank"),
                head,
                indexer);
    }

    public static AttentionSpec.Indexer indexer(HuggingFaceConfig config) {
        int headSize = width(config, "index_head_dim");
        return new AttentionSpec.Indexer(
                config.count("index_n_heads", ModelArchitecture.MAX_INNER_WIDTH / headSize),
                headSize,
                config.count("index_topk", ModelArchitecture.MAX_POSITIONS),
                false);
    }

    /// Returns whether the checkpoint has layers for multi-token prediction.
    public static boolean hasDraftLayers(HuggingFaceConfig config) {
        return config.isOn(DRAFT_LAYERS);
    }

    private static int rotated(HuggingFaceConfig config) {
        String key = "qk_rope_head_dim";
        int width = width(config, key);
        if (width % 2 != 0) {
            throw config.invalid(key, "an even number");
        }
        return width;
    }

    private static int width(HuggingFaceConfig config, String key) {
        return config.count(key, AttentionSpec.LatentHead.MAX_WIDTH);
    }

    /// Returns all keys known to such a family.
    public static Set<String> knownKeys() {
        Set<String> keys = new HashSet<>(ExpertConfig.deepSeekKeys());
        keys.addAll(List.of(
                "attention_bias",
                "q_lora_rank",
                "qk_head_dim",
                "qk_nope_head_dim",
                "qk_rope_head_dim",
                "v_head_dim",
                "rope_interleave"));
        return DecoderConfig.knownKeys(keys.toArray(String[]::new));
    }

    /// Returns [#knownKeys()] and the keys of a sparse indexer.
    public static Set<String> sparseKeys() {
        Set<String> keys = new HashSet<>(knownKeys());
        keys.addAll(List.of(
                "index_n_heads",
                "index_head_dim",
                "index_topk",
                "index_topk_freq",
                "index_topk_pattern",
                "index_skip_topk_offset",
                "index_share_for_mtp_iteration",
                INDEXER_TYPES,
                "indexer_rope_interleave",
                "mlp_layer_types",
                "moe_router_dtype"));
        return Set.copyOf(keys);
    }
}
