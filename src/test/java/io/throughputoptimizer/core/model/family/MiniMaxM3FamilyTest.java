package io.throughputoptimizer.core.model.family;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.throughputoptimizer.core.model.AttentionSpec.BlockIndexer;
import io.throughputoptimizer.core.model.AttentionSpec.BlockSparse;
import io.throughputoptimizer.core.model.DraftLayers;
import io.throughputoptimizer.core.model.FeedForwardSpec;
import io.throughputoptimizer.core.model.FeedForwardSpec.RoutedExperts;
import io.throughputoptimizer.core.model.FeedForwardSpec.Routing;
import io.throughputoptimizer.core.model.GatedActivation;
import io.throughputoptimizer.core.model.LayerGroup;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.model.NormStyle;
import io.throughputoptimizer.core.model.Router;
import io.throughputoptimizer.core.model.UnusedVisionTower;
import io.throughputoptimizer.core.model.config.HuggingFaceConfig;
import io.throughputoptimizer.core.model.config.ModelConfigException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class MiniMaxM3FamilyTest {
    private static final Map<String, Object> SPARSE = Map.of(
            "use_sparse_attention", true,
            "sparse_attention_freq", List.of(0, 1, 1),
            "sparse_score_type", "max",
            "sparse_num_index_heads", 2,
            "sparse_index_dim", 16,
            "sparse_block_size", 64,
            "sparse_topk_blocks", 8);
    private static final Map<String, Object> TEXT = Map.ofEntries(
            Map.entry("hidden_size", 64),
            Map.entry("intermediate_size", 48),
            Map.entry("dense_intermediate_size", 256),
            Map.entry("shared_intermediate_size", 32),
            Map.entry("n_shared_experts", 2),
            Map.entry("num_hidden_layers", 3),
            Map.entry("num_attention_heads", 4),
            Map.entry("num_key_value_heads", 2),
            Map.entry("head_dim", 32),
            Map.entry("rotary_dim", 16),
            Map.entry("vocab_size", 1000),
            Map.entry("max_position_embeddings", 2048),
            Map.entry("rms_norm_eps", 1e-6),
            Map.entry("num_local_experts", 16),
            Map.entry("num_experts_per_tok", 2),
            Map.entry("moe_layer_freq", List.of(0, 1, 1)),
            Map.entry("hidden_act", "swigluoai"),
            Map.entry("scoring_func", "sigmoid"),
            Map.entry("use_routing_bias", true),
            Map.entry("use_qk_norm", true),
            Map.entry("qk_norm_type", "per_head"),
            Map.entry("use_gemma_norm", true),
            Map.entry("sparse_attention_config", SPARSE));

    @Test
    void layersWithFullAttentionAreDenseAndThoseThatSelectBlocksHaveExperts() {
        ModelArchitecture model = read(TEXT, Map.of());

        assertThat(model.family()).isEqualTo("minimax_m3_vl");
        assertThat(model.norms()).isEqualTo(NormStyle.SHIFTED_AND_SUMMED);
        assertThat(model.groups())
                .containsExactly(
                        new LayerGroup(
                                1,
                                new BlockSparse(4, 2, 32, 16, null),
                                new FeedForwardSpec.Dense(256, GatedActivation.CLAMPED)),
                        new LayerGroup(
                                2,
                                new BlockSparse(4, 2, 32, 16, new BlockIndexer(2, 16, 64, 8)),
                                new RoutedExperts(
                                        new Routing(16, 2, new Router.FusedSigmoid()),
                                        48,
                                        64,
                                        false,
                                        GatedActivation.CLAMPED)));
        assertThat(model.idleTower()).isNull();
        assertThat(model.predictsDrafts()).isFalse();
    }

    @Test
    void aDraftIsPredictedByALayerLikeTheLastOne() {
        ModelArchitecture model = read(with("num_nextn_predict_layers", 1), Map.of());

        assertThat(model.drafts()).isEqualTo(DraftLayers.like(model.groups().getLast()));
    }

    @Test
    void aSectionForTheTowerHasTheSizesOfItsLibraryWhereItNamesNone() {
        UnusedVisionTower tower = new UnusedVisionTower(32, 1280, 5120, 16, 3 * 2 * 14 * 14, 4, 6144);

        assertThat(read(TEXT, Map.of("vision_config", Map.of())).idleTower()).isEqualTo(tower);
        assertThat(read(
                                TEXT,
                                Map.of(
                                        "projector_hidden_size",
                                        64,
                                        "vision_config",
                                        Map.of(
                                                "num_hidden_layers",
                                                2,
                                                "img_token_compression_config",
                                                Map.of("spatial_merge_size", 3, "temporal_patch_size", 1))))
                        .idleTower())
                .isEqualTo(new UnusedVisionTower(2, 1280, 5120, 16, 3 * 14 * 14, 9, 64));
    }

    static Stream<Arguments> unpriced() {
        return Stream.of(
                Arguments.of(with("hidden_act", "silu"), "hidden_act is \"silu\": only swigluoai is priced"),
                Arguments.of(
                        with("moe_layer_freq", List.of(1, 1, 1)),
                        "moe_layer_freq must be dense layers first, then layers with experts, got [1, 1, 1]"),
                Arguments.of(
                        with("moe_layer_freq", List.of(0, 1)),
                        "moe_layer_freq must be a list of one element per layer (3), got [0, 1]"),
                Arguments.of(
                        with("moe_layer_freq", List.of(0, 0, 1)),
                        "sparse_attention_freq must be sparse attention in the layers with experts (moe_layer_freq),"
                                + " got [0, 1, 1]"),
                Arguments.of(with("rotary_dim", 15), "rotary_dim must be an even number, got 15"),
                Arguments.of(
                        with("moe_intermediate_size", 47),
                        "moe_intermediate_size is 47: it must be intermediate_size (48)"),
                Arguments.of(
                        sparseWith("sparse_local_block", 0),
                        "sparse_local_block is 0: only selections with a token's own block are priced"),
                Arguments.of(
                        sparseWith("sparse_score_type", "mean"),
                        "sparse_score_type is \"mean\": only the best score of a block is priced"),
                Arguments.of(
                        sparseWith("sparse_disable_index_value", List.of(0, 0, 1)),
                        "sparse_disable_index_value is [0, 0, 1]: values of the indexer are not priced"));
    }

    @ParameterizedTest
    @MethodSource("unpriced")
    void whatCannotBePricedIsRefusedByKey(Map<String, Object> text, String message) {
        assertThat(catchThrowableOfType(ModelConfigException.class, () -> read(text, Map.of())))
                .hasMessage(message);
    }

    private static Map<String, Object> with(String key, Object value) {
        Map<String, Object> text = new HashMap<>(TEXT);
        text.put(key, value);
        return text;
    }

    private static Map<String, Object> sparseWith(String key, Object value) {
        Map<String, Object> sparse = new HashMap<>(SPARSE);
        sparse.put(key, value);
        return with("sparse_attention_config", sparse);
    }

    private static ModelArchitecture read(Map<String, Object> text, Map<String, Object> around) {
        Map<String, Object> entries = new HashMap<>(around);
        entries.put("model_type", "minimax_m3_vl");
        entries.put("text_config", text);
        return ModelFamily.of(new HuggingFaceConfig(entries))
                .architecture("owner/name", new HuggingFaceConfig(entries));
    }
}
