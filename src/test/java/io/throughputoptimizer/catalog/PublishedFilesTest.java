package io.throughputoptimizer.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.throughputoptimizer.core.memory.EngineMemory;
import io.throughputoptimizer.core.memory.MemoryModel;
import io.throughputoptimizer.core.memory.MemorySettings;
import io.throughputoptimizer.core.memory.RankMemory;
import io.throughputoptimizer.core.memory.ServedRank;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.model.StoredFormat.WeightType;
import io.throughputoptimizer.core.model.StoredQuantization.StoredCache;
import io.throughputoptimizer.core.model.config.HuggingFaceConfig;
import io.throughputoptimizer.core.model.config.ModelConfigException;
import io.throughputoptimizer.core.model.stored.StoredModel;
import io.throughputoptimizer.fixture.BuiltIn;
import io.throughputoptimizer.fixture.PublishedFiles;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Configurations in the forms that models are published in, which are those of the same model in another form.
class PublishedFilesTest {
    private static final Catalogs CATALOGS = BuiltIn.CATALOGS;

    private static ModelArchitecture published(String id) {
        return model(PublishedFiles.config(id));
    }

    private static ModelArchitecture model(Map<String, ?> config) {
        return StoredModel.of("Owner/Name", new HuggingFaceConfig(config));
    }

    private static ModelArchitecture catalog(String id) {
        return CATALOGS.models().find(id).orElseThrow();
    }

    private static Map<String, @Nullable Object> with(Map<String, ?> config, Map<String, ?> more) {
        Map<String, @Nullable Object> changed = new LinkedHashMap<>(config);
        changed.putAll(more);
        return changed;
    }

    /// The catalogue's entries have only the keys that matter: what a published file has besides changes nothing.
    @ParameterizedTest
    @CsvSource({
        "Qwen/Qwen3-8B",
        "Qwen/Qwen3-235B-A22B",
        "Qwen/Qwen3-VL-30B-A3B-Instruct",
        "Qwen/Qwen3-VL-235B-A22B-Instruct",
        "Qwen/Qwen3-VL-32B-Instruct",
        "Qwen/Qwen3.5-397B-A17B",
        "Qwen/Qwen3-32B-FP8",
        "Qwen/Qwen3-30B-A3B-FP8",
        "Qwen/Qwen3-235B-A22B-FP8",
        "MiniMaxAI/MiniMax-M2.5",
        "MiniMaxAI/MiniMax-M2.7",
        "deepseek-ai/DeepSeek-R1",
        "deepseek-ai/DeepSeek-V3.2",
        "moonshotai/Kimi-K2-Instruct",
        "moonshotai/Kimi-K2.5",
        "nvidia/DeepSeek-V3.1-NVFP4",
        "nvidia/Qwen3-235B-A22B-NVFP4",
        "nvidia/MiniMax-M2.5-NVFP4",
        "nvidia/Kimi-K2.5-NVFP4",
        "openai/gpt-oss-120b",
        "openai/gpt-oss-20b",
        "XiaomiMiMo/MiMo-V2-Flash",
        "zai-org/GLM-5.1"
    })
    void anEntryOfTheCatalogueIsThePublishedFile(String id) {
        assertThat(published(id))
                .usingRecursiveComparison()
                .ignoringFields("id", "contextTokens", "document")
                .isEqualTo(catalog(id));
        assertThat(weights(published(id))).isCloseTo(weights(catalog(id)), withinPercentage(0.5));
    }

    /// Weights of a model in GiB, as its checkpoint stores them.
    private static double weights(ModelArchitecture model) {
        EngineMemory engine =
                Objects.requireNonNull(CATALOGS.engines().get("vllm")).memory();
        return RankMemory.of(new ServedRank(
                        MemoryModel.of(Objects.requireNonNull(model.document())),
                        engine,
                        engine.device("H200_SXM", 0),
                        1,
                        1,
                        1,
                        null,
                        2,
                        0,
                        0,
                        MemorySettings.DEFAULTS))
                .weightsGib();
    }

    /// In thousand millions, without draft layers and towers; a head that shares its tensor with the embedding
    /// is counted here.
    @ParameterizedTest
    @CsvSource({
        "openai/gpt-oss-120b, 116.8",
        "openai/gpt-oss-20b, 20.9",
        "google/gemma-4-26B-A4B-it, 26.0",
        "google/gemma-4-31B-it, 32.1",
        "Qwen/Qwen3-4B-Instruct-2507, 4.4",
        "Qwen/Qwen3-8B, 8.2",
        "Qwen/Qwen3-14B, 14.8",
        "Qwen/Qwen3-32B, 32.8",
        "Qwen/Qwen3-32B-FP8, 32.8",
        "Qwen/Qwen3-30B-A3B-Instruct-2507, 30.5",
        "Qwen/Qwen3-30B-A3B-FP8, 30.5",
        "Qwen/Qwen3-Coder-30B-A3B-Instruct, 30.5",
        "Qwen/Qwen3-235B-A22B-Instruct-2507, 235.1",
        "Qwen/Qwen3-235B-A22B-FP8, 235.1",
        "Qwen/Qwen3-Coder-480B-A35B-Instruct, 480.2",
        "Qwen/Qwen3-VL-235B-A22B-Instruct, 235.7",
        "Qwen/Qwen3-VL-32B-Instruct, 33.4",
        "Qwen/Qwen3-Next-80B-A3B-Instruct, 79.7",
        "Qwen/Qwen3.5-397B-A17B, 396.3",
        "Qwen/Qwen3.6-35B-A3B, 34.7",
        "Qwen/Qwen2.5-72B-Instruct, 72.7",
        "meta-llama/Llama-3.1-8B-Instruct, 8.0",
        "meta-llama/Llama-3.1-70B-Instruct, 70.6",
        "meta-llama/Llama-3.3-70B-Instruct, 70.6",
        "deepseek-ai/DeepSeek-V3-0324, 671.0",
        "deepseek-ai/DeepSeek-R1-0528, 671.0",
        "deepseek-ai/DeepSeek-V3.2, 671.9",
        "deepseek-ai/DeepSeek-V4-Flash, 284.3",
        "deepseek-ai/DeepSeek-R1-Distill-Qwen-32B, 32.8",
        "deepseek-ai/DeepSeek-R1-Distill-Llama-70B, 70.6",
        "moonshotai/Kimi-K2-Instruct-0905, 1026.4",
        "moonshotai/Kimi-K2.6, 1026.4",
        "zai-org/GLM-5.1, 743.9",
        "zai-org/GLM-4.7, 352.8",
        "MiniMaxAI/MiniMax-M2.7, 228.7",
        "MiniMaxAI/MiniMax-M3, 426.2",
        "XiaomiMiMo/MiMo-V2-Flash, 308.8",
        "nvidia/DeepSeek-V3.1-NVFP4, 671.0",
        "nvidia/Kimi-K2.5-NVFP4, 1026.4"
    })
    void theMostDeployedModelsAreThereWithAllTheirParameters(String id, double billions) {
        assertThat(catalog(id).parameterCount() / 1e9).isCloseTo(billions, within(0.06));
    }

    @ParameterizedTest
    @CsvSource({
        "Qwen/Qwen3.5-27B, Qwen3_5ForCausalLM",
        "Qwen/Qwen3.5-397B-A17B, Qwen3_5MoeForCausalLM",
        "Qwen/Qwen3-VL-8B-Instruct, Qwen3VLTextModel",
        "Qwen/Qwen3-VL-30B-A3B-Instruct, Qwen3VLMoeTextModel"
    })
    void aDecoderByItselfIsThatBehindTheTower(String id, String modelClass) {
        Map<?, ?> section =
                (Map<?, ?>) Objects.requireNonNull(PublishedFiles.config(id).get("text_config"));
        Map<String, @Nullable Object> text = new LinkedHashMap<>();
        section.forEach((key, value) -> text.put(String.valueOf(key), value));
        text.put("architectures", List.of(modelClass));

        ModelArchitecture alone = model(text);

        assertThat(alone.family()).endsWith("_text").isEqualTo(text.get("model_type"));
        assertThat(alone.groups()).isEqualTo(published(id).groups());
        assertThat(alone.drafts()).isEqualTo(published(id).drafts());
        assertThat(alone.vision()).isNull();
    }

    @Test
    void miniMaxM3ByItselfIsThatBehindTheTower() {
        ModelArchitecture alone = published("MiniMaxAI/MiniMax-M3");

        assertThat(alone.family()).isEqualTo("minimax_m3");
        assertThat(alone.groups()).isEqualTo(catalog("MiniMaxAI/MiniMax-M3").groups());
        assertRefused(
                with(PublishedFiles.config("MiniMaxAI/MiniMax-M3"), Map.of("attention_output_gate", true)),
                "/attention_output_gate");
    }

    @ParameterizedTest
    @CsvSource({"MiniMaxAI/MiniMax-M3", "nvidia/MiniMax-M2.5-NVFP4"})
    void aShareOfAHeadThatIsRotatedMayOnlySayTheSameAgain(String id) {
        Map<String, @Nullable Object> config = PublishedFiles.config(id);
        assertThat(config).containsEntry("rotary_dim", 64).containsEntry("partial_rotary_factor", 0.5);

        assertThat(model(config).groups())
                .isEqualTo(
                        model(with(config, Map.of("rope_parameters", Map.of()))).groups());
        assertRefused(with(config, Map.of("partial_rotary_factor", 0.25)), "/partial_rotary_factor");
        assertRefused(
                with(config, Map.of("rope_parameters", Map.of("partial_rotary_factor", 1.0))),
                "/rope_parameters/partial_rotary_factor");
    }

    @Test
    void aNumberOfExpertsByAnotherNameMayOnlySayTheSameAgain() {
        Map<String, @Nullable Object> config = PublishedFiles.config("zai-org/GLM-5.1");

        assertThat(model(with(config, Map.of("num_experts", 256))).readFrom(null))
                .isEqualTo(model(config).readFrom(null));
        assertRefused(with(config, Map.of("num_experts", 128)), "/num_experts");
        assertRefused(with(config, Map.of("num_local_experts", "256")), "/num_local_experts");
    }

    @Test
    void theMakersOwnFormOfDeepSeekV4IsThePublishedModel() {
        ModelArchitecture own = published("sgl-project/DeepSeek-V4-Flash-FP8");

        assertThat(own.groups())
                .isEqualTo(published("deepseek-ai/DeepSeek-V4-Flash").groups())
                .isEqualTo(catalog("deepseek-ai/DeepSeek-V4-Flash").groups());
        assertThat(own.rmsNormEpsilon()).isEqualTo(1e-6);
        assertThat(Objects.requireNonNull(own.stored()).obstacle()).isNull();
    }

    /// Experts beside a dense part, which another name leaves in 16 bits; a dense part beside attention in 16 bits.
    @Test
    void gemma4IsStoredAsItsModulesSay() {
        ModelArchitecture experts = published("nvidia/Gemma-4-26B-A4B-NVFP4");
        ModelArchitecture dense = published("nvidia/Gemma-4-31B-IT-NVFP4");
        var ofExperts = Objects.requireNonNull(experts.stored());
        var ofDense = Objects.requireNonNull(dense.stored());

        assertThat(experts.groups())
                .isEqualTo(published("google/gemma-4-26B-A4B").groups())
                .isEqualTo(catalog("google/gemma-4-26B-A4B-it").groups());
        assertThat(dense.groups()).isEqualTo(catalog("google/gemma-4-31B-it").groups());
        assertThat(Objects.requireNonNull(ofExperts.experts()).type()).isEqualTo(WeightType.NVFP4);
        assertThat(ofExperts.others()).isNull();
        assertThat(ofExperts.cache()).isEqualTo(StoredCache.FLOAT8);
        assertThat(Objects.requireNonNull(ofDense.others()).type()).isEqualTo(WeightType.NVFP4);
        assertThat(ofDense.exceptions())
                .containsExactly("attention of 60 layers are 16 bits in the checkpoint and priced as "
                        + ofDense.others().words());
    }

    /// The one names 22,422 modules, the other's quantization stands in a file of its own.
    @Test
    void quantizationIsReadLayerByLayerAndFromAFileOfItsOwn() {
        var mixed = Objects.requireNonNull(published("nvidia/MiniMax-M3-NVFP4").stored());
        assertThat(Objects.requireNonNull(mixed.experts()).type()).isEqualTo(WeightType.NVFP4);
        assertThat(Objects.requireNonNull(mixed.others()).type()).isEqualTo(WeightType.FLOAT8);
        assertThat(mixed.exceptions()).isEmpty();

        var beside = Objects.requireNonNull(
                published("nvidia/Llama-3.1-70B-Instruct-FP8").stored());
        assertThat(beside.method()).isEqualTo("modelopt");
        assertThat(Objects.requireNonNull(beside.others()).type()).isEqualTo(WeightType.FLOAT8);
        assertThat(beside.cache()).isEqualTo(StoredCache.FLOAT8);

        Map<String, @Nullable Object> config = PublishedFiles.config("nvidia/Llama-3.1-70B-Instruct-FP8");
        Object file = Objects.requireNonNull(config.remove("hf_quant_config"));
        assertThat(model(with(config, Map.of("quantization_config", file))).stored())
                .isEqualTo(beside);
    }

    private static void assertRefused(Map<String, ?> config, String pointer) {
        assertThatExceptionOfType(ModelConfigException.class)
                .isThrownBy(() -> model(config))
                .satisfies(refusal -> assertThat(refusal.pointer()).isEqualTo(pointer));
    }
}
