package io.throughputoptimizer.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.core.model.AttentionSpec.GroupedQuery;
import io.throughputoptimizer.core.model.AttentionSpec.HeadNorm;
import io.throughputoptimizer.core.model.FeedForwardSpec;
import io.throughputoptimizer.core.model.ModelArchitecture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/// The built-in models against the configurations published with them.
class BuiltInModelsTest {
    private static final Catalogs CATALOGS = CatalogReader.read(null, null);

    @ParameterizedTest(name = "{0}")
    @MethodSource("published")
    void aBuiltInModelIsThePublishedOne(String id, ModelArchitecture expected) {
        assertThat(CATALOGS.models().find(id)).contains(expected);
    }

    static Stream<Arguments> published() {
        return Stream.of(
                        qwen3("0.6B", 28, 1024, 16, 3072),
                        qwen3("1.7B", 28, 2048, 16, 6144),
                        qwen3("4B", 36, 2560, 32, 9728),
                        qwen3("8B", 36, 4096, 32, 12288),
                        qwen3("14B", 40, 5120, 40, 17408),
                        qwen3("32B", 64, 5120, 64, 25600),
                        llama("8B", 32, 4096, 32, 14336),
                        llama("70B", 80, 8192, 64, 28672),
                        llama("405B", 126, 16384, 128, 53248))
                .map(model -> Arguments.of(model.id(), model));
    }

    @Test
    void theListHoldsAllBuiltInModelsInOrder() {
        assertThat(CATALOGS.models().ids())
                .containsExactly(
                        "Qwen/Qwen3-0.6B",
                        "Qwen/Qwen3-1.7B",
                        "Qwen/Qwen3-4B",
                        "Qwen/Qwen3-8B",
                        "Qwen/Qwen3-14B",
                        "Qwen/Qwen3-32B",
                        "meta-llama/Meta-Llama-3.1-8B",
                        "meta-llama/Meta-Llama-3.1-70B",
                        "meta-llama/Meta-Llama-3.1-405B",
                        "Qwen/Qwen3-30B-A3B",
                        "Qwen/Qwen3-235B-A22B",
                        "Qwen/Qwen3-Coder-480B-A35B-Instruct",
                        "Qwen/Qwen3-VL-8B-Instruct",
                        "Qwen/Qwen3-VL-30B-A3B-Instruct",
                        "MiniMaxAI/MiniMax-M2",
                        "MiniMaxAI/MiniMax-M2.5",
                        "deepseek-ai/DeepSeek-V3",
                        "deepseek-ai/DeepSeek-V3.1",
                        "deepseek-ai/DeepSeek-R1",
                        "deepseek-ai/DeepSeek-V3.2",
                        "moonshotai/Kimi-K2-Instruct",
                        "zai-org/GLM-5",
                        "zai-org/GLM-5.1",
                        "Qwen/Qwen2.5-7B-Instruct",
                        "Qwen/Qwen2.5-14B-Instruct",
                        "Qwen/Qwen2.5-32B-Instruct",
                        "Qwen/Qwen2.5-72B-Instruct",
                        "meta-llama/Llama-3.3-70B-Instruct");
    }

    /// Totals of the published weights, whose output head is a tensor of its own.
    @ParameterizedTest
    @CsvSource({
        "Qwen/Qwen3-8B, 8190735360",
        "Qwen/Qwen3-32B, 32762123264",
        "meta-llama/Meta-Llama-3.1-8B, 8030261248",
        "meta-llama/Meta-Llama-3.1-70B, 70553706496",
        "meta-llama/Meta-Llama-3.1-405B, 405853388800"
    })
    void parametersAreAsManyAsThePublishedWeights(String id, long parameters) {
        assertThat(CATALOGS.models().find(id).orElseThrow().parameterCount()).isEqualTo(parameters);
    }

    private static ModelArchitecture qwen3(String size, int layers, int hidden, int heads, int intermediate) {
        return new ModelArchitecture(
                "Qwen/Qwen3-" + size,
                "qwen3",
                layers,
                hidden,
                151936,
                40960,
                1e-6,
                new GroupedQuery(heads, 8, 128, HeadNorm.PER_HEAD, false, false),
                new FeedForwardSpec.Dense(intermediate));
    }

    private static ModelArchitecture llama(String size, int layers, int hidden, int heads, int intermediate) {
        return new ModelArchitecture(
                "meta-llama/Meta-Llama-3.1-" + size,
                "llama",
                layers,
                hidden,
                128256,
                131072,
                1e-5,
                new GroupedQuery(heads, 8, 128, HeadNorm.NONE, false, false),
                new FeedForwardSpec.Dense(intermediate));
    }
}
