package io.throughputoptimizer.core.model.family;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.model.config.HuggingFaceConfig;
import io.throughputoptimizer.core.model.config.ModelConfigException;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KimiK25FamilyTest {
    private static final Map<String, Object> TEXT = Map.ofEntries(
            Map.entry("hidden_size", 64),
            Map.entry("intermediate_size", 256),
            Map.entry("num_hidden_layers", 5),
            Map.entry("num_attention_heads", 4),
            Map.entry("vocab_size", 1000),
            Map.entry("max_position_embeddings", 2048),
            Map.entry("rms_norm_eps", 1e-5),
            Map.entry("q_lora_rank", 24),
            Map.entry("kv_lora_rank", 16),
            Map.entry("qk_nope_head_dim", 12),
            Map.entry("qk_rope_head_dim", 8),
            Map.entry("v_head_dim", 10),
            Map.entry("n_routed_experts", 16),
            Map.entry("num_experts_per_tok", 2),
            Map.entry("moe_intermediate_size", 48),
            Map.entry("n_shared_experts", 1),
            Map.entry("first_k_dense_replace", 1),
            Map.entry("norm_topk_prob", true));

    @ParameterizedTest
    @ValueSource(strings = {"kimi_k2", "deepseek_v3"})
    void itsDecoderIsThatOfItsTextUnderANameOfItsOwn(String textType) {
        ModelArchitecture model = read(textType);
        ModelArchitecture text = ModelFamily.of(new HuggingFaceConfig(text(textType)))
                .architecture("owner/name", new HuggingFaceConfig(text(textType)));

        assertThat(model.family()).isEqualTo("kimi_k25");
        assertThat(model.groups()).isEqualTo(text.groups());
        assertThat(model.vision()).isNull();
    }

    @Test
    void anotherDecoderIsRefused() {
        ModelConfigException refusal = catchThrowableOfType(ModelConfigException.class, () -> read("llama"));

        assertThat(refusal).hasMessage("model_type is \"llama\": only kimi_k2 and deepseek_v3 are priced");
        assertThat(refusal.pointer()).isEqualTo("/text_config/model_type");
    }

    private static Map<String, Object> text(String type) {
        Map<String, Object> text = new HashMap<>(TEXT);
        text.put("model_type", type);
        return text;
    }

    private static ModelArchitecture read(String textType) {
        Map<String, Object> entries = Map.of("model_type", "kimi_k25", "text_config", text(textType));
        return ModelFamily.of(new HuggingFaceConfig(entries))
                .architecture("owner/name", new HuggingFaceConfig(entries));
    }
}
