package io.throughputoptimizer.core.model.family;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.throughputoptimizer.core.deployment.RooflineCoverage;
import io.throughputoptimizer.core.model.ImagePatching;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.model.VisionSpec;
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

/// Configurations with a section for text and one for images.
class VisionFamilyTest {
    private static final Map<String, Object> DECODER = Map.of(
            "hidden_size", 64,
            "num_hidden_layers", 3,
            "num_attention_heads", 4,
            "num_key_value_heads", 2,
            "head_dim", 32,
            "vocab_size", 1000,
            "max_position_embeddings", 2048,
            "rms_norm_eps", 1e-6);
    private static final Map<String, Object> DENSE = Map.of("intermediate_size", 256);
    private static final Map<String, Object> ROUTED =
            Map.of("num_experts", 8, "num_experts_per_tok", 2, "moe_intermediate_size", 16, "norm_topk_prob", true);
    private static final Map<String, Object> TOWER = Map.ofEntries(
            Map.entry("depth", 5),
            Map.entry("hidden_size", 32),
            Map.entry("intermediate_size", 48),
            Map.entry("num_heads", 4),
            Map.entry("num_position_embeddings", 100),
            Map.entry("in_channels", 3),
            Map.entry("temporal_patch_size", 2),
            Map.entry("patch_size", 16),
            Map.entry("spatial_merge_size", 2),
            Map.entry("out_hidden_size", 64),
            Map.entry("deepstack_visual_indexes", List.of(1, 3)));
    private static final VisionSpec SPEC =
            new VisionSpec(5, 32, 48, 4, 100, new ImagePatching(3, 2, 16, 2, 65_536, 16_777_216), List.of(1, 3));

    static Stream<Arguments> families() {
        return Stream.of(
                Arguments.of("qwen3", "qwen3_vl", "qwen3_vl_text", DENSE),
                Arguments.of("qwen3_moe", "qwen3_vl_moe", "qwen3_vl_moe_text", ROUTED));
    }

    @ParameterizedTest(name = "{1}")
    @MethodSource("families")
    void theTextSectionIsATextModelAndTheTowerStandsBeforeIt(
            String textFamily, String family, String textType, Map<String, Object> feedForward) {
        ModelArchitecture text = read(with(with(DECODER, feedForward), Map.of("model_type", textFamily)));

        ModelArchitecture model = read(config(family, textType, feedForward, Map.of()));

        assertThat(model).isEqualTo(text.withVision(family, SPEC));
        assertThat(model.family()).isEqualTo(family);
        assertThat(model.vision()).isEqualTo(SPEC);
        assertThat(model.parameterCount()).isEqualTo(text.parameterCount() + SPEC.parameterCount(64));
        assertThat(new RooflineCoverage(model).runsEager()).isTrue();
    }

    @ParameterizedTest
    @MethodSource("refusals")
    void whatCannotBePricedIsRefusedByKey(Map<String, Object> changes, String pointer, String message) {
        ModelConfigException refusal = catchThrowableOfType(
                ModelConfigException.class, () -> read(config("qwen3_vl", "qwen3_vl_text", DENSE, changes)));

        assertThat(refusal.pointer()).isEqualTo(pointer);
        assertThat(refusal).hasMessage(message);
    }

    static Stream<Arguments> refusals() {
        return Stream.of(
                tower("out_hidden_size", 32, "out_hidden_size must be hidden_size of text_config (64), got 32"),
                tower("hidden_act", "relu", "hidden_act is \"relu\": only gelu_pytorch_tanh is priced"),
                tower("hidden_size", 40, "hidden_size must be a multiple of 4 * num_heads (16), got 40"),
                tower(
                        "deepstack_visual_indexes",
                        List.of(3, 1),
                        "deepstack_visual_indexes must be ascending indices below depth (5), got [3, 1]"),
                tower(
                        "deepstack_visual_indexes",
                        List.of(1, 5),
                        "deepstack_visual_indexes must be ascending indices below depth (5), got [1, 5]"),
                tower("depth", 0, "depth must be a whole number from 1 to 10000, got 0"),
                tower("patch_size", 1.5, "patch_size must be a whole number from 1 to 1000, got 1.5"),
                Arguments.of(
                        Map.of("audio_config", Map.of("depth", 1)),
                        "/audio_config",
                        "audio_config is {depth=1}: sound is not an input of this model_type"),
                Arguments.of(
                        Map.of("architectures", List.of("Qwen3VLModel")),
                        "/architectures",
                        "architectures is [Qwen3VLModel]: only Qwen3VLForConditionalGeneration is priced"),
                Arguments.of(
                        Map.of("text_config", Map.of()),
                        "/text_config/model_type",
                        "model_type is missing: only qwen3_vl_text is priced"),
                Arguments.of(
                        Map.of("text_config", with(with(DECODER, DENSE), Map.of("model_type", "qwen3_moe"))),
                        "/text_config/model_type",
                        "model_type is \"qwen3_moe\": only qwen3_vl_text is priced"),
                Arguments.of(
                        Map.of(
                                "text_config",
                                with(with(DECODER, DENSE), Map.of("model_type", "qwen3_vl_text", "num_experts", 8))),
                        "/text_config/num_experts",
                        "num_experts is 8: experts of this kind are not those of this model_type"));
    }

    private static Arguments tower(String key, Object value, String message) {
        return Arguments.of(Map.of("vision_config", with(TOWER, Map.of(key, value))), "/vision_config/" + key, message);
    }

    @Test
    void aTowerWithoutDeepstackHasNone() {
        Map<String, @Nullable Object> tower = new HashMap<>(TOWER);
        tower.remove("deepstack_visual_indexes");

        ModelArchitecture model = read(config("qwen3_vl", "qwen3_vl_text", DENSE, Map.of("vision_config", tower)));

        assertThat(model.vision()).extracting(VisionSpec::deepstackBlocks).isEqualTo(List.of());
    }

    private static Map<String, Object> config(
            String family, String textType, Map<String, Object> feedForward, Map<String, Object> changes) {
        Map<String, Object> text = with(with(DECODER, feedForward), Map.of("model_type", textType));
        return with(Map.of("model_type", family, "text_config", text, "vision_config", TOWER), changes);
    }

    private static Map<String, Object> with(Map<String, Object> base, Map<String, Object> changes) {
        Map<String, Object> result = new HashMap<>(base);
        result.putAll(changes);
        return result;
    }

    private static ModelArchitecture read(Map<String, Object> entries) {
        HuggingFaceConfig config = new HuggingFaceConfig(entries);
        return ModelFamily.of(config).architecture("owner/name", config);
    }
}
