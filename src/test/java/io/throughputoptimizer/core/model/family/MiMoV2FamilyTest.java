package io.throughputoptimizer.core.model.family;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.throughputoptimizer.core.model.AttentionSpec.GroupedQuery;
import io.throughputoptimizer.core.model.AttentionSpec.HeadNorm;
import io.throughputoptimizer.core.model.FeedForwardSpec.Dense;
import io.throughputoptimizer.core.model.FeedForwardSpec.RoutedExperts;
import io.throughputoptimizer.core.model.LayerGroup;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.model.config.HuggingFaceConfig;
import io.throughputoptimizer.core.model.config.ModelConfigException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MiMoV2FamilyTest {
    private static final GroupedQuery FULL =
            new GroupedQuery(4, 1, 48, HeadNorm.NONE, false, false).valued(32).rotating(16);
    private static final GroupedQuery SLIDING = new GroupedQuery(4, 2, 48, HeadNorm.NONE, false, false)
            .valued(32)
            .rotating(16)
            .within(64);

    @Test
    void layersHaveAWindowAndExpertsAsListsSay() {
        ModelArchitecture model = read(Map.of());

        assertThat(model.groups())
                .extracting(LayerGroup::count, LayerGroup::attention)
                .containsExactly(tuple(1, FULL), tuple(2, SLIDING), tuple(1, FULL));
        assertThat(model.groups().getFirst().feedForward()).isEqualTo(new Dense(256));
        assertThat(model.groups().getLast().feedForward()).isInstanceOf(RoutedExperts.class);
        assertThat(model.rmsNormEpsilon()).isEqualTo(1e-5);
        assertThat(model.predictsDrafts()).isFalse();
    }

    /// By hand: queries `64 x 4 48`, keys and values `64 x 1 (48 + 32)`, the output's `4 32 x 64`.
    @Test
    void valuesAreNarrowerThanKeys() {
        assertThat(FULL.parameterCount(64)).isEqualTo(64 * 192 + 64 * 80 + 128 * 64);
        assertThat(FULL.valuesDiffer()).isTrue();
        assertThat(FULL.valued(48).valuesDiffer()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "swa_v_head_dim, swa_v_head_dim is required",
        "swa_num_key_value_heads, swa_num_key_value_heads is required",
        "layernorm_epsilon, layernorm_epsilon is required",
        "v_head_dim, v_head_dim is required",
        "sliding_window, sliding_window is required"
    })
    void whatIsMissingIsNamed(String key, String message) {
        Map<String, Object> config = config(Map.of());
        config.remove(key);

        assertThatThrownBy(() -> model(config))
                .isInstanceOfSatisfying(
                        ModelConfigException.class,
                        refusal -> assertThat(refusal.pointer()).isEqualTo("/" + key))
                .hasMessageContaining(message);
    }

    @ParameterizedTest
    @CsvSource({
        "attention_chunk_size, 128",
        "sliding_window_size, 128",
        "hybrid_layer_pattern, 2",
        "moe_layer_freq, 2",
        "num_experts, 4"
    })
    void whatHasNoPriceIsRefused(String key, int value) {
        Object asked = key.startsWith("hybrid") || key.startsWith("moe") ? List.of(value, value, value, value) : value;

        assertThatThrownBy(() -> read(Map.of(key, asked)))
                .isInstanceOfSatisfying(
                        ModelConfigException.class,
                        refusal -> assertThat(refusal.pointer()).isEqualTo("/" + key));
    }

    private static ModelArchitecture read(Map<String, Object> settings) {
        return model(config(settings));
    }

    private static ModelArchitecture model(Map<String, Object> config) {
        return ModelFamily.model("us/small", new HuggingFaceConfig(config));
    }

    private static Map<String, Object> config(Map<String, Object> settings) {
        Map<String, Object> config = new HashMap<>(Map.ofEntries(
                Map.entry("model_type", "mimo_v2_flash"),
                Map.entry("hidden_size", 64),
                Map.entry("intermediate_size", 256),
                Map.entry("num_hidden_layers", 4),
                Map.entry("num_attention_heads", 4),
                Map.entry("num_key_value_heads", 1),
                Map.entry("head_dim", 48),
                Map.entry("v_head_dim", 32),
                Map.entry("swa_num_attention_heads", 4),
                Map.entry("swa_num_key_value_heads", 2),
                Map.entry("swa_head_dim", 48),
                Map.entry("swa_v_head_dim", 32),
                Map.entry("partial_rotary_factor", 0.334),
                Map.entry("sliding_window", 64),
                Map.entry("hybrid_layer_pattern", List.of(0, 1, 1, 0)),
                Map.entry("moe_layer_freq", List.of(0, 1, 1, 1)),
                Map.entry("moe_intermediate_size", 32),
                Map.entry("n_routed_experts", 8),
                Map.entry("num_experts_per_tok", 2),
                Map.entry("norm_topk_prob", true),
                Map.entry("scoring_func", "sigmoid"),
                Map.entry("vocab_size", 1000),
                Map.entry("max_position_embeddings", 2048),
                Map.entry("layernorm_epsilon", 1e-5)));
        config.putAll(settings);
        return config;
    }
}
