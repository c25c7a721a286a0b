package io.throughputoptimizer.core.model.family;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.throughputoptimizer.core.model.AttentionSpec.GroupedQuery;
import io.throughputoptimizer.core.model.AttentionSpec.HeadNorm;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.model.config.HuggingFaceConfig;
import io.throughputoptimizer.core.model.config.ModelConfigException;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class Glm4MoeFamilyTest {
    private static final Map<String, Object> SETTINGS = Map.ofEntries(
            Map.entry("model_type", "glm4_moe"),
            Map.entry("hidden_size", 64),
            Map.entry("intermediate_size", 256),
            Map.entry("num_hidden_layers", 5),
            Map.entry("num_attention_heads", 4),
            Map.entry("num_key_value_heads", 2),
            Map.entry("head_dim", 32),
            Map.entry("partial_rotary_factor", 0.5),
            Map.entry("vocab_size", 1000),
            Map.entry("max_position_embeddings", 2048),
            Map.entry("rms_norm_eps", 1e-5),
            Map.entry("n_routed_experts", 16),
            Map.entry("num_experts_per_tok", 2),
            Map.entry("moe_intermediate_size", 48),
            Map.entry("n_shared_experts", 1),
            Map.entry("first_k_dense_replace", 2),
            Map.entry("n_group", 1),
            Map.entry("topk_group", 1),
            Map.entry("norm_topk_prob", true));

    @Test
    void theRotationLeavesAPartOfEachHead() {
        assertThat(read(Map.of()).attentions())
                .containsExactly(new GroupedQuery(4, 2, 32, HeadNorm.NONE, false, false).rotating(16));
    }

    @Test
    void headsAreNormalizedAndBiasedWhereTheConfigurationSaysSo() {
        assertThat(read(Map.of("use_qk_norm", true, "attention_bias", true)).attentions())
                .containsExactly(new GroupedQuery(4, 2, 32, HeadNorm.PER_HEAD, true, false).rotating(16));
    }

    @ParameterizedTest
    @CsvSource({
        "partial_rotary_factor, 1, 'partial_rotary_factor must be a number above 0 and below 1, got 1.0'",
        "partial_rotary_factor, 0.1, 'partial_rotary_factor is 0.1: it must be an even number of a head''s 32 elements, and makes 3'",
        "topk_group, 2, 'topk_group must be a whole number from 1 to 1, got 2.0'"
    })
    void whatCannotBePricedIsRefusedByKey(String key, double value, String message) {
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
