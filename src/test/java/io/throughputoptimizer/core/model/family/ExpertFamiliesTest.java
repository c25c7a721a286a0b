package io.throughputoptimizer.core.model.family;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.throughputoptimizer.core.model.AttentionSpec;
import io.throughputoptimizer.core.model.AttentionSpec.Indexer;
import io.throughputoptimizer.core.model.AttentionSpec.LatentHead;
import io.throughputoptimizer.core.model.AttentionSpec.MultiHeadLatent;
import io.throughputoptimizer.core.model.FeedForwardSpec;
import io.throughputoptimizer.core.model.FeedForwardSpec.RoutedExperts;
import io.throughputoptimizer.core.model.FeedForwardSpec.Routing;
import io.throughputoptimizer.core.model.LayerGroup;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.model.Router;
import io.throughputoptimizer.core.model.config.HuggingFaceConfig;
import io.throughputoptimizer.core.model.config.ModelConfigException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Families with routed experts: what their configurations stand for, and what they refuse.
class ExpertFamiliesTest {
    private static final Map<String, Object> COMMON = Map.of(
            "hidden_size", 64,
            "num_hidden_layers", 5,
            "num_attention_heads", 4,
            "vocab_size", 1000,
            "max_position_embeddings", 2048,
            "rms_norm_eps", 1e-6,
            "num_experts_per_tok", 2);

    private static final Map<String, Object> QWEN3_MOE = Map.of(
            "num_key_value_heads", 2,
            "head_dim", 32,
            "num_experts", 16,
            "moe_intermediate_size", 48,
            "norm_topk_prob", true);

    private static final Map<String, Object> MINIMAX = Map.of(
            "num_key_value_heads",
            2,
            "head_dim",
            32,
            "num_local_experts",
            16,
            "intermediate_size",
            48,
            "scoring_func",
            "sigmoid",
            "use_routing_bias",
            true,
            "use_qk_norm",
            true,
            "qk_norm_type",
            "per_layer");

    private static final Map<String, Object> DEEPSEEK = Map.ofEntries(
            Map.entry("intermediate_size", 256),
            Map.entry("q_lora_rank", 24),
            Map.entry("kv_lora_rank", 16),
            Map.entry("qk_nope_head_dim", 12),
            Map.entry("qk_rope_head_dim", 8),
            Map.entry("v_head_dim", 10),
            Map.entry("n_routed_experts", 16),
            Map.entry("moe_intermediate_size", 48),
            Map.entry("n_shared_experts", 2),
            Map.entry("first_k_dense_replace", 3),
            Map.entry("norm_topk_prob", true));

    private static final Map<String, Object> SPARSE =
            Map.of("index_n_heads", 6, "index_head_dim", 20, "index_topk", 128, "n_group", 4, "topk_group", 2);

    private static final LatentHead HEAD = new LatentHead(12, 8, 10);

    @Test
    void qwen3MoeHasNothingButRoutedExperts() {
        assertThat(read("qwen3_moe", QWEN3_MOE).groups().getLast().feedForward())
                .isEqualTo(new RoutedExperts(new Routing(16, 2, new Router.Softmax()), 48, 0));
    }

    @Test
    void theExpertsOfMiniMaxAreAsWideAsTheIntermediateSize() {
        ModelArchitecture model = read("minimax_m2", MINIMAX);

        assertThat(model.groups().getLast().feedForward())
                .isEqualTo(new RoutedExperts(new Routing(16, 2, new Router.Sigmoid()), 48, 0));
        assertThat(model.attentions().getFirst())
                .isEqualTo(new AttentionSpec.GroupedQuery(4, 2, 32, AttentionSpec.HeadNorm.ACROSS_HEADS, false, false));
    }

    @Test
    void deepSeekHasSharedExpertsAsOneNetworkAndDenseLayersInFront() {
        ModelArchitecture model = read("deepseek_v3", DEEPSEEK);

        MultiHeadLatent attention = new MultiHeadLatent(4, 24, 16, HEAD, null);
        assertThat(model.groups())
                .containsExactly(
                        new LayerGroup(3, attention, new FeedForwardSpec.Dense(256)),
                        new LayerGroup(
                                model.layers() - 3,
                                attention,
                                new RoutedExperts(new Routing(16, 2, new Router.RawLogits(2, null)), 48, 2 * 48)));
    }

    @Test
    void aModelOfFewerLayersThanItsDenseOnesHasNoExperts() {
        ModelArchitecture model = read("deepseek_v3", with(DEEPSEEK, Map.of("num_hidden_layers", 2)));

        assertThat(model.experts()).isEmpty();
        assertThat(model.layers()).isEqualTo(2);
    }

    @Test
    void kimiIsDeepSeekUnderANameOfItsOwn() {
        ModelArchitecture kimi = read("kimi_k2", DEEPSEEK);
        ModelArchitecture deepSeek = read("deepseek_v3", DEEPSEEK);

        assertThat(kimi.family()).isEqualTo("kimi_k2");
        assertThat(kimi.groups()).isEqualTo(deepSeek.groups());
    }

    @Test
    void sparseFamiliesHaveAnIndexer() {
        MultiHeadLatent sparse = new MultiHeadLatent(4, 24, 16, HEAD, new Indexer(6, 20, 128, false));

        assertThat(read("deepseek_v32", with(DEEPSEEK, SPARSE)).attentions().getFirst())
                .isEqualTo(sparse);
        assertThat(read("glm_moe_dsa", with(DEEPSEEK, SPARSE)).attentions().getFirst())
                .isEqualTo(sparse);
    }

    @Test
    void onlyDeepSeekV32LimitsExpertsToGroups() {
        assertThat(router(read("deepseek_v32", with(DEEPSEEK, SPARSE))))
                .isEqualTo(new Router.GroupLimited(4, 2, Router.GroupLimited.SINGLE));
        assertThat(router(read("glm_moe_dsa", with(DEEPSEEK, SPARSE))))
                .isEqualTo(new Router.RawLogits(4, new Router.GroupLimited(4, 2, Router.GroupLimited.SINGLE)));
    }

    @Test
    void draftsArePredictedWhereTheCheckpointHasLayersForThemAndTheReferenceModelsThem() {
        Map<String, Object> drafts = with(with(DEEPSEEK, SPARSE), Map.of("num_nextn_predict_layers", 1));

        assertThat(read("deepseek_v3", drafts).predictsDrafts()).isTrue();
        assertThat(read("glm_moe_dsa", drafts).predictsDrafts()).isTrue();
        assertThat(read("deepseek_v32", drafts).predictsDrafts()).isFalse();
        assertThat(read("deepseek_v3", DEEPSEEK).predictsDrafts()).isFalse();
    }

    @Test
    void expertsWithoutSharedOnesOrDenseLayersAreAccepted() {
        Map<String, Object> plain = with(DEEPSEEK, Map.of("n_shared_experts", 0, "first_k_dense_replace", 0));

        assertThat(read("deepseek_v3", plain).groups().getLast().feedForward())
                .isEqualTo(new RoutedExperts(new Routing(16, 2, new Router.RawLogits(2, null)), 48, 0));
    }

    @ParameterizedTest
    @MethodSource("refusals")
    void whatCannotBePricedIsRefusedByKey(String family, String key, Object value, String message) {
        ModelConfigException refusal = catchThrowableOfType(
                ModelConfigException.class, () -> read(family, with(settings(family), Map.of(key, value))));

        assertThat(refusal).hasMessage(message);
        assertThat(refusal.pointer()).isEqualTo("/" + key);
    }

    static Stream<Arguments> refusals() {
        return Stream.of(
                Arguments.of(
                        "qwen3_moe",
                        "decoder_sparse_step",
                        2,
                        "decoder_sparse_step is 2: only experts in every layer are priced"),
                Arguments.of(
                        "qwen3_moe",
                        "mlp_only_layers",
                        List.of(0),
                        "mlp_only_layers is [0]: only experts in every layer are priced"),
                Arguments.of(
                        "qwen3_moe",
                        "norm_topk_prob",
                        false,
                        "norm_topk_prob is false: only weights normalized to a sum of 1 are priced"),
                Arguments.of(
                        "qwen3_moe",
                        "shared_expert_intermediate_size",
                        512,
                        "shared_expert_intermediate_size is 512: this model_type has no shared expert"),
                Arguments.of(
                        "qwen3_moe",
                        "n_routed_experts",
                        8,
                        "n_routed_experts is 8: experts of this kind are not those of this model_type"),
                Arguments.of(
                        "qwen3_moe",
                        "num_experts_per_tok",
                        17,
                        "num_experts_per_tok must be a whole number from 1 to 16, got 17"),
                Arguments.of(
                        "minimax_m2",
                        "qk_norm_type",
                        "per_head",
                        "qk_norm_type is \"per_head\": only a norm across heads is priced"),
                Arguments.of(
                        "minimax_m2",
                        "attn_type_list",
                        List.of(1, 0),
                        "attn_type_list is [1, 0]: only full attention in every layer, 1, is priced"),
                Arguments.of(
                        "minimax_m2",
                        "shared_intermediate_size",
                        8,
                        "shared_intermediate_size is 8: a shared expert is not priced"),
                Arguments.of(
                        "deepseek_v3",
                        "moe_layer_freq",
                        2,
                        "moe_layer_freq is 2: only experts in every layer after the dense ones are priced"),
                Arguments.of(
                        "deepseek_v3",
                        "attention_bias",
                        true,
                        "attention_bias is true: biases of latent attention are not priced"),
                Arguments.of("deepseek_v3", "qk_rope_head_dim", 7, "qk_rope_head_dim must be an even number, got 7"),
                Arguments.of("deepseek_v32", "topk_group", 5, "topk_group must be a whole number from 1 to 4, got 5"),
                Arguments.of(
                        "glm_moe_dsa",
                        "indexer_types",
                        List.of("full", "own", "own", "own", "own"),
                        "indexer_types is [full, own, own, own, own]: only full and shared are priced"),
                Arguments.of(
                        "glm_moe_dsa",
                        "indexer_types",
                        List.of("shared", "full", "full", "full", "full"),
                        "indexer_types is [shared, full, full, full, full]: a layer that selects must come before"
                                + " one that shares"),
                Arguments.of(
                        "deepseek_v32",
                        "indexer_types",
                        List.of("full", "shared", "shared", "shared", "shared"),
                        "indexer_types is [full, shared, shared, shared, shared]: layers that share an indexer are not"
                                + " those of this model_type"));
    }

    private static Map<String, Object> settings(String family) {
        return switch (family) {
            case "qwen3_moe" -> QWEN3_MOE;
            case "minimax_m2" -> MINIMAX;
            default -> with(DEEPSEEK, SPARSE);
        };
    }

    private static Router router(ModelArchitecture model) {
        return model.experts().orElseThrow().routing().router();
    }

    private static Map<String, Object> with(Map<String, Object> settings, Map<String, Object> more) {
        Map<String, Object> all = new HashMap<>(settings);
        all.putAll(more);
        return all;
    }

    private static ModelArchitecture read(String family, Map<String, Object> settings) {
        Map<String, @Nullable Object> entries = new HashMap<>(COMMON);
        entries.put("model_type", family);
        entries.putAll(settings);
        HuggingFaceConfig config = new HuggingFaceConfig(entries);
        return ModelFamily.of(config).architecture("owner/name", config);
    }
}
