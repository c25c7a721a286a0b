package io.throughputoptimizer.core.model.family;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.throughputoptimizer.core.model.AttentionSpec.GroupedQuery;
import io.throughputoptimizer.core.model.AttentionSpec.HeadNorm;
import io.throughputoptimizer.core.model.FeedForwardSpec;
import io.throughputoptimizer.core.model.LayerGroup;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.model.Router;
import io.throughputoptimizer.core.model.config.HuggingFaceConfig;
import io.throughputoptimizer.core.model.config.ModelConfigException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GptOssFamilyTest {
    private static final GroupedQuery FULL = new GroupedQuery(8, 2, 32, HeadNorm.NONE, true, true);

    @Test
    void layersSeeAllTokensOrAWindowAsTheirTypesSay() {
        ModelArchitecture model = read(Map.of());

        assertThat(model.layers()).isEqualTo(4);
        assertThat(model.slides()).isTrue();
        assertThat(model.groups())
                .extracting(LayerGroup::count, LayerGroup::attention)
                .containsExactly(tuple(1, FULL.within(128)), tuple(2, FULL), tuple(1, FULL.within(128)));
        assertThat(model.experts().orElseThrow())
                .isEqualTo(new FeedForwardSpec.RoutedExperts(
                        new FeedForwardSpec.Routing(16, 4, new Router.Softmax()), 96, 0));
    }

    @Test
    void withoutSlidingLayersNothingSlides() {
        assertThat(read(Map.of(
                                "layer_types",
                                List.of("full_attention", "full_attention", "full_attention", "full_attention")))
                        .slides())
                .isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "layer_types, a list of one element per layer (4)",
        "sliding_window, a whole number from 1 to 1000000000"
    })
    void aMissingKeyIsNamed(String key, String rule) {
        Map<String, Object> config = config();
        config.remove(key);

        assertThatThrownBy(() -> ModelFamily.of(new HuggingFaceConfig(config))
                        .architecture("us/oss", new HuggingFaceConfig(config)))
                .isInstanceOf(ModelConfigException.class)
                .hasMessage(key + " is required and must be " + rule);
    }

    @Test
    void otherTypesOfLayersAreRefused() {
        assertThatThrownBy(() -> read(Map.of(
                        "layer_types",
                        List.of("full_attention", "chunked_attention", "full_attention", "full_attention"))))
                .isInstanceOf(ModelConfigException.class)
                .hasMessageEndingWith("only full_attention and sliding_attention are priced");
    }

    private static ModelArchitecture read(Map<String, Object> changes) {
        Map<String, Object> entries = config();
        entries.putAll(changes);
        HuggingFaceConfig config = new HuggingFaceConfig(entries);
        return ModelFamily.of(config).architecture("us/oss", config);
    }

    private static Map<String, Object> config() {
        return new HashMap<>(Map.ofEntries(
                Map.entry("model_type", "gpt_oss"),
                Map.entry("hidden_size", 256),
                Map.entry("intermediate_size", 96),
                Map.entry("num_hidden_layers", 4),
                Map.entry("num_attention_heads", 8),
                Map.entry("num_key_value_heads", 2),
                Map.entry("head_dim", 32),
                Map.entry("vocab_size", 1000),
                Map.entry("max_position_embeddings", 4096),
                Map.entry("rms_norm_eps", 1e-5),
                Map.entry("attention_bias", true),
                Map.entry("num_local_experts", 16),
                Map.entry("num_experts_per_tok", 4),
                Map.entry("sliding_window", 128),
                Map.entry(
                        "layer_types",
                        List.of("sliding_attention", "full_attention", "full_attention", "sliding_attention"))));
    }
}
