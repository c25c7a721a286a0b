package io.throughputoptimizer.core.forward;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.throughputoptimizer.core.deployment.AttentionQuantization;
import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.deployment.Execution;
import io.throughputoptimizer.core.deployment.LinearQuantization;
import io.throughputoptimizer.core.deployment.Obstacle;
import io.throughputoptimizer.core.deployment.PassAccounting;
import io.throughputoptimizer.core.deployment.QuantizationScheme;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.fixture.Nightly;
import io.throughputoptimizer.fixture.Relayered;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.assertj.core.data.Percentage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Routed experts that are quantized otherwise than the other linear layers.
class NonExpertQuantizationTest {
    private static final Percentage EXACT = Percentage.withPercentage(1e-7);

    private final AnalyticForwardEstimator estimator = new AnalyticForwardEstimator();

    static LongStream seeds() {
        return Nightly.seeds(10);
    }

    /// Passes of a few layers, by the formulas of both schemes, summed apart from this code. Of experts and the rest,
    /// each set of scalar scales counts once for the first layers and once for every other layer.
    @ParameterizedTest
    @CsvSource({
        "DeepSeek-V3,   TEST_DEVICE,                5, 32, 4, 2,    3, 4500, 16, W4A8_DYNAMIC, FP8,         5.728466691380644,  6480830752, 73285632",
        "DeepSeek-V3,   TEST_DEVICE,                5, 32, 4, 2,    3, 4500, 16, MXFP4,        DISABLED,    6.694127026428113,  7610736896, 73285632",
        "DeepSeek-V3,   TEST_DEVICE,                5, 32, 4, 2,    3, 4500, 16, DISABLED,     W8A8_STATIC, 7.697300847020826,  8594759976, 73285632",
        "DeepSeek-V3,   TEST_DEVICE,                5, 32, 4, 2,    3, 4500, 16, W8A8_DYNAMIC, MXFP4,       5.92162404685393,   6676474124, 73285632",
        "DeepSeek-V3,   ATLAS_800_A3_752T_128G_DIE, 5, 16, 8, 0, 3500, 3500,  2, W4A8_DYNAMIC, FP8,         20.745387985732883, 3259022360, 20643840",
        "DeepSeek-V3,   ATLAS_800_A3_752T_128G_DIE, 5, 16, 8, 0, 3500, 3500,  2, MXFP4,        DISABLED,    25.288455429569897, 3722951680, 20643840",
        "Qwen3-30B-A3B, TEST_DEVICE,                4,  8, 4, 0,    1, 3501, 32, DISABLED,     W8A8_STATIC, 1.3690533498244606, 1423874080, 114819072",
        "Qwen3-30B-A3B, TEST_DEVICE,                4,  8, 4, 0,    1, 3501, 32, W8A8_DYNAMIC, MXFP4,       1.113162242391761,  1113036816, 114819072",
        "Qwen3-30B-A3B, TEST_DEVICE,                4,  8, 8, 0, 1001, 2000,  3, W4A8_DYNAMIC, FP8,         3.996904758352667,  884709408,  12320768",
        "Qwen3-30B-A3B, TEST_DEVICE,                4,  8, 8, 0, 1001, 2000,  3, MXFP4,        DISABLED,    3.983284616631456,  904632320,  12320768"
    })
    void costsWhatTheFormulasOfBothSchemesSay(
            String model,
            String device,
            int layers,
            int devices,
            int tp,
            int drafts,
            long queryLength,
            long length,
            long concurrency,
            LinearQuantization experts,
            LinearQuantization others,
            double millis,
            double weights,
            double cache) {
        ModelArchitecture shallow = Relayered.withLayers(TestDeployments.modelNamed(model), layers);
        Deployment deployment = new Deployment(
                shallow,
                TestDeployments.device(device),
                GoldenDeployments.layout(shallow, tp, devices, devices, 1),
                new QuantizationScheme(experts, others, AttentionQuantization.DISABLED, 32),
                new Execution(true, drafts, 0, PassAccounting.DOCUMENTED, false, false));
        boolean decode = queryLength <= 3;

        ForwardEstimate estimate = estimator
                .price(deployment, new ForwardShape.Uniform(concurrency, new Request(queryLength, length, decode)))
                .estimate();

        assertThat(estimate.latencyMillis()).isCloseTo(millis, EXACT);
        assertThat(estimate.memory().weightBytes()).isEqualTo(weights);
        assertThat(estimate.memory().kvCacheBytes()).isEqualTo(cache);
        assertThat(estimate.memory().exact()).isFalse();
    }

    /// Experts and the rest cost what they cost in passes quantized alike: what two mixed passes take is what the two
    /// uniform ones take.
    @ParameterizedTest
    @MethodSource("seeds")
    void expertsAndTheRestAreIndependent(long seed) {
        RandomPasses.Draw pass = anyRouted(seed);
        List<LinearQuantization> schemes = twoSchemes(new Random(seed), pass.deployment());
        LinearQuantization one = schemes.getFirst();
        LinearQuantization other = schemes.getLast();

        double mixed = latency(pass, one, other) + latency(pass, other, one);

        assertThat(mixed).isCloseTo(latency(pass, one, null) + latency(pass, other, null), EXACT);
        assertThat(weights(pass, one, other) + weights(pass, other, one))
                .isCloseTo(
                        weights(pass, one, null) + weights(pass, other, null),
                        within(16.0 * (pass.deployment().model().layers() + 10)));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void theSameSchemeSaidTwiceChangesNothing(long seed) {
        RandomPasses.Draw pass = anyRouted(seed);
        LinearQuantization scheme =
                twoSchemes(new Random(seed), pass.deployment()).getFirst();

        assertThat(price(pass, scheme, scheme)).isEqualTo(price(pass, scheme, null));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void theRouterIsNotQuantizedAndSharedExpertsGoWithTheRest(boolean compiled) {
        ModelArchitecture model = Relayered.withLayers(TestDeployments.modelNamed("GLM-4.5-Air"), 3);
        Deployment deployment = new Deployment(
                model,
                TestDeployments.device("TEST_DEVICE"),
                GoldenDeployments.layout(model, 4, 8, 8, 1),
                new QuantizationScheme(
                        LinearQuantization.W4A8_DYNAMIC, LinearQuantization.FP8, AttentionQuantization.DISABLED, 32),
                new Execution(compiled, 0, 0, PassAccounting.DOCUMENTED, false, false));

        Set<String> names = new HashSet<>();
        estimator
                .price(deployment, new ForwardShape.Uniform(16, new Request(1, 1000, true)))
                .operators()
                .forEach(operator -> names.add(operator.name()));

        Set<String> products = names.stream()
                .filter(name -> name.contains("linear") || name.contains("mm") || name.contains("matmul"))
                .map(name -> name.replace(".default", ""))
                .collect(Collectors.toSet());
        assertThat(products).contains("aten.mm", "tensor_cast.fp8_linear");
        assertThat(products.stream().filter(name -> name.contains("int4"))).isNotEmpty();
        assertThat(products).noneMatch(name -> name.equals("tensor_cast.static_quant_linear"));
    }

    @Test
    void aModelWithoutExpertsHasNoSuchScheme() {
        QuantizationScheme scheme = new QuantizationScheme(
                LinearQuantization.FP8, LinearQuantization.DISABLED, AttentionQuantization.DISABLED, 32);

        assertThat(new Execution(true, 0, 0, PassAccounting.DOCUMENTED, false, false)
                        .obstacles(TestDeployments.modelNamed("Qwen3-8B"), scheme))
                .containsExactly(new Obstacle(
                        Obstacle.Part.NON_EXPERT_QUANTIZATION,
                        "is DISABLED: model Qwen/Qwen3-8B has no routed experts to quantize otherwise"));
        assertThat(new Execution(true, 0, 0, PassAccounting.DOCUMENTED, false, false)
                        .obstacles(TestDeployments.modelNamed("Qwen3-30B"), scheme))
                .isEmpty();
    }

    @Test
    void aQuantizedCacheOfLatentAttentionNeedsItsOwnLayersQuantized() {
        ModelArchitecture latent = TestDeployments.modelNamed("DeepSeek-V3.1");
        Execution execution = new Execution(true, 0, 0, PassAccounting.DOCUMENTED, false, false);

        assertThat(execution.obstacles(latent, cached(LinearQuantization.FP8, LinearQuantization.DISABLED)))
                .extracting(Obstacle::part)
                .containsExactly(Obstacle.Part.CACHE_QUANTIZATION);
        assertThat(execution.obstacles(latent, cached(LinearQuantization.DISABLED, LinearQuantization.FP8)))
                .isEmpty();
    }

    private static QuantizationScheme cached(LinearQuantization experts, LinearQuantization others) {
        return new QuantizationScheme(experts, others, AttentionQuantization.INT8, 32);
    }

    private ForwardEstimate price(
            RandomPasses.Draw pass, LinearQuantization experts, @Nullable LinearQuantization others) {
        Deployment drawn = pass.deployment();
        QuantizationScheme scheme =
                new QuantizationScheme(experts, others, drawn.quantization().attention(), 32);
        Deployment deployment =
                new Deployment(drawn.model(), drawn.device(), drawn.layout(), scheme, drawn.execution());
        return estimator.estimate(deployment, pass.shape());
    }

    /// Of a model with experts; later families too.
    private static RandomPasses.Draw anyRouted(long seed) {
        RandomPasses passes = seed % 3 == 0 ? RandomPasses.ofLaterModels(seed) : new RandomPasses(seed);
        return Stream.generate(passes::next)
                .filter(draw -> draw.deployment().model().experts().isPresent())
                .findFirst()
                .orElseThrow();
    }

    private static List<LinearQuantization> twoSchemes(Random random, Deployment deployment) {
        List<LinearQuantization> possible = Stream.of(LinearQuantization.values())
                .filter(scheme -> deployment
                        .execution()
                        .obstacles(
                                deployment.model(),
                                new QuantizationScheme(
                                        scheme,
                                        scheme,
                                        deployment.quantization().attention(),
                                        32))
                        .isEmpty())
                .toList();
        return List.of(possible.get(random.nextInt(possible.size())), possible.get(random.nextInt(possible.size())));
    }

    private double latency(RandomPasses.Draw pass, LinearQuantization experts, @Nullable LinearQuantization others) {
        return price(pass, experts, others).latencyMillis();
    }

    private double weights(RandomPasses.Draw pass, LinearQuantization experts, @Nullable LinearQuantization others) {
        return price(pass, experts, others).memory().weightBytes();
    }
}
