package io.throughputoptimizer.core.model.family;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.throughputoptimizer.core.model.CompressedSpec;
import io.throughputoptimizer.core.model.CompressedSpec.Compression;
import io.throughputoptimizer.core.model.FeedForwardSpec;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.model.Router;
import io.throughputoptimizer.core.model.config.HuggingFaceConfig;
import io.throughputoptimizer.core.model.config.ModelConfigException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class DeepSeekV4FamilyTest {
    private static final Map<String, Object> SETTINGS = Map.ofEntries(
            Map.entry("model_type", "deepseek_v4"),
            Map.entry("hidden_size", 64),
            Map.entry("num_hidden_layers", 4),
            Map.entry("num_attention_heads", 8),
            Map.entry("num_key_value_heads", 1),
            Map.entry("head_dim", 32),
            Map.entry("qk_rope_head_dim", 8),
            Map.entry("q_lora_rank", 16),
            Map.entry("o_groups", 2),
            Map.entry("o_lora_rank", 16),
            Map.entry("sliding_window", 128),
            Map.entry("compress_ratios", List.of(0, 4, 128, 128, 0)),
            Map.entry("index_n_heads", 4),
            Map.entry("index_head_dim", 16),
            Map.entry("index_topk", 64),
            Map.entry("hc_mult", 4),
            Map.entry("hc_sinkhorn_iters", 20),
            Map.entry("n_routed_experts", 16),
            Map.entry("num_experts_per_tok", 2),
            Map.entry("moe_intermediate_size", 48),
            Map.entry("n_shared_experts", 1),
            Map.entry("num_hash_layers", 3),
            Map.entry("scoring_func", "sqrtsoftplus"),
            Map.entry("norm_topk_prob", true),
            Map.entry("num_nextn_predict_layers", 1),
            Map.entry("vocab_size", 1000),
            Map.entry("max_position_embeddings", 2048),
            Map.entry("rms_norm_eps", 1e-6));

    @Test
    void layersDifferInTheirCompressionAndRouter() {
        ModelArchitecture model = read(Map.of());

        assertThat(model.groups())
                .extracting(group -> ((CompressedSpec) group.attention()).compression())
                .containsExactly(Compression.NONE, Compression.FINE, Compression.COARSE, Compression.COARSE);
        assertThat(model.groups())
                .extracting(group -> ((FeedForwardSpec.RoutedExperts) group.feedForward())
                        .routing()
                        .router())
                .containsExactly(
                        new Router.SquareRoot(true),
                        new Router.SquareRoot(true),
                        new Router.SquareRoot(true),
                        new Router.SquareRoot(false));
    }

    static List<Arguments> refusals() {
        return List.of(
                Arguments.of(
                        "compress_ratios",
                        List.of(0, 8, 128, 128),
                        "compress_ratios is [0, 8, 128, 128]: only 0, 4 and 128 are priced"),
                Arguments.of(
                        "compress_ratios",
                        List.of(0, 4, 128),
                        "compress_ratios must be a list of one element per layer (4), got [0, 4, 128]"),
                Arguments.of("o_groups", 3, "o_groups must be a divisor of num_attention_heads (8), got 3"),
                Arguments.of(
                        "first_k_dense_replace",
                        1,
                        "first_k_dense_replace is 1: only experts in every layer are priced"),
                Arguments.of(
                        "attention_bias",
                        true,
                        "attention_bias is true: biases beside compressed entries are not priced"),
                Arguments.of("scoring_func", "sigmoid", "scoring_func is \"sigmoid\": only sqrtsoftplus is priced"));
    }

    @ParameterizedTest
    @MethodSource("refusals")
    void whatCannotBePricedIsRefusedByKey(String key, Object value, String message) {
        ModelConfigException refusal = catchThrowableOfType(ModelConfigException.class, () -> read(Map.of(key, value)));

        assertThat(refusal).hasMessage(message);
        assertThat(refusal.pointer()).isEqualTo("/" + key);
    }

    private static ModelArchitecture read(Map<String, Object> more) {
        Map<String, Object> entries = new HashMap<>(SETTINGS);
        entries.putAll(more);
        return ModelFamily.of(new HuggingFaceConfig(entries))
                .architecture("owner/name", new HuggingFaceConfig(entries));
    }
}
