package io.throughputoptimizer.core.model.family;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.throughputoptimizer.core.model.AttentionSpec.GroupedQuery;
import io.throughputoptimizer.core.model.AttentionSpec.HeadNorm;
import io.throughputoptimizer.core.model.FeedForwardSpec;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.model.config.HuggingFaceConfig;
import io.throughputoptimizer.core.model.config.ModelConfigException;
import io.throughputoptimizer.fixture.Architectures;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ModelFamilyTest {
    /// The least that every family accepts.
    private static final Map<String, Object> MINIMAL = Map.of(
            "hidden_size", 64,
            "intermediate_size", 256,
            "num_hidden_layers", 3,
            "num_attention_heads", 4,
            "num_key_value_heads", 2,
            "head_dim", 32,
            "vocab_size", 1000,
            "max_position_embeddings", 2048,
            "rms_norm_eps", 1e-5);

    @Test
    void sizesAreTakenAsTheyAre() {
        assertThat(read("qwen3", Map.of()))
                .isEqualTo(Architectures.of(
                        "owner/name",
                        "qwen3",
                        3,
                        64,
                        1000,
                        2048,
                        1e-5,
                        new GroupedQuery(4, 2, 32, HeadNorm.PER_HEAD, false, false),
                        new FeedForwardSpec.Dense(256)));
    }

    @Test
    void qwen3NormalizesHeadsAndHasBiasesOnAllProjectionsOrNone() {
        assertThat(read("qwen3", Map.of("attention_bias", true)).attentions().getFirst())
                .isEqualTo(new GroupedQuery(4, 2, 32, HeadNorm.PER_HEAD, true, true));
    }

    @Test
    void llamaHasBiasesOnAllProjectionsOrNone() {
        assertThat(read("llama", Map.of()).attentions().getFirst())
                .isEqualTo(new GroupedQuery(4, 2, 32, HeadNorm.NONE, false, false));
        assertThat(read("llama", Map.of("attention_bias", true)).attentions().getFirst())
                .isEqualTo(new GroupedQuery(4, 2, 32, HeadNorm.NONE, true, true));
    }

    @Test
    void qwen2AlwaysHasBiasesOnItsInputProjectionsOnly() {
        assertThat(read("qwen2", Map.of()).attentions().getFirst())
                .isEqualTo(new GroupedQuery(4, 2, 32, HeadNorm.NONE, true, false));
    }

    /// Its layer for drafts is known, and not priced.
    @Test
    void mimoIsQwen2() {
        ModelArchitecture mimo = read("mimo", Map.of("num_nextn_predict_layers", 1, "attention_bias", true));

        assertThat(mimo.groups()).isEqualTo(read("qwen2", Map.of()).groups());
        assertThat(mimo.predictsDrafts()).isFalse();
        assertRefused(
                "mimo",
                Map.of("attention_bias", false),
                "/attention_bias",
                "attention_bias is false: only true is priced");
    }

    @ParameterizedTest
    @CsvSource({
        "step3p7, rms_norm_eps",
        "bailing_hybrid, lightning",
        "glm5_next, pooled keys",
        "deepseek_v41, looked up",
        "falcon_h1, not specified",
        "gemma3n, shared caches"
    })
    void whatIsMissingForAModelThatPeopleDeployIsSaid(String family, String missing) {
        ModelConfigException refusal = refusal(family, Map.of());

        assertThat(refusal.pointer()).isEqualTo("/model_type");
        assertThat(refusal).hasMessageContaining(missing).hasMessageContaining("supported are bailing_moe");
    }

    @ParameterizedTest
    @ValueSource(strings = {"llama", "qwen2"})
    void withoutAHeadSizeTheHeadsShareTheHiddenSize(String family) {
        GroupedQuery attention =
                (GroupedQuery) read(family, nothingFor("head_dim")).attentions().getFirst();

        assertThat(attention.headSize()).isEqualTo(64 / 4);
    }

    @Test
    void llamaWithoutKeyValueHeadsHasOneForEachQueryHead() {
        GroupedQuery attention = (GroupedQuery)
                read("llama", nothingFor("num_key_value_heads")).attentions().getFirst();

        assertThat(attention.keyValueHeads()).isEqualTo(4);
    }

    @Test
    void aTiedOutputHeadIsAFactButNoOtherSize() {
        ModelArchitecture plain = read("qwen3", Map.of());
        ModelArchitecture tied = read("qwen3", Map.of("tie_word_embeddings", true));

        assertThat(tied.tiesEmbeddings()).isTrue();
        assertThat(tied.parameterCount()).isEqualTo(plain.parameterCount());
    }

    @ParameterizedTest
    @MethodSource("harmlessSettings")
    void settingsWithoutInfluenceOnTheCostChangeNothing(String key, Object value) {
        ModelArchitecture plain = read("qwen3", Map.of());

        assertThat(read("qwen3", Map.of(key, value))).isEqualTo(plain);
    }

    static Stream<Arguments> harmlessSettings() {
        return Stream.of(
                Arguments.of("hidden_act", "silu"),
                Arguments.of("architectures", List.of("Qwen3ForCausalLM")),
                Arguments.of("layer_types", List.of("full_attention", "full_attention", "full_attention")),
                Arguments.of("use_sliding_window", false),
                Arguments.of("mlp_bias", false),
                Arguments.of("num_experts", 0),
                Arguments.of("quantization_config", Map.of("quant_method", "fp8")),
                Arguments.of("partial_rotary_factor", 1.0),
                Arguments.of("rope_parameters", Map.of("rope_theta", 1e6, "partial_rotary_factor", 1)),
                Arguments.of("rope_scaling", Map.of("rope_type", "yarn", "factor", 4.0)),
                Arguments.of("some_key_of_next_year", List.of(1, 2, 3)));
    }

    @Test
    void aWindowThatIsSwitchedOffIsNoWindow() {
        Map<String, Object> settings = Map.of("sliding_window", 131072, "use_sliding_window", false);

        assertThat(read("qwen2", settings)).isEqualTo(read("qwen2", Map.of()));
    }

    @ParameterizedTest
    @MethodSource("unpricedSettings")
    void whatCannotBePricedIsRefusedByKey(String key, Object value, String message) {
        assertRefused("llama", Map.of(key, value), "/" + key, message);
    }

    static Stream<Arguments> unpricedSettings() {
        return Stream.of(
                Arguments.of("hidden_act", "gelu", "hidden_act is \"gelu\": only silu is priced"),
                Arguments.of("mlp_bias", true, "mlp_bias is true: biases in the feed-forward part are not priced"),
                Arguments.of(
                        "use_sliding_window",
                        true,
                        "use_sliding_window is true: sliding window attention is not priced"),
                Arguments.of(
                        "sliding_window",
                        4096,
                        "sliding_window is 4096: sliding window attention is not priced; with use_sliding_window false it is unused"),
                Arguments.of(
                        "attention_chunk_size", 8192, "attention_chunk_size is 8192: chunked attention is not priced"),
                Arguments.of(
                        "num_experts",
                        128,
                        "num_experts is 128: experts of this kind are not those of this model_type"),
                Arguments.of(
                        "num_local_experts",
                        8,
                        "num_local_experts is 8: experts of this kind are not those of this model_type"),
                Arguments.of(
                        "n_routed_experts",
                        256,
                        "n_routed_experts is 256: experts of this kind are not those of this model_type"),
                Arguments.of(
                        "kv_lora_rank", 512, "kv_lora_rank is 512: latent attention is not that of this model_type"),
                Arguments.of(
                        "num_nextn_predict_layers",
                        1,
                        "num_nextn_predict_layers is 1: layers for multi-token prediction are not those of this model_type"),
                Arguments.of("is_encoder_decoder", true, "is_encoder_decoder is true: only decoders are priced"),
                Arguments.of("add_cross_attention", true, "add_cross_attention is true: cross attention is not priced"),
                Arguments.of(
                        "vision_config",
                        Map.of("depth", 27),
                        "vision_config is {depth=27}: images are not an input of this model_type"),
                Arguments.of(
                        "architectures",
                        List.of("LlamaForSequenceClassification"),
                        "architectures is [LlamaForSequenceClassification]: only LlamaForCausalLM is priced"),
                Arguments.of(
                        "layer_types",
                        List.of("full_attention", "sliding_attention"),
                        "layer_types is [full_attention, sliding_attention]: only full attention in every layer is priced"),
                Arguments.of(
                        "partial_rotary_factor",
                        0.5,
                        "partial_rotary_factor is 0.5: heads that are rotated in part are not priced"));
    }

    @Test
    void aPartialRotationIsFoundInsideTheRotarySettings() {
        assertRefused(
                "qwen3",
                Map.of("rope_parameters", Map.of("partial_rotary_factor", 0.25)),
                "/rope_parameters/partial_rotary_factor",
                "partial_rotary_factor is 0.25: heads that are rotated in part are not priced");
    }

    @Test
    void anUnknownFamilyIsRefusedWithTheOnesSupported() {
        HuggingFaceConfig config = new HuggingFaceConfig(Map.of("model_type", "mamba"));
        String supported =
                "supported are bailing_moe, deepseek_ref, deepseek_v3, deepseek_v32, deepseek_v4, ernie4_5, ernie4_5_moe, exaone4, gemma2, gemma3, gemma3_text, gemma4, gemma4_text, glm4, glm4_moe,"
                        + " glm4v_moe, glm_moe_dsa, gpt_oss, kimi_k2,"
                        + " kimi_k25, kimi_k3, kimi_linear, lfm2, lfm2_moe, llama, llama4, llama4_text, mimo, mimo_v2_flash, minimax_m2, minimax_m3, minimax_m3_vl, ministral, mistral, mixtral, nemotron-nas, nemotron_h, olmo3, phi3, qwen2, qwen3, qwen3_5, qwen3_5_moe,"
                        + " qwen3_5_moe_text, qwen3_5_text, qwen3_moe, qwen3_next, qwen3_vl, qwen3_vl_moe,"
                        + " qwen3_vl_moe_text, qwen3_vl_text, seed_oss";

        assertThatThrownBy(() -> ModelFamily.of(config))
                .isInstanceOf(ModelConfigException.class)
                .hasMessage("model_type is \"mamba\": " + supported);
        assertThatThrownBy(() -> ModelFamily.of(new HuggingFaceConfig(Map.of())))
                .hasMessage("model_type is missing: " + supported);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "hidden_size",
                "intermediate_size",
                "num_hidden_layers",
                "num_attention_heads",
                "num_key_value_heads",
                "head_dim",
                "vocab_size",
                "max_position_embeddings",
                "rms_norm_eps"
            })
    void aMissingKeyIsNamed(String key) {
        ModelConfigException refusal = refusal("qwen3", nothingFor(key));

        assertThat(refusal.pointer()).isEqualTo("/" + key);
        assertThat(refusal).hasMessageStartingWith(key + " is required");
    }

    @ParameterizedTest
    @MethodSource("senselessSizes")
    void aSenselessSizeIsRefusedWithTheRule(String key, Object value, String message) {
        assertRefused("llama", Map.of(key, value), "/" + key, message);
    }

    static Stream<Arguments> senselessSizes() {
        return Stream.of(
                Arguments.of("hidden_size", 0, "hidden_size must be a whole number from 1 to 1000000, got 0"),
                Arguments.of("hidden_size", -64, "hidden_size must be a whole number from 1 to 1000000, got -64"),
                Arguments.of("hidden_size", 64.5, "hidden_size must be a whole number from 1 to 1000000, got 64.5"),
                Arguments.of("hidden_size", "64", "hidden_size must be a whole number from 1 to 1000000, got \"64\""),
                Arguments.of("hidden_size", true, "hidden_size must be a whole number from 1 to 1000000, got true"),
                Arguments.of(
                        "hidden_size",
                        Double.POSITIVE_INFINITY,
                        "hidden_size must be a whole number from 1 to 1000000, got Infinity"),
                Arguments.of(
                        "intermediate_size",
                        (1L << 32) + 256,
                        "intermediate_size must be a whole number from 1 to 10000000, got 4294967552"),
                Arguments.of(
                        "num_hidden_layers",
                        1_000_000,
                        "num_hidden_layers must be a whole number from 1 to 10000, got 1000000"),
                Arguments.of(
                        "num_attention_heads",
                        5,
                        "num_attention_heads must be a multiple of num_key_value_heads (2), got 5"),
                Arguments.of("head_dim", 33, "head_dim is 33: the size of a head must be even, and is 33"),
                Arguments.of(
                        "head_dim",
                        10_000_000,
                        "head_dim is 10000000: 4 heads of size 10000000 are wider than 10000000"),
                Arguments.of("rms_norm_eps", 0, "rms_norm_eps must be a number above 0 and below 1, got 0"),
                Arguments.of("rms_norm_eps", Double.NaN, "rms_norm_eps must be a number above 0 and below 1, got NaN"),
                Arguments.of(
                        "rms_norm_eps", "small", "rms_norm_eps must be a number above 0 and below 1, got \"small\""),
                Arguments.of("attention_bias", 1, "attention_bias must be true or false, got 1"),
                Arguments.of("rope_scaling", "yarn", "rope_scaling must be an object, got \"yarn\""),
                Arguments.of("architectures", "Llama", "architectures must be a list, got \"Llama\""));
    }

    @Test
    void headsThatDoNotShareTheHiddenSizeEvenlyAreRefused() {
        Map<String, @Nullable Object> settings = nothingFor("head_dim");
        settings.put("num_attention_heads", 6);

        assertRefused(
                "llama",
                settings,
                "/hidden_size",
                "hidden_size must be a multiple of num_attention_heads (6) without head_dim, got 64");
    }

    @Test
    void wholeNumbersMayBeWrittenWithAFraction() {
        assertThat(read("llama", Map.of("hidden_size", 64.0))).isEqualTo(read("llama", Map.of()));
    }

    @Test
    void anExponentWithoutAPointMayArriveAsText() {
        assertThat(read("llama", Map.of("rms_norm_eps", "1e-06")).rmsNormEpsilon())
                .isEqualTo(1e-6);
    }

    @Test
    void aLongValueIsShownInPart() {
        ModelConfigException refusal = refusal("llama", Map.of("hidden_act", "x".repeat(100_000)));

        assertThat(refusal.getMessage()).hasSizeLessThan(200).endsWith("...: only silu is priced");
    }

    @Test
    void everyFamilyHasItsOwnModelType() {
        assertThat(ModelFamily.all()).extracting(ModelFamily::modelType).doesNotHaveDuplicates();
    }

    private static void assertRefused(
            String family, Map<String, ? extends @Nullable Object> settings, String pointer, String message) {
        ModelConfigException refusal = refusal(family, settings);

        assertThat(refusal.pointer()).isEqualTo(pointer);
        assertThat(refusal).hasMessage(message);
    }

    private static ModelConfigException refusal(String family, Map<String, ? extends @Nullable Object> settings) {
        return catchThrowableOfType(ModelConfigException.class, () -> read(family, settings));
    }

    private static Map<String, @Nullable Object> nothingFor(String key) {
        Map<String, @Nullable Object> settings = new HashMap<>();
        settings.put(key, null);
        return settings;
    }

    private static ModelArchitecture read(String family, Map<String, ? extends @Nullable Object> settings) {
        Map<String, @Nullable Object> entries = new HashMap<>(MINIMAL);
        entries.put("model_type", family);
        entries.putAll(settings);
        HuggingFaceConfig config = new HuggingFaceConfig(entries);
        return ModelFamily.of(config).architecture("owner/name", config);
    }
}
