package io.throughputoptimizer.core.forward;

import io.throughputoptimizer.core.deployment.AttentionQuantization;
import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.deployment.Execution;
import io.throughputoptimizer.core.deployment.LinearQuantization;
import io.throughputoptimizer.core.deployment.ParallelLayout;
import io.throughputoptimizer.core.deployment.ParallelLayout.ExpertLayout;
import io.throughputoptimizer.core.deployment.PassAccounting;
import io.throughputoptimizer.core.deployment.QuantizationScheme;
import io.throughputoptimizer.core.hardware.DeviceProfile;
import io.throughputoptimizer.core.model.AttentionSpec;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.model.family.ModelFamily;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Random deployments and passes of every kind there is: dense layers and experts, grouped-query, latent and sparse
/// attention, drafts, images, compiled and eager, under any quantization, on up to 64 devices. The same seed gives the
/// same ones, whatever the catalogue gains: families that came later have their own.
final class RandomPasses {
    private static final List<ModelArchitecture> MODELS = Stream.of(
                    "Qwen/Qwen2.5-7B-Instruct",
                    "Qwen/Qwen2.5-72B-Instruct",
                    "Qwen/Qwen3-0.6B",
                    "Qwen/Qwen3-4B",
                    "Qwen/Qwen3-32B",
                    "meta-llama/Meta-Llama-3.1-8B",
                    "meta-llama/Llama-3.3-70B-Instruct",
                    "Qwen/Qwen3-VL-8B-Instruct",
                    "Qwen/Qwen3-VL-30B-A3B-Instruct",
                    "Qwen/Qwen3-30B-A3B",
                    "Qwen/Qwen3-235B-A22B",
                    "MiniMaxAI/MiniMax-M2",
                    "deepseek-ai/DeepSeek-V3",
                    "deepseek-ai/DeepSeek-V3.1",
                    "deepseek-ai/DeepSeek-V3.2",
                    "moonshotai/Kimi-K2-Instruct",
                    "zai-org/GLM-5")
            .map(TestDeployments::model)
            .toList();
    private static final List<ModelArchitecture> LATER_MODELS = Stream.of(
                    "Qwen/Qwen3-8B",
                    "deepseek-ai/DeepSeek-V3.1",
                    "deepseek-ai/DeepSeek-V3.2",
                    "zai-org/GLM-4.5",
                    "zai-org/GLM-4.5-Air",
                    "Qwen/Qwen3.5-27B",
                    "Qwen/Qwen3.6-35B-A3B",
                    "Qwen/Qwen3-Next-80B-A3B-Instruct",
                    "MiniMaxAI/MiniMax-M3",
                    "deepseek-ai/DeepSeek-V4-Flash",
                    "deepseek-ai/DeepSeek-V4-Pro",
                    "zai-org/GLM-5.2",
                    "openai/gpt-oss-120b",
                    "google/gemma-3-27b-it",
                    "zai-org/GLM-5",
                    "google/gemma-2-9b-it",
                    "google/gemma-4-26B-A4B-it",
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
                    "microsoft/Phi-3-mini-4k-instruct",
                    "meta-llama/Llama-4-Maverick-17B-128E-Instruct",
                    "XiaomiMiMo/MiMo-V2-Flash",
                    "moonshotai/Kimi-K2.5",
                    "google/gemma-3-1b-it")
            .map(TestDeployments::model)
            .toList();
    private static final List<DeviceProfile> DEVICES = Stream.of(
                    "TEST_DEVICE",
                    "ATLAS_800_A2_280T_32G_PCIE",
                    "ATLAS_800_A3_752T_128G_DIE",
                    "ATLAS_800_A3_560T_128G_DIE_ROCE",
                    "ATLAS_350_425T_84G")
            .map(TestDeployments::device)
            .toList();
    /// Powers of two and others, which leave remainders.
    private static final List<Integer> DEVICE_COUNTS = List.of(1, 2, 4, 5, 6, 8, 12, 16, 24, 32, 40, 48, 64);

    private static final int MOST_DRAFTS = 3;

    private final List<ModelArchitecture> models;
    private final Random random;

    private final boolean sharesContext;

    private RandomPasses(List<ModelArchitecture> models, boolean sharesContext, long seed) {
        this.models = models;
        this.sharesContext = sharesContext;
        this.random = new Random(seed);
    }

    RandomPasses(long seed) {
        this(MODELS, false, seed);
    }

    /// Passes of the families that came later, with decode context parallelism or without.
    static RandomPasses ofLaterModels(long seed) {
        return new RandomPasses(LATER_MODELS, true, seed);
    }

    /// A deployment and a pass on it.
    record Draw(Deployment deployment, ForwardShape shape) {
        @Override
        public String toString() {
            return deployment.model().id() + " on " + deployment.device().name() + ", "
                    + deployment.layout() + ", " + deployment.quantization() + ", " + deployment.execution()
                    + ", " + shape;
        }
    }

    Draw next() {
        Deployment deployment = deployment();
        return new Draw(deployment, shape(deployment));
    }

    /// Any deployment that has no obstacle.
    Deployment deployment() {
        while (true) {
            ModelArchitecture model = any(models);
            boolean drafts = model.predictsDrafts() && random.nextBoolean();
            Deployment deployment = new Deployment(
                    model,
                    any(DEVICES),
                    layout(model),
                    new QuantizationScheme(
                            any(List.of(LinearQuantization.values())),
                            any(List.of(AttentionQuantization.values())),
                            any(List.of(32, 64, 128))),
                    new Execution(
                            random.nextInt(4) > 0,
                            drafts ? 1 + random.nextInt(MOST_DRAFTS) : 0,
                            random.nextInt(20) * MemoryFootprint.GIB,
                            isCorrectable(model) && (random.nextBoolean() || isSteadyOnly(model))
                                    ? PassAccounting.STEADY
                                    : PassAccounting.DOCUMENTED,
                            false,
                            false));
            if (deployment.obstacle().isEmpty() && (sharesContext || wasPriced(deployment))) {
                return deployment;
            }
        }
    }

    /// Of the first families what was priced when their passes were frozen: eager latent attention came later.
    private static boolean wasPriced(Deployment deployment) {
        return deployment.execution().compiled() || !deployment.model().cachesLatent();
    }

    /// Whether the two accountings of passes differ.
    private static boolean isCorrectable(ModelArchitecture model) {
        return model.delta().isPresent()
                || model.selectsBlocks()
                || model.slides()
                || model.joinsProjections()
                || model.projects(AttentionSpec.Projections.COPIED)
                || model.compressed().isPresent();
    }

    /// Whether the reference has no price.
    private static boolean isSteadyOnly(ModelArchitecture model) {
        return model.slides() && !ModelFamily.overlooksWindows(model.family());
    }

    private ParallelLayout layout(ModelArchitecture model) {
        int devices = any(DEVICE_COUNTS);
        int tp = any(divisors(devices));
        ParallelLayout layout = new ParallelLayout(tp, 1, devices / tp, experts(model, devices));
        return sharesContext && random.nextBoolean() ? layout.withDcp(any(divisors(tp))) : layout;
    }

    private @Nullable ExpertLayout experts(ModelArchitecture model, int devices) {
        if (model.experts().isEmpty()) {
            return null;
        }
        int ep = random.nextBoolean() ? devices : any(divisors(devices));
        int moeDp = random.nextBoolean() ? 1 : any(divisors(devices / ep));
        return new ExpertLayout(ep, devices / ep / moeDp, moeDp);
    }

    private static List<Integer> divisors(int number) {
        return IntStream.rangeClosed(1, number)
                .filter(divisor -> number % divisor == 0)
                .boxed()
                .toList();
    }

    /// Any pass: equal requests, with images or without, or a list.
    ForwardShape shape(Deployment deployment) {
        int drafts = deployment.execution().mtpTokens();
        return switch (random.nextInt(5)) {
            case 0 -> new ForwardShape.Uniform(upTo(3000), prefill(), random.nextInt(3) == 0 ? images() : null);
            case 1, 2 -> new ForwardShape.Uniform(upTo(6000), decode(drafts), random.nextInt(8) == 0 ? images() : null);
            default -> list(drafts);
        };
    }

    private ForwardShape list(int drafts) {
        List<ForwardShape.Group> groups = new ArrayList<>();
        int phases = random.nextInt(3);
        int count = 1 + random.nextInt(8);
        for (int group = 0; group < count; group++) {
            boolean decodes = phases == 0 || (phases == 1 && random.nextBoolean());
            groups.add(new ForwardShape.Group(upTo(100), decodes ? decode(drafts) : prefill()));
        }
        return new ForwardShape.RequestList(groups);
    }

    private Request prefill() {
        long query = upTo(20_000);
        return Request.prefill(query, query + (random.nextBoolean() ? 0 : upTo(30_000)));
    }

    private Request decode(int drafts) {
        long query = drafts + 1L + (random.nextInt(6) == 0 ? random.nextInt(8) : 0);
        return Request.decode(query, query + upTo(100_000));
    }

    private ImageInput images() {
        return new ImageInput(1 + random.nextInt(3), 200 + random.nextInt(1800), 200 + random.nextInt(1800));
    }

    /// Small numbers as often as large ones.
    private long upTo(long most) {
        return Math.round(Math.exp(random.nextDouble() * Math.log(most)));
    }

    private <T> T any(List<T> values) {
        return values.get(random.nextInt(values.size()));
    }
}
