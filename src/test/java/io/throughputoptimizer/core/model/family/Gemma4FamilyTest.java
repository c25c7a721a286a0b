package io.throughputoptimizer.core.model.family;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.throughputoptimizer.core.deployment.RooflineCoverage;
import io.throughputoptimizer.core.model.AttentionSpec.GroupedQuery;
import io.throughputoptimizer.core.model.AttentionSpec.HeadNorm;
import io.throughputoptimizer.core.model.AttentionSpec.Projections;
import io.throughputoptimizer.core.model.FeedForwardSpec;
import io.throughputoptimizer.core.model.FeedForwardSpec.RoutedExperts;
import io.throughputoptimizer.core.model.GatedActivation;
import io.throughputoptimizer.core.model.LayerGroup;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.model.Router;
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

class Gemma4FamilyTest {
    private static final GroupedQuery SLIDING =
            new GroupedQuery(4, 2, 32, HeadNorm.PER_HEAD_AND_VALUE, false, false).within(512);
    private static final GroupedQuery FULL =
            new GroupedQuery(4, 1, 64, HeadNorm.PER_HEAD_AND_VALUE, false, false).projecting(Projections.KEYS);

    @Test
    void everySixthLayerAndTheLastSeeAllByWiderHeadsWhoseValuesAreKeys() {
        ModelArchitecture model = read(Map.of());

        assertThat(model.groups())
                .extracting(LayerGroup::count, LayerGroup::attention)
                .containsExactly(tuple(5, SLIDING), tuple(1, FULL), tuple(1, SLIDING), tuple(1, FULL));
        assertThat(model.groups().getFirst().feedForward())
                .isEqualTo(new FeedForwardSpec.Dense(256, GatedActivation.GELU));
        assertThat(model.connections()).isEqualTo(new SandwichNorms(true, true, true));
        assertThat(model.computedRotations()).isEqualTo(2);
        assertThat(new RooflineCoverage(model).splitsContext()).isFalse();
        assertThat(new RooflineCoverage(model).runsEager()).isTrue();
    }

    /// Of a shortened model the last of the list is further behind.
    @Test
    void theLastOfAShortenedListMaySlide() {
        List<String> eight = Collections.nCopies(8, "sliding_attention");
        List<String> nine = Collections.nCopies(9, "sliding_attention");

        assertThat(read(Map.of("layer_types", eight)).layersOf(FULL)).isEqualTo(1);
        assertThat(read(Map.of("layer_types", nine)).layersOf(FULL)).isZero();
    }

    /// By hand: queries `64 x 4 64`, keys `64 x 64`, the output's `4 64 x 64`, and two norms of 64.
    @Test
    void valuesThatAreKeysHaveNoWeights() {
        assertThat(FULL.parameterCount(64)).isEqualTo(64 * 256 + 64 * 64 + 256 * 64 + 2 * 64);
        assertThat(SLIDING.parameterCount(64)).isEqualTo(64 * 128 + 2 * 64 * 64 + 128 * 64 + 2 * 32);
    }

    @Test
    void withoutSharingTheyHaveTheHeadsOfTheOthersAndAProjection() {
        assertThat(read(Map.of("attention_k_eq_v", false)).groups().getLast().attention())
                .isEqualTo(new GroupedQuery(4, 2, 64, HeadNorm.PER_HEAD_AND_VALUE, false, false));
    }

    /// By hand, of a layer: experts and dense part, the gate, its vector and a number for each expert, three norms.
    @Test
    void expertsStandBesideTheDensePart() {
        ModelArchitecture model = read(experts());
        RoutedExperts routed = (RoutedExperts) model.groups().getFirst().feedForward();

        assertThat(routed)
                .isEqualTo(new RoutedExperts(
                                new FeedForwardSpec.Routing(16, 4, new Router.NormedSoftmax()),
                                48,
                                256,
                                false,
                                GatedActivation.GELU)
                        .standingBeside());
        assertThat(routed.parameterCount(64)).isEqualTo(3 * 64 * (16 * 48 + 256) + 16 * 64 + (64 + 16) + 3 * 64);
    }

    @Test
    void theDecoderByItselfIsThatBehindTheTowers() {
        Map<String, Object> text = config(experts());
        ModelArchitecture behind = model(Map.of(
                "model_type",
                "gemma4",
                "architectures",
                List.of("Gemma4ForConditionalGeneration"),
                "text_config",
                text,
                "vision_soft_tokens_per_image",
                280));

        assertThat(behind.family()).isEqualTo("gemma4");
        assertThat(behind.groups()).isEqualTo(model(text).groups());
        assertThat(behind.vision()).isNull();
    }

    /// A published file says `hidden_size_per_layer_input`, which the library takes for 256 else.
    @ParameterizedTest
    @CsvSource({
        "hidden_size_per_layer_input, 256, embeddings of each layer are not priced",
        "num_kv_shared_layers, 2, layers that share keys and values are not priced",
        "attn_logit_softcapping, 50, bounds of scores are not priced for Gemma 4",
        "num_experts, 16, experts of this kind are not those of this model_type"
    })
    void whatCannotBePricedIsRefusedByKey(String key, int value, String rule) {
        assertThatThrownBy(() -> read(Map.of(key, value)))
                .isInstanceOf(ModelConfigException.class)
                .hasMessageStartingWith(key + " is ")
                .hasMessageEndingWith(rule);
    }

    @Test
    void inputsOfLayersAreThoseOfTheLibraryUnlessSaid() {
        Map<String, Object> config = config(Map.of());
        config.remove("hidden_size_per_layer_input");

        assertThatThrownBy(() -> model(config))
                .isInstanceOf(ModelConfigException.class)
                .hasMessage("hidden_size_per_layer_input is 256: embeddings of each layer are not priced");
    }

    @Test
    void onlyTokensOfImagesMayAttendToThoseBehind() {
        assertThat(read(Map.of("use_bidirectional_attention", "vision")).slides())
                .isTrue();
        assertThatThrownBy(() -> read(Map.of("use_bidirectional_attention", "all")))
                .hasMessageContaining("only tokens of images may attend to those behind");
    }

    /// Factors of a proportional rotation are as wide as the head, whatever share of it turns.
    @Test
    void headsAreTurnedInPartProportionallyOnly() {
        Map<String, Object> proportional = Map.of("rope_type", "proportional", "partial_rotary_factor", 0.25);
        Map<String, Object> usual = Map.of("rope_type", "default", "partial_rotary_factor", 0.25);

        assertThat(read(Map.of("rope_parameters", Map.of("full_attention", proportional)))
                        .rotaryWidth())
                .isEqualTo(64);
        assertThatThrownBy(() -> read(Map.of("rope_parameters", Map.of("full_attention", usual))))
                .isInstanceOf(ModelConfigException.class)
                .hasMessageStartingWith("partial_rotary_factor is 0.25: ");
    }

    private static Map<String, Object> experts() {
        return Map.of("enable_moe_block", true, "num_experts", 16, "top_k_experts", 4, "moe_intermediate_size", 48);
    }

    private static ModelArchitecture read(Map<String, Object> changes) {
        return model(config(changes));
    }

    private static Map<String, Object> config(Map<String, Object> changes) {
        Map<String, Object> entries = new HashMap<>(Map.ofEntries(
                Map.entry("model_type", "gemma4_text"),
                Map.entry("hidden_size", 64),
                Map.entry("intermediate_size", 256),
                Map.entry("num_hidden_layers", 8),
                Map.entry("num_attention_heads", 4),
                Map.entry("num_key_value_heads", 2),
                Map.entry("num_global_key_value_heads", 1),
                Map.entry("attention_k_eq_v", true),
                Map.entry("head_dim", 32),
                Map.entry("global_head_dim", 64),
                Map.entry("hidden_size_per_layer_input", 0),
                Map.entry("vocab_size", 1000),
                Map.entry("max_position_embeddings", 2048)));
        entries.putAll(changes);
        return entries;
    }

    private static ModelArchitecture model(Map<String, Object> entries) {
        return ModelFamily.model("us/gemma", new HuggingFaceConfig(entries));
    }
}
