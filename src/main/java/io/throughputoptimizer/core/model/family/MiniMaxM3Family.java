package io.throughputoptimizer.core.model.family;

import static io.throughputoptimizer.core.model.config.ExpertConfig.EXPERTS_PER_TOKEN;

import io.throughputoptimizer.core.model.AttentionSpec;
import io.throughputoptimizer.core.model.AttentionSpec.BlockIndexer;
import io.throughputoptimizer.core.model.AttentionSpec.BlockSparse;
import io.throughputoptimizer.core.model.DraftLayers;
import io.throughputoptimizer.core.model.FeedForwardSpec;
import io.throughputoptimizer.core.model.GatedActivation;
import io.throughputoptimizer.core.model.LayerGroup;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.model.NormStyle;
import io.throughputoptimizer.core.model.Router;
import io.throughputoptimizer.core.model.UnusedVisionTower;
import io.throughputoptimizer.core.model.config.AttentionHeads;
import io.throughputoptimizer.core.model.config.DecoderConfig;
import io.throughputoptimizer.core.model.config.ExpertConfig;
import io.throughputoptimizer.core.model.config.HuggingFaceConfig;
import io.throughputoptimizer.core.model.config.IdleTowerConfig;
import io.throughputoptimizer.core.model.config.UnpricedFeatures;
import io.throughputoptimizer.core.model.config.VisionConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// MiniMax-M3 (text): some layers with full attention and a dense feed-forward part first, then layers that
/// attend to selected blocks of tokens and have experts. Images are not priced; a section for the tower is held
/// in memory by the reference, with the sizes that its library puts in where they are absent.
final class MiniMaxM3Family implements ModelFamily {
    private static final String WHOLE = "MiniMaxM3SparseForConditionalGeneration";
    private static final String EXPERTS = "num_local_experts";
    private static final String EXPERT_WIDTH = "intermediate_size";
    private static final String DENSE_WIDTH = "dense_intermediate_size";
    private static final String SHARED_WIDTH = "shared_intermediate_size";
    private static final String SHARED_EXPERTS = "n_shared_experts";
    private static final String LEADING_DENSE = "first_k_dense_replace";
    private static final String EXPERT_LAYERS = "moe_layer_freq";
    private static final String DRAFT_LAYERS = "num_nextn_predict_layers";
    private static final String ROTATED = "rotary_dim";
    private static final String OUTPUT_GATE = "attention_output_gate";
    private static final String SPARSE = "sparse_attention_config";
    private static final String SPARSE_LAYERS = "sparse_attention_freq";
    private static final String INDEX_VALUES_OFF = "sparse_disable_index_value";

    private static final Set<String> AROUND = Set.of(
            "architectures",
            "auto_map",
            "dtype",
            "ignore_index",
            "image_grid_pinpoints",
            "image_seq_length",
            "image_token_id",
            "image_token_index",
            IdleTowerConfig.COMPRESSION,
            "model_type",
            "multimodal_projector_bias",
            "num_reward_heads",
            "process_image_mode",
            "projector_hidden_act",
            IdleTowerConfig.PROJECTOR,
            "quantization_config",
            HuggingFaceConfig.TEXT,
            VisionConfig.VISION,
            "tie_word_embeddings",
            "torch_dtype",
            "transformers_version",
            "video_token_id",
            "video_token_index",
            "vision_feature_layer",
            "vision_feature_select_strategy");

    /// Keys of the decoder, in its section or at the top level.
    static final Set<String> TEXT_KEYS = DecoderConfig.knownKeys(
            OUTPUT_GATE,
            DENSE_WIDTH,
            EXPERTS_PER_TOKEN,
            ExpertConfig.EXPERT_WIDTH,
            LEADING_DENSE,
            EXPERT_LAYERS,
            SHARED_EXPERTS,
            SHARED_WIDTH,
            SPARSE,
            ROTATED,
            "num_mtp_modules",
            "output_router_logits",
            "qk_norm_type",
            "routed_scaling_factor",
            "router_aux_loss_coef",
            "router_jitter_noise",
            "scoring_func",
            "swiglu_alpha",
            "swiglu_beta",
            "swiglu_limit",
            "use_gemma_norm",
            "use_mtp",
            "use_qk_norm",
            "use_routing_bias");

    @Override
    public String modelType() {
        return "minimax_m3_vl";
    }

    @Override
    public String title() {
        return "MiniMax-M3";
    }

    @Override
    public boolean overlooksImages() {
        return true;
    }

    @Override
    public Set<String> knownKeys() {
        return AROUND;
    }

    @Override
    public Map<String, Set<String>> knownSectionKeys() {
        return Map.of(HuggingFaceConfig.TEXT, TEXT_KEYS, VisionConfig.VISION, IdleTowerConfig.KNOWN_KEYS);
    }

    @Override
    public ModelArchitecture architecture(String id, HuggingFaceConfig config) {
        UnpricedFeatures.refuse(config, WHOLE, Set.of(HuggingFaceConfig.TEXT, VisionConfig.VISION));
        UnusedVisionTower tower = config.has(VisionConfig.VISION) ? IdleTowerConfig.tower(config) : null;
        return decoder(id, modelType(), config.section(HuggingFaceConfig.TEXT), tower);
    }

    /// The decoder by itself.
    static DecoderFamily textOnly() {
        String textType = "minimax_m3";
        return new DecoderFamily(
                textType, "MiniMax-M3", TEXT_KEYS, (id, config) -> decoder(id, textType, config, null));
    }

    private static ModelArchitecture decoder(
            String id, String modelType, HuggingFaceConfig text, @Nullable UnusedVisionTower tower) {
        UnpricedFeatures.refuse(
                text,
                List.of(WHOLE, "MiniMaxM3SparseForCausalLM", "MiniMaxM3ForCausalLM"),
                Set.of(EXPERTS, DRAFT_LAYERS, UnpricedFeatures.ACTIVATION, UnpricedFeatures.ROTARY_SHARE));
        refuseUnpriced(text);
        List<LayerGroup> groups = groups(text);
        DraftLayers drafts = text.isOn(DRAFT_LAYERS) ? DraftLayers.like(groups.getLast()) : null;
        return DecoderConfig.architecture(id, modelType, text, groups, NormStyle.SHIFTED_AND_SUMMED, drafts, tower)
                .computingRotations(1);
    }

    private static void refuseUnpriced(HuggingFaceConfig text) {
        if (text.isOn(OUTPUT_GATE)) {
            throw text.refused(OUTPUT_GATE, "gates of the output are not priced");
        }
        if (text.has(UnpricedFeatures.ACTIVATION)) {
            text.require(UnpricedFeatures.ACTIVATION, "swigluoai", "only swigluoai is priced");
        }
        text.require("use_qk_norm", true, "only normalized queries and keys are priced");
        text.require("qk_norm_type", "per_head", "only a norm of each head is priced");
        text.require("use_gemma_norm", true, "only norms that store their difference from 1 are priced");
        text.require("scoring_func", "sigmoid", "only sigmoid is priced");
        text.require("use_routing_bias", true, "only corrected scores are priced");
    }

    /// Layers by the two lists of the configuration, which must change at the same layer: the reference shares
    /// rotary factors as joined in the first kind of layer, which is known for full attention only.
    private static List<LayerGroup> groups(HuggingFaceConfig text) {
        int layers = DecoderConfig.layers(text);
        List<Boolean> routed = switches(text, EXPERT_LAYERS, layers);
        HuggingFaceConfig sparse = text.section(SPARSE);
        List<Boolean> selecting = switches(sparse, SPARSE_LAYERS, layers);
        int dense = routed.indexOf(true);
        if (dense < 1 || routed.subList(dense, layers).contains(false)) {
            throw text.invalid(EXPERT_LAYERS, "dense layers first, then layers with experts");
        }
        if (!selecting.equals(routed)) {
            throw sparse.invalid(SPARSE_LAYERS, "sparse attention in the layers with experts (" + EXPERT_LAYERS + ")");
        }
        text.requireNumberIfGiven(
                LEADING_DENSE, dense, "it must be the number of dense layers in " + EXPERT_LAYERS + " (" + dense + ")");
        return List.of(
                new LayerGroup(
                        dense,
                        attention(text, null),
                        new FeedForwardSpec.Dense(
                                text.count(DENSE_WIDTH, ModelArchitecture.MAX_INNER_WIDTH), GatedActivation.CLAMPED)),
                new LayerGroup(layers - dense, attention(text, indexer(sparse, selecting)), experts(text)));
    }

    /// A list of 0 and 1, one for each layer; what is behind them counts for none.
    private static List<Boolean> switches(HuggingFaceConfig config, String key, int layers) {
        List<Boolean> switches = new ArrayList<>();
        for (Object entry : config.list(key)) {
            double value = entry instanceof Number number ? number.doubleValue() : Double.NaN;
            if (value != 0 && value != 1) {
                throw config.invalid(key, "0 or 1 for each layer");
            }
            switches.add(value == 1);
        }
        return DecoderConfig.requireEachLayer(config, key, switches, layers).subList(0, layers);
    }

    private static AttentionSpec attention(HuggingFaceConfig text, @Nullable BlockIndexer indexer) {
        AttentionHeads heads = AttentionHeads.given(text);
        int rotated = heads.requireRotated(text, ROTATED);
        if (rotated % 2 != 0) {
            throw text.invalid(ROTATED, "an even number");
        }
        return new BlockSparse(heads.query(), heads.keyValue(), heads.size(), rotated, indexer);
    }

    private static BlockIndexer indexer(HuggingFaceConfig sparse, List<Boolean> selecting) {
        sparse.require("use_sparse_attention", true, "only sparse attention is priced");
        sparse.require("sparse_score_type", "max", "only the best score of a block is priced");
        sparse.requireNumberIfGiven("sparse_init_block", 0, "blocks that are always attended to are not priced");
        sparse.requireNumberIfGiven("sparse_local_block", 1, "only selections with a token's own block are priced");
        if (sparse.has(INDEX_VALUES_OFF)
                && !switches(sparse, INDEX_VALUES_OFF, selecting.size()).equals(selecting)) {
            throw sparse.refused(INDEX_VALUES_OFF, "values of the indexer are not priced");
        }
        int headSize = sparse.count("sparse_index_dim", ModelArchitecture.MAX_HIDDEN_SIZE);
        int block = sparse.count("sparse_block_size", ModelArchitecture.MAX_POSITIONS);
        return new BlockIndexer(
                sparse.count("sparse_num_index_heads", ModelArchitecture.MAX_INNER_WIDTH / headSize),
                headSize,
                block,
                sparse.count("sparse_topk_blocks", ModelArchitecture.MAX_POSITIONS / block));
    }

    private static FeedForwardSpec experts(HuggingFaceConfig text) {
        FeedForwardSpec.Routing routing = ExpertConfig.routing(text, EXPERTS, new Router.FusedSigmoid());
        int width = ExpertConfig.expertWidth(text, EXPERT_WIDTH, routing);
        text.requireNumberIfGiven(ExpertConfig.EXPERT_WIDTH, width, "it must be " + EXPERT_WIDTH + " (" + width + ")");
        int one = text.count(SHARED_WIDTH, ModelArchitecture.MAX_INNER_WIDTH);
        int shared = text.has(SHARED_EXPERTS)
                ? one * text.count(SHARED_EXPERTS, ModelArchitecture.MAX_INNER_WIDTH / one)
                : one;
        return new FeedForwardSpec.RoutedExperts(routing, width, shared, false, GatedActivation.CLAMPED);
    }
}
