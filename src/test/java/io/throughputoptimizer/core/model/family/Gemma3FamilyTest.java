package io.throughputoptimizer.core.model.family;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.throughputoptimizer.core.model.AttentionSpec.GroupedQuery;
import io.throughputoptimizer.core.model.AttentionSpec.HeadNorm;
import io.throughputoptimizer.core.model.FeedForwardSpec;
import io.throughputoptimizer.core.model.GatedActivation;
import io.throughputoptimizer.core.model.LayerGroup;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.model.SandwichNorms;
import io.throughputoptimizer.core.model.config.HuggingFaceConfig;
import io.throughputoptimizer.core.model.config.ModelConfigException;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class Gemma3FamilyTest {
    private static final GroupedQuery FULL = new GroupedQuery(4, 2, 32, HeadNorm.PER_HEAD, false, false);

    @Test
    void everySixthLayerSeesAllUnlessAPatternSaysOtherwise() {
        ModelArchitecture model = read(Map.of());

        assertThat(model.groups())
                .extracting(LayerGroup::count, LayerGroup::attention)
                .containsExactly(tuple(5, FULL.within(512)), tuple(1, FULL), tuple(2, FULL.within(512)));
        assertThat(model.groups().getFirst().feedForward())
                .isEqualTo(new FeedForwardSpec.Dense(256, GatedActivation.GELU));
        assertThat(model.connections()).isEqualTo(new SandwichNorms(true, true, false));
        assertThat(model.computedRotations()).isEqualTo(2);
        assertThat(read(Map.of("sliding_window_pattern", 4)).layersOf(FULL)).isEqualTo(2);
        assertThat(read(Map.of("layer_types", Collections.nCopies(8, "full_attention")))
                        .slides())
                .isFalse();
    }

    /// What the library takes: 8 heads over 4, of 256 elements, and a window of 4096.
    @Test
    void keysThatAPublishedFileLeavesOutAreThoseOfTheLibrary() {
        Map<String, Object> text = Map.of(
                "model_type", "gemma3_text", "hidden_size", 64, "intermediate_size", 256, "num_hidden_layers", 2);
        ModelArchitecture model = model(Map.of(
                "model_type",
                "gemma3",
                "architectures",
                List.of("Gemma3ForConditionalGeneration"),
                "text_config",
                text));

        assertThat(model.attentions())
                .containsExactly(new GroupedQuery(8, 4, 256, HeadNorm.PER_HEAD, false, false).within(4096));
        assertThat(model.vocabularySize()).isEqualTo(262_208);
        assertThat(model.maxPositions()).isEqualTo(131_072);
        assertThat(model.tiesEmbeddings()).isTrue();
    }

    /// Engines take 131,072 positions as they are: linear scaling by 8 is in them.
    @Test
    void theContextCountsItsScalingAlready() {
        Map<String, Object> scaled = Map.of("rope_scaling", Map.of("rope_type", "linear", "factor", 8.0));

        assertThat(read(scaled).contextTokens()).isEqualTo(2048);
    }

    @ParameterizedTest
    @CsvSource({
        "attn_logit_softcapping, 50.0, bounds of scores and logits are not priced for Gemma 3",
        "final_logit_softcapping, 30.0, bounds of scores and logits are not priced for Gemma 3",
        "use_bidirectional_attention, true, only attention to tokens before is priced",
        "hidden_activation, relu, only gelu_pytorch_tanh is priced"
    })
    void whatCannotBePricedIsRefusedByKey(String key, String value, String rule) {
        Object given = switch (value) {
            case "true" -> true;
            case "relu" -> value;
            default -> Double.valueOf(value);
        };
        assertThatThrownBy(() -> read(Map.of(key, given)))
                .isInstanceOf(ModelConfigException.class)
                .hasMessageStartingWith(key + " is ")
                .hasMessageEndingWith(rule);
    }

    private static ModelArchitecture read(Map<String, Object> changes) {
        Map<String, Object> entries = new HashMap<>(Map.ofEntries(
                Map.entry("model_type", "gemma3_text"),
                Map.entry("hidden_size", 64),
                Map.entry("intermediate_size", 256),
                Map.entry("num_hidden_layers", 8),
                Map.entry("num_attention_heads", 4),
                Map.entry("num_key_value_heads", 2),
                Map.entry("head_dim", 32),
                Map.entry("vocab_size", 1000),
                Map.entry("max_position_embeddings", 2048),
                Map.entry("sliding_window", 512),
                Map.entry("rms_norm_eps", 1e-6)));
        entries.putAll(changes);
        return model(entries);
    }

    private static ModelArchitecture model(Map<String, Object> entries) {
        return ModelFamily.model("us/gemma", new HuggingFaceConfig(entries));
    }
}
