package io.throughputoptimizer.core.forward;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.throughputoptimizer.core.deployment.AttentionQuantization;
import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.deployment.Execution;
import io.throughputoptimizer.core.deployment.LinearQuantization;
import io.throughputoptimizer.core.deployment.ParallelLayout;
import io.throughputoptimizer.core.deployment.ParallelLayout.ExpertLayout;
import io.throughputoptimizer.core.deployment.PassAccounting;
import io.throughputoptimizer.core.deployment.QuantizationScheme;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Eager passes with experts on layouts of which none was recorded, without expert parallelism above all: worked out by
/// the reference's rules, apart from this code.
class EagerExpertsTest {
    private final AnalyticForwardEstimator estimator = new AnalyticForwardEstimator();

    @ParameterizedTest
    @CsvSource({
        "Qwen/Qwen3-30B-A3B, TEST_DEVICE, 8, 8, 1, 1, W8A8_DYNAMIC, 16, 1, 2001, 230.4545447342349",
        "Qwen/Qwen3-30B-A3B, TEST_DEVICE, 8, 8, 1, 1, W8A8_DYNAMIC, 2, 1024, 1024, 331.6119130862974",
        "Qwen/Qwen3-30B-A3B, TEST_DEVICE, 8, 4, 1, 1, W8A8_DYNAMIC, 16, 1, 2001, 230.19778720937003",
        "Qwen/Qwen3-30B-A3B, TEST_DEVICE, 1, 1, 1, 1, DISABLED, 16, 1, 2001, 184.5282913402715",
        "Qwen/Qwen3-30B-A3B, TEST_DEVICE, 16, 8, 1, 2, W8A8_DYNAMIC, 64, 1, 2001, 232.79342136135966",
        "zai-org/GLM-4.5-Air, ATLAS_800_A3_752T_128G_DIE, 8, 8, 1, 1, W8A8_DYNAMIC, 16, 1, 2001, 262.37479394184555",
        "Qwen/Qwen3.5-35B-A3B, TEST_DEVICE, 4, 4, 1, 1, W8A8_DYNAMIC, 7, 1, 2001, 84.7345348184697",
        "zai-org/GLM-5.1, ATLAS_800_A3_752T_128G_DIE, 16, 16, 1, 1, W8A8_DYNAMIC, 1, 1, 2001, 60.38338188226652",
        "Qwen/Qwen3-30B-A3B, TEST_DEVICE, 128, 8, 128, 1, W8A8_DYNAMIC, 64, 1, 2001, 18.33051689033848",
        "Qwen/Qwen3-30B-A3B, TEST_DEVICE, 16, 8, 16, 1, W8A8_DYNAMIC, 640, 1, 2001, 49.946083883224745",
        "Qwen/Qwen3-30B-A3B, TEST_DEVICE, 16, 4, 4, 1, W8A8_DYNAMIC, 64, 1, 2001, 64.54782296836167"
    })
    void tokensAreSortedBesideOtherRanksAndPutTogetherBesideOtherExperts(
            String model,
            String device,
            int devices,
            int tp,
            int ep,
            int moeDp,
            LinearQuantization linear,
            long requests,
            long query,
            long sequence,
            double millis) {
        Deployment deployment = new Deployment(
                TestDeployments.model(model),
                TestDeployments.device(device),
                new ParallelLayout(tp, 1, devices / tp, new ExpertLayout(ep, devices / ep / moeDp, moeDp)),
                new QuantizationScheme(linear, AttentionQuantization.DISABLED, 32),
                new Execution(false, 0, 0, PassAccounting.DOCUMENTED, false, false));
        ForwardShape pass = new ForwardShape.Uniform(requests, new Request(query, sequence, query == 1));

        assertThat(estimator.price(deployment, pass).estimate().latencyMillis())
                .isCloseTo(millis, withinPercentage(1e-7));
    }
}
