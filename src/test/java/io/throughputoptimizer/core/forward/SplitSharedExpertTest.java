package io.throughputoptimizer.core.forward;

import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.core.deployment.AttentionQuantization;
import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.deployment.Execution;
import io.throughputoptimizer.core.deployment.LinearQuantization;
import io.throughputoptimizer.core.deployment.Obstacle;
import io.throughputoptimizer.core.deployment.PassAccounting;
import io.throughputoptimizer.core.deployment.QuantizationScheme;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.fixture.Relayered;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Shared experts that are split over the tensor parallel ranks; `moe-operators.json` has one such pass, recorded.
class SplitSharedExpertTest {
    private static final Percentage EXACT = Percentage.withPercentage(1e-7);

    private final AnalyticForwardEstimator estimator = new AnalyticForwardEstimator();

    /// Passes of five layers, by the formulas of the reference, summed apart from this code.
    @ParameterizedTest
    @CsvSource({
        "DeepSeek-V3,   TEST_DEVICE,                32,  4, 32, 0, 3500, 3500, 16, W8A8_DYNAMIC, 99.19425608337416,  3680746512",
        "DeepSeek-V3.1, TEST_DEVICE,                16,  1, 16, 2, 3,    4500, 40, W8A8_DYNAMIC, 13.301924546729957, 13169434900",
        "DeepSeek-V3.2, ATLAS_800_A3_752T_128G_DIE, 32,  8, 32, 0, 1,    9000, 41, MXFP4,        7.523983536217807,  2728036864",
        "GLM-5,         ATLAS_800_A3_752T_128G_DIE, 16, 16,  8, 0, 1000, 3000,  3, W4A8_DYNAMIC, 60.645903799391405, 2795046416",
        "DeepSeek-V3.2, TEST_DEVICE,                16,  2,  8, 0, 1,     900, 64, DISABLED,     9.810962797215888,  8076052992"
    })
    void costsWhatTheFormulasSay(
            String model,
            String device,
            int devices,
            int tp,
            int ep,
            int drafts,
            long queryLength,
            long length,
            long concurrency,
            LinearQuantization linear,
            double millis,
            double weights) {
        ModelArchitecture shallow = Relayered.withLayers(TestDeployments.modelNamed(model), 5);
        Deployment deployment = new Deployment(
                shallow,
                TestDeployments.device(device),
                GoldenDeployments.layout(shallow, tp, devices, ep, 1),
                new QuantizationScheme(linear, AttentionQuantization.DISABLED, 32),
                split(true, drafts));

        ForwardEstimate estimate = estimator
                .price(
                        deployment,
                        new ForwardShape.Uniform(concurrency, new Request(queryLength, length, queryLength <= 3)))
                .estimate();

        assertThat(estimate.latencyMillis()).isCloseTo(millis, EXACT);
        assertThat(estimate.memory().weightBytes()).isEqualTo(weights);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            Qwen3-8B      | true  | 0 | must be false: model Qwen/Qwen3-8B has no shared experts
            Qwen3-30B     | true  | 0 | must be false: model Qwen/Qwen3-30B-A3B has no shared experts
            MiniMax-M2    | true  | 0 | must be false: model MiniMaxAI/MiniMax-M2 has no shared experts
            Qwen3.5-35B   | true  | 0 | must be false: splitting gated shared experts of qwen3_5_moe is not supported
            MiniMax-M3    | true  | 0 | must be false: splitting shared experts of minimax_m3_vl is not supported
            GLM-4.5-Air   | false | 0 | must be false: splitting shared experts requires compile: true
            GLM-4.5-Air   | true  | 1 | must be false: splitting shared experts of draft layers of glm4_moe is not supported
            """)
    void whatNobodyKnowsIsRefused(String model, boolean compiled, int drafts, String reason) {
        assertThat(split(compiled, drafts).obstacles(TestDeployments.modelNamed(model), scheme()))
                .containsExactly(new Obstacle(Obstacle.Part.SHARED_EXPERTS, reason));
    }

    @Test
    void layoutsWithoutExpertParallelismCannotHaveIt() {
        ModelArchitecture model = TestDeployments.modelNamed("GLM-4.5-Air");

        assertThat(deployment(model, 8).obstacle()).isEmpty();
        assertThat(deployment(model, 1).obstacle())
                .contains(new Obstacle(Obstacle.Part.SHARED_EXPERTS, "shared_expert_tp requires ep above 1, got 1"));
    }

    private static Deployment deployment(ModelArchitecture model, int ep) {
        return new Deployment(
                model,
                TestDeployments.device("TEST_DEVICE"),
                GoldenDeployments.layout(model, 4, 8, ep, 1),
                scheme(),
                split(true, 0));
    }

    private static QuantizationScheme scheme() {
        return GoldenDeployments.quantization("W8A8_DYNAMIC", "DISABLED");
    }

    private static Execution split(boolean compiled, int drafts) {
        return new Execution(compiled, drafts, 0, PassAccounting.DOCUMENTED, false, false).withSharedExpertsSplit(true);
    }
}
