package io.throughputoptimizer.core.forward;

import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.core.deployment.AttentionQuantization;
import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.deployment.Execution;
import io.throughputoptimizer.core.deployment.LinearQuantization;
import io.throughputoptimizer.core.deployment.ParallelLayout;
import io.throughputoptimizer.core.deployment.PassAccounting;
import io.throughputoptimizer.core.deployment.QuantizationScheme;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Models whose checkpoints hold several projections in one weight: whole on every rank as in the reference, split by
/// accounting steady.
class JoinedWeightsTest {
    private static final ForwardShape PROMPT = new ForwardShape.Uniform(2, Request.prefill(600, 600));

    private final AnalyticForwardEstimator estimator = new AnalyticForwardEstimator();

    /// Bytes of all layers at 8 bits on one of two ranks: heads of 128, of queries and of keys and values.
    @ParameterizedTest
    @CsvSource({"microsoft/phi-4, 40, 5120, 17920, 40, 10, true", "zai-org/GLM-4-9B-0414, 40, 4096, 13696, 32, 2, false"
    })
    void steadyHoldsHalfOfWhatTheReferenceHoldsWhole(
            String id, int layers, long hidden, long inner, long heads, long keyValueHeads, boolean joinsAttention) {
        double whole = 2 * hidden * inner + (joinsAttention ? hidden * 128 * (heads + 2 * keyValueHeads) : 0);
        double documented = weights(deployment(id, 2, PassAccounting.DOCUMENTED, LinearQuantization.W8A8_DYNAMIC));
        double steady = weights(deployment(id, 2, PassAccounting.STEADY, LinearQuantization.W8A8_DYNAMIC));

        assertThat(documented - steady).isEqualTo(layers * whole / 2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"microsoft/phi-4", "zai-org/GLM-4-9B-0414"})
    void splitWeightsCostLessAndOnOneDeviceTheSame(String id) {
        for (LinearQuantization linear : LinearQuantization.values()) {
            assertThat(latency(deployment(id, 1, PassAccounting.STEADY, linear)))
                    .isEqualTo(latency(deployment(id, 1, PassAccounting.DOCUMENTED, linear)));
            if (linear != LinearQuantization.DISABLED) {
                assertThat(latency(deployment(id, 2, PassAccounting.STEADY, linear)))
                        .isLessThan(latency(deployment(id, 2, PassAccounting.DOCUMENTED, linear)));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"microsoft/phi-4", "zai-org/GLM-4-9B-0414"})
    void whereTheReferenceFailsItIsRefused(String id) {
        assertThat(deployment(id, 2, PassAccounting.DOCUMENTED, LinearQuantization.DISABLED)
                        .obstacle()
                        .orElseThrow()
                        .reason())
                .startsWith("is DISABLED: the reference splits a part of the weights of ")
                .endsWith(" only, which fails with tp 2 unless they are quantized; with accounting steady all are"
                        + " split");
        assertThat(List.of(
                        deployment(id, 1, PassAccounting.DOCUMENTED, LinearQuantization.DISABLED),
                        deployment(id, 2, PassAccounting.STEADY, LinearQuantization.DISABLED)))
                .allSatisfy(deployment -> assertThat(deployment.obstacle()).isEmpty());
    }

    private double weights(Deployment deployment) {
        return estimator.estimate(deployment, PROMPT).memory().weightBytes();
    }

    private double latency(Deployment deployment) {
        return estimator.estimate(deployment, PROMPT).latencyMillis();
    }

    private static Deployment deployment(String id, int tp, PassAccounting accounting, LinearQuantization linear) {
        return new Deployment(
                TestDeployments.model(id),
                TestDeployments.device("ATLAS_800_A3_752T_128G_DIE"),
                ParallelLayout.dense(tp, 1),
                new QuantizationScheme(linear, AttentionQuantization.DISABLED, 32),
                new Execution(true, 0, 0, accounting, false, false));
    }
}
