package io.throughputoptimizer.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.model.config.HuggingFaceConfig;
import io.throughputoptimizer.core.model.config.ModelConfigException;
import io.throughputoptimizer.core.model.family.ModelFamily;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.ObjectMapper;

/// Configurations that come with a request: parsed as any JSON or YAML, no key list in the way.
class InlineConfigTest {
    private static final TypeReference<Map<String, @Nullable Object>> ENTRIES = new TypeReference<>() {};

    @ParameterizedTest
    @MethodSource("io.throughputoptimizer.catalog.PublishedConfigs#supported")
    void keysThatNobodyKnowsAreSkipped(String config, ModelArchitecture expected) {
        String extended = config.replaceFirst("\\{", """
                {
                  "auto_map": {"AutoModelForCausalLM": "modeling_custom.Custom"},
                  "chat_template_version": 3,
                  "fuse_cross_entropy": true,
                  "neftune_noise_alpha": 5,
                  "unsloth_fixed": true,
                  "task_specific_params": null,
                """);

        assertThat(read(StrictMappers.JSON, extended)).isEqualTo(expected);
    }

    /// JSON is YAML, but parsers take 1e-06 for text there.
    @ParameterizedTest
    @MethodSource("io.throughputoptimizer.catalog.PublishedConfigs#supported")
    void aConfigurationReadsTheSameInsideYaml(String config, ModelArchitecture expected) {
        assertThat(read(StrictMappers.YAML, config)).isEqualTo(expected);
    }

    @Test
    void aModelOfAnotherFamilyIsRefusedByName() {
        String next = PublishedConfigs.QWEN3_8B.replace("\"qwen3\"", "\"mamba\"");

        assertThatThrownBy(() -> read(StrictMappers.JSON, next))
                .isInstanceOf(ModelConfigException.class)
                .hasMessageStartingWith(
                        "model_type is \"mamba\": supported are bailing_moe, deepseek_ref, deepseek_v3, ");
    }

    @Test
    void aMixtureOfExpertsThatCallsItselfDenseIsRefused() {
        String disguised = PublishedConfigs.QWEN3_8B.replaceFirst("\\{", "{\"num_experts\": 128,");

        assertThatThrownBy(() -> read(StrictMappers.JSON, disguised))
                .isInstanceOf(ModelConfigException.class)
                .hasMessage("num_experts is 128: experts of this kind are not those of this model_type");
    }

    private static ModelArchitecture read(ObjectMapper mapper, String config) {
        HuggingFaceConfig entries = new HuggingFaceConfig(mapper.readValue(config, ENTRIES));
        return ModelFamily.of(entries).architecture("it", entries);
    }
}
