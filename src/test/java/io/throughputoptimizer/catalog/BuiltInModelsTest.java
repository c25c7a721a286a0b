package io.throughputoptimizer.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.core.model.AttentionSpec.GroupedQuery;
import io.throughputoptimizer.core.model.AttentionSpec.HeadNorm;
import io.throughputoptimizer.core.model.AttentionSpec.Indexer;
import io.throughputoptimizer.core.model.AttentionSpec.LatentHead;
import io.throughputoptimizer.core.model.AttentionSpec.MultiHeadLatent;
import io.throughputoptimizer.core.model.FeedForwardSpec;
import io.throughputoptimizer.core.model.FeedForwardSpec.RoutedExperts;
import io.throughputoptimizer.core.model.FeedForwardSpec.Routing;
import io.throughputoptimizer.core.model.LayerGroup;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.model.Router;
import io.throughputoptimizer.fixture.Architectures;
import io.throughputoptimizer.fixture.BuiltIn;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/// The built-in models against the configurations published with them.
class BuiltInModelsTest {
    private static final Catalogs CATALOGS = BuiltIn.CATALOGS;

    @ParameterizedTest(name = "{0}")
    @MethodSource("published")
    void aBuiltInModelIsThePublishedOne(String id, ModelArchitecture expected) {
        assertThat(CATALOGS.models()
                        .find(id)
                        .map(model -> model.withStored(null).readFrom(null)))
                .contains(expected);
    }

    static Stream<Arguments> published() {
        return Stream.of(
                        tied(qwen3("0.6B", 28, 1024, 16, 3072)),
                        tied(qwen3("1.7B", 28, 2048, 16, 6144)),
                        tied(qwen3("4B", 36, 2560, 32, 9728)),
                        qwen3("8B", 36, 4096, 32, 12288),
                        qwen3("14B", 40, 5120, 40, 17408),
                        qwen3("32B", 64, 5120, 64, 25600),
                        llama("8B", 32, 4096, 32, 14336),
                        llama("70B", 80, 8192, 64, 28672),
                        llama("405B", 126, 16384, 128, 53248),
                        qwen3Moe("30B-A3B", new Size(48, 2048, 32, 768), 4, 128, 40960),
                        qwen3Moe("235B-A22B", new Size(94, 4096, 64, 1536), 4, 128, 40960),
                        qwen3Moe("Coder-480B-A35B-Instruct", new Size(62, 6144, 96, 2560), 8, 160, 262144),
                        miniMax("M2"),
                        miniMax("M2.5"),
                        deepSeekV3("DeepSeek-V3"),
                        deepSeekV3("DeepSeek-V3.1"),
                        deepSeekV3("DeepSeek-R1"),
                        deepSeekV32(),
                        kimiK2(),
                        glm5("5"),
                        glm5("5.1"),
                        qwen25("7B", new Size(28, 3584, 28, 18944), 4),
                        qwen25("14B", new Size(48, 5120, 40, 13824), 8),
                        qwen25("32B", new Size(64, 5120, 40, 27648), 8),
                        qwen25("72B", new Size(80, 8192, 64, 29568), 8),
                        PublishedConfigs.renamed(
                                llama("70B", 80, 8192, 64, 28672), "meta-llama/Llama-3.3-70B-Instruct"),
                        gptOss())
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
                        "meta-llama/Llama-3.3-70B-Instruct",
                        "openai/gpt-oss-120b",
                        "zai-org/GLM-4.5",
                        "zai-org/GLM-4.5-Air",
                        "zai-org/GLM-4.6",
                        "zai-org/GLM-4.7",
                        "Qwen/Qwen3.5-27B",
                        "Qwen/Qwen3.5-35B-A3B",
                        "Qwen/Qwen3.5-122B-A10B",
                        "Qwen/Qwen3.5-397B-A17B",
                        "Qwen/Qwen3.6-27B",
                        "Qwen/Qwen3.6-35B-A3B",
                        "Qwen/Qwen3-Next-80B-A3B-Instruct",
                        "moonshotai/Kimi-K2.5",
                        "moonshotai/Kimi-K2.6",
                        "MiniMaxAI/MiniMax-M3",
                        "deepseek-ai/DeepSeek-V4-Flash",
                        "deepseek-ai/DeepSeek-V4-Pro",
                        "openai/gpt-oss-20b",
                        "Qwen/Qwen3-4B-Instruct-2507",
                        "Qwen/Qwen3-30B-A3B-Instruct-2507",
                        "Qwen/Qwen3-235B-A22B-Instruct-2507",
                        "Qwen/Qwen3-Coder-30B-A3B-Instruct",
                        "Qwen/Qwen3-32B-FP8",
                        "Qwen/Qwen3-30B-A3B-FP8",
                        "Qwen/Qwen3-235B-A22B-FP8",
                        "Qwen/Qwen3-VL-235B-A22B-Instruct",
                        "Qwen/Qwen3-VL-32B-Instruct",
                        "meta-llama/Llama-3.1-8B-Instruct",
                        "meta-llama/Llama-3.1-70B-Instruct",
                        "deepseek-ai/DeepSeek-V3-0324",
                        "deepseek-ai/DeepSeek-R1-0528",
                        "deepseek-ai/DeepSeek-R1-Distill-Qwen-32B",
                        "deepseek-ai/DeepSeek-R1-Distill-Llama-70B",
                        "moonshotai/Kimi-K2-Instruct-0905",
                        "MiniMaxAI/MiniMax-M2.7",
                        "nvidia/DeepSeek-V3.1-NVFP4",
                        "nvidia/Qwen3-235B-A22B-NVFP4",
                        "nvidia/MiniMax-M2.5-NVFP4",
                        "nvidia/Kimi-K2.5-NVFP4",
                        "moonshotai/Kimi-K3",
                        "zai-org/GLM-5.2",
                        "google/gemma-3-1b-it",
                        "google/gemma-3-4b-it",
                        "google/gemma-3-12b-it",
                        "google/gemma-3-27b-it",
                        "google/gemma-2-9b-it",
                        "mistralai/Mistral-7B-Instruct-v0.3",
                        "mistralai/Ministral-8B-Instruct-2410",
                        "ByteDance-Seed/Seed-OSS-36B-Instruct",
                        "zai-org/GLM-4.5V",
                        "LGAI-EXAONE/EXAONE-4.0-32B",
                        "zai-org/GLM-4-9B-0414",
                        "microsoft/phi-4",
                        "baidu/ERNIE-4.5-0.3B-PT",
                        "allenai/Olmo-3-7B-Instruct",
                        "baidu/ERNIE-4.5-21B-A3B-PT",
                        "inclusionAI/Ling-mini-2.0",
                        "inclusionAI/Ling-flash-2.0",
                        "meta-llama/Llama-4-Scout-17B-16E-Instruct",
                        "meta-llama/Llama-4-Maverick-17B-128E-Instruct",
                        "microsoft/Phi-3-mini-4k-instruct",
                        "XiaomiMiMo/MiMo-V2-Flash",
                        "google/gemma-4-26B-A4B-it",
                        "google/gemma-4-31B-it",
                        "mistralai/Mixtral-8x7B-Instruct-v0.1",
                        "mistralai/Mixtral-8x22B-v0.1",
                        "nvidia/NVIDIA-Nemotron-3-Nano-30B-A3B-BF16",
                        "nvidia/NVIDIA-Nemotron-3-Super-120B-A12B-FP8",
                        "nvidia/NVIDIA-Nemotron-3-Ultra-550B-A55B-BF16",
                        "nvidia/Nemotron-H-56B-Base-8K",
                        "moonshotai/Kimi-Linear-48B-A3B-Instruct",
                        "LiquidAI/LFM2-2.6B",
                        "LiquidAI/LFM2-8B-A1B",
                        "nvidia/Llama-3_3-Nemotron-Super-49B-v1");
    }

    /// Totals of the published weights, whose output head is a tensor of its own.
    @ParameterizedTest
    @CsvSource({
        "Qwen/Qwen3-8B, 8190735360",
        "Qwen/Qwen3-32B, 32762123264",
        "meta-llama/Meta-Llama-3.1-8B, 8030261248",
        "meta-llama/Meta-Llama-3.1-70B, 70553706496",
        "meta-llama/Meta-Llama-3.1-405B, 405853388800",
        "meta-llama/Llama-3.3-70B-Instruct, 70553706496",
        "Qwen/Qwen2.5-7B-Instruct, 7615616512",
        "Qwen/Qwen2.5-14B-Instruct, 14770033664",
        "Qwen/Qwen2.5-32B-Instruct, 32763876352",
        "Qwen/Qwen2.5-72B-Instruct, 72706203648",
        "Qwen/Qwen3-30B-A3B, 30532122624",
        "Qwen/Qwen3-235B-A22B, 235093634560",
        "Qwen/Qwen3-Coder-480B-A35B-Instruct, 480154875392",
        "deepseek-ai/DeepSeek-V3, 671026419200",
        "moonshotai/Kimi-K2-Instruct, 1026408232448",
        "moonshotai/Kimi-K2.5, 1026408232448",
        "moonshotai/Kimi-K2.6, 1026408232448"
    })
    void parametersAreAsManyAsThePublishedWeights(String id, long parameters) {
        assertThat(CATALOGS.models().find(id).orElseThrow().parameterCount()).isEqualTo(parameters);
    }

    private static ModelArchitecture qwen3(String size, int layers, int hidden, int heads, int intermediate) {
        return Architectures.of(
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

    private static ModelArchitecture tied(ModelArchitecture model) {
        return Architectures.of(
                model.id(),
                model.family(),
                model.groups(),
                model.hiddenSize(),
                model.vocabularySize(),
                model.maxPositions(),
                model.rmsNormEpsilon(),
                true,
                false,
                null);
    }

    private static ModelArchitecture llama(String size, int layers, int hidden, int heads, int intermediate) {
        return Architectures.of(
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

    /// @param inner width of the feed-forward part, or of an expert
    private record Size(int layers, int hidden, int heads, int inner) {}

    private static ModelArchitecture qwen25(String size, Size sizes, int keyValueHeads) {
        return Architectures.of(
                "Qwen/Qwen2.5-" + size + "-Instruct",
                "qwen2",
                sizes.layers(),
                sizes.hidden(),
                152064,
                32768,
                1e-6,
                new GroupedQuery(
                        sizes.heads(), keyValueHeads, sizes.hidden() / sizes.heads(), HeadNorm.NONE, true, false),
                new FeedForwardSpec.Dense(sizes.inner()));
    }

    private static ModelArchitecture qwen3Moe(
            String size, Size sizes, int keyValueHeads, int experts, int maxPositions) {
        return Architectures.of(
                "Qwen/Qwen3-" + size,
                "qwen3_moe",
                sizes.layers(),
                sizes.hidden(),
                151936,
                maxPositions,
                1e-6,
                new GroupedQuery(sizes.heads(), keyValueHeads, 128, HeadNorm.PER_HEAD, false, false),
                new RoutedExperts(new Routing(experts, 8, new Router.Softmax()), sizes.inner(), 0));
    }

    private static ModelArchitecture miniMax(String version) {
        return Architectures.of(
                "MiniMaxAI/MiniMax-" + version,
                "minimax_m2",
                62,
                3072,
                200064,
                196608,
                1e-6,
                new GroupedQuery(48, 8, 128, HeadNorm.ACROSS_HEADS, false, false),
                new RoutedExperts(new Routing(256, 8, new Router.Sigmoid()), 1536, 0));
    }

    private static ModelArchitecture deepSeekV3(String name) {
        return Architectures.of(
                "deepseek-ai/" + name,
                "deepseek_v3",
                leadingDense(
                        3,
                        18432,
                        new LayerGroup(
                                58,
                                new MultiHeadLatent(128, 1536, 512, new LatentHead(128, 64, 128), null),
                                new RoutedExperts(new Routing(256, 8, new Router.RawLogits(2, null)), 2048, 2048))),
                7168,
                129280,
                163840,
                1e-6,
                false,
                true,
                null);
    }

    private static ModelArchitecture deepSeekV32() {
        return Architectures.of(
                "deepseek-ai/DeepSeek-V3.2",
                "deepseek_v32",
                leadingDense(
                        3,
                        18432,
                        new LayerGroup(
                                58,
                                new MultiHeadLatent(
                                        128,
                                        1536,
                                        512,
                                        new LatentHead(128, 64, 128),
                                        new Indexer(64, 128, 2048, false)),
                                new RoutedExperts(
                                        new Routing(256, 8, new Router.GroupLimited(8, 4, Router.GroupLimited.SINGLE)),
                                        2048,
                                        2048))),
                7168,
                129280,
                163840,
                1e-6,
                false,
                false,
                null);
    }

    private static ModelArchitecture kimiK2() {
        return Architectures.of(
                "moonshotai/Kimi-K2-Instruct",
                "kimi_k2",
                leadingDense(
                        1,
                        18432,
                        new LayerGroup(
                                60,
                                new MultiHeadLatent(64, 1536, 512, new LatentHead(128, 64, 128), null),
                                new RoutedExperts(new Routing(384, 8, new Router.RawLogits(2, null)), 2048, 2048))),
                7168,
                163840,
                131072,
                1e-6,
                false,
                false,
                null);
    }

    private static ModelArchitecture gptOss() {
        GroupedQuery full = new GroupedQuery(64, 8, 64, HeadNorm.NONE, true, true);
        RoutedExperts experts = new RoutedExperts(new Routing(128, 4, new Router.Softmax()), 2880, 0);
        LayerGroup sliding = new LayerGroup(1, full.within(128), experts);
        return Architectures.of(
                "openai/gpt-oss-120b",
                "gpt_oss",
                Stream.generate(() -> List.of(sliding, new LayerGroup(1, full, experts)))
                        .limit(18)
                        .flatMap(List::stream)
                        .toList(),
                2880,
                201088,
                131072,
                1e-5,
                false,
                false,
                null);
    }

    private static ModelArchitecture glm5(String version) {
        return Architectures.of(
                "zai-org/GLM-" + version,
                "glm_moe_dsa",
                leadingDense(
                        3,
                        12288,
                        new LayerGroup(
                                75,
                                new MultiHeadLatent(
                                        64, 2048, 512, new LatentHead(192, 64, 256), new Indexer(32, 128, 2048, false)),
                                new RoutedExperts(
                                        new Routing(
                                                256,
                                                8,
                                                new Router.RawLogits(
                                                        4, new Router.GroupLimited(1, 1, Router.GroupLimited.SINGLE))),
                                        2048,
                                        2048))),
                6144,
                154880,
                202752,
                1e-5,
                false,
                true,
                null);
    }

    private static List<LayerGroup> leadingDense(int layers, int width, LayerGroup rest) {
        return List.of(new LayerGroup(layers, rest.attention(), new FeedForwardSpec.Dense(width)), rest);
    }
}
