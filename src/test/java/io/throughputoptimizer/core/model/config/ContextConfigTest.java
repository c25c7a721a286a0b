package io.throughputoptimizer.core.model.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.throughputoptimizer.core.model.LongestRequest;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.model.family.ModelFamily;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ContextConfigTest {
    private static final Map<String, Object> SETTINGS = Map.ofEntries(
            Map.entry("model_type", "qwen3"),
            Map.entry("hidden_size", 64),
            Map.entry("intermediate_size", 256),
            Map.entry("num_hidden_layers", 2),
            Map.entry("num_attention_heads", 4),
            Map.entry("num_key_value_heads", 2),
            Map.entry("head_dim", 16),
            Map.entry("vocab_size", 1000),
            Map.entry("max_position_embeddings", 40960),
            Map.entry("rms_norm_eps", 1e-6));

    @Test
    void withoutScalingPositionsAreTheContext() {
        assertThat(read(Map.of()).contextTokens()).isEqualTo(40960);
    }

    /// Qwen3 with the scaling of its model card; 4 * 32768 is not 4 * 40960. Llama 3.1 counts its scaling already.
    @ParameterizedTest
    @CsvSource({
        "rope_scaling, rope_type, yarn, 4.0, 32768, 131072",
        "rope_scaling, type, yarn, 4, 32768, 131072",
        "rope_parameters, rope_type, yarn, 2.5, 1001, 2502",
        "rope_scaling, rope_type, yarn, 4, , 163840",
        "rope_scaling, rope_type, linear, 2, 32768, 81920",
        "rope_scaling, rope_type, dynamic, 1.5, , 61440",
        "rope_scaling, rope_type, llama3, 8, 8192, 40960",
        "rope_scaling, rope_type, default, , , 40960",
        "rope_scaling, rope_type, yarn, 1e300, , 1000000000"
    })
    void scalingIsReadAsEnginesDo(
            String section, String kind, String type, Double factor, Integer original, int context) {
        Map<String, Object> scaling = new HashMap<>(Map.of(kind, type));
        scaling.put("factor", factor);
        scaling.put("original_max_position_embeddings", original);

        ModelArchitecture model = read(Map.of(section, scaling));

        assertThat(model.contextTokens()).isEqualTo(context);
        assertThat(model.maxPositions()).isEqualTo(40960);
    }

    @Test
    void theExplicitMemberGoesFirst() {
        Map<String, Object> yarn = Map.of("rope_type", "yarn", "factor", 4, "original_max_position_embeddings", 32768);

        assertThat(read(Map.of("rope_scaling", yarn, "max_model_len", 65536)).contextTokens())
                .isEqualTo(65536);
    }

    @Test
    void aFactorBelowOneIsRefusedByKey() {
        assertThatThrownBy(() -> read(Map.of("rope_scaling", Map.of("rope_type", "linear", "factor", 0.5))))
                .isInstanceOf(ModelConfigException.class)
                .hasMessage("factor must be a number of at least 1, got 0.5")
                .extracting("pointer")
                .isEqualTo("/rope_scaling/factor");
        assertThatThrownBy(() -> read(Map.of("max_model_len", 0)))
                .hasMessage("max_model_len must be a whole number from 1 to 1000000000, got 0");
    }

    /// A request that is just as long as the context fits; its images count.
    @Test
    void theContextHoldsAsManyTokensAsItSays() {
        ModelArchitecture model = read(Map.of());

        assertThat(new LongestRequest(40000, 960, 0).obstacle(model)).isEmpty();
        assertThat(new LongestRequest(40000, 961, 0).obstacle(model))
                .contains("40000: with 961 output tokens that is 40961, and the context of small ends at 40960 tokens;"
                        + " with allow_beyond_context true it is priced all the same");
        assertThat(new LongestRequest(40000, 960, 1).obstacle(model))
                .hasValueSatisfying(reason ->
                        assertThat(reason).startsWith("40000: with 960 output tokens and 1 tokens of images"));
        assertThat(new LongestRequest(40961, 0, 0).obstacle(model))
                .hasValueSatisfying(reason -> assertThat(reason).startsWith("40961: the context of small ends at"));
    }

    private static ModelArchitecture read(Map<String, Object> changes) {
        Map<String, Object> settings = new HashMap<>(SETTINGS);
        settings.putAll(changes);
        return ModelFamily.model("small", new HuggingFaceConfig(settings));
    }
}
