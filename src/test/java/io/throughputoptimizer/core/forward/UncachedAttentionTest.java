package io.throughputoptimizer.core.forward;

import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.core.deployment.AttentionQuantization;
import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.deployment.Execution;
import io.throughputoptimizer.core.deployment.LinearQuantization;
import io.throughputoptimizer.core.deployment.ParallelLayout;
import io.throughputoptimizer.core.deployment.ParallelLayout.ExpertLayout;
import io.throughputoptimizer.core.deployment.PassAccounting;
import io.throughputoptimizer.core.deployment.QuantizationScheme;
import io.throughputoptimizer.core.model.AttentionSpec;
import io.throughputoptimizer.core.model.AttentionSpec.Projections;
import io.throughputoptimizer.core.model.LayerGroup;
import io.throughputoptimizer.core.model.ModelArchitecture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Ling, whose attention the reference hands neither the cache nor the lengths of requests: as there by accounting
/// documented, as any other grouped-query attention by steady.
class UncachedAttentionTest {
    private static final ModelArchitecture LING = TestDeployments.model("inclusionAI/Ling-mini-2.0");

    private final AnalyticForwardEstimator estimator = new AnalyticForwardEstimator();

    @Test
    void documentedForgetsTheContextAndSaysSo() {
        Deployment documented = deployment(LING, true, PassAccounting.DOCUMENTED);
        Deployment steady = deployment(LING, true, PassAccounting.STEADY);

        assertThat(latency(documented, step(4000))).isEqualTo(latency(documented, step(1000)));
        assertThat(latency(steady, step(4000))).isGreaterThan(latency(steady, step(1000)));
        assertThat(documented.overlooked().orElseThrow())
                .startsWith("tokens are priced as if they attended to those of the same pass alone");
        assertThat(steady.overlooked()).isEmpty();
    }

    /// With weights of their own there is nothing that the reference copies.
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void steadyIsTheSameModelWithWeightsOfTheirOwn(boolean compiled) {
        ModelArchitecture apart = LING.withLayers(LING.groups().stream()
                .map(group -> new LayerGroup(
                        group.count(),
                        ((AttentionSpec.GroupedQuery) group.attention()).projecting(Projections.APART),
                        group.feedForward()))
                .toList());
        Deployment steady = deployment(LING, compiled, PassAccounting.STEADY);
        Deployment plain = deployment(apart, compiled, PassAccounting.DOCUMENTED);

        for (ForwardShape shape : new ForwardShape[] {prompt(), step(3000)}) {
            ForwardEstimate expected = estimator.estimate(plain, shape);
            ForwardEstimate estimate = estimator.estimate(steady, shape);
            assertThat(estimate.latencyMillis()).isEqualTo(expected.latencyMillis());
            assertThat(estimate.breakdown()).isEqualTo(expected.breakdown());
            assertThat(estimate.memory().peakBytes())
                    .isEqualTo(expected.memory().peakBytes());
        }
    }

    /// 20 layers of 2048 x (16 + 2 4) 128 and 16 128 x 2048 elements at 8 bits.
    @Test
    void documentedHoldsTheOriginalWeightsBesideTheirParts() {
        double documented = weights(PassAccounting.DOCUMENTED);

        assertThat(documented - weights(PassAccounting.STEADY)).isEqualTo(20.0 * (2048 * 3072 + 2048 * 2048));
    }

    @Test
    void aQuantizedCacheIsRefusedUnlessSteady() {
        assertThat(quantizedCache(PassAccounting.DOCUMENTED)
                        .obstacle()
                        .orElseThrow()
                        .reason())
                .isEqualTo("is INT8: the reference hands attention of bailing_moe no cache, and a quantized one was"
                        + " never measured; with accounting steady it is priced");
        assertThat(quantizedCache(PassAccounting.STEADY).obstacle()).isEmpty();
    }

    private double weights(PassAccounting accounting) {
        return estimator
                .estimate(deployment(LING, true, accounting), prompt())
                .memory()
                .weightBytes();
    }

    private double latency(Deployment deployment, ForwardShape shape) {
        return estimator.estimate(deployment, shape).latencyMillis();
    }

    private static ForwardShape prompt() {
        return new ForwardShape.Uniform(3, Request.prefill(700, 700));
    }

    private static ForwardShape step(long context) {
        return new ForwardShape.Uniform(16, Request.decode(1, context));
    }

    private static Deployment quantizedCache(PassAccounting accounting) {
        return deployment(LING, AttentionQuantization.INT8, true, accounting);
    }

    private static Deployment deployment(ModelArchitecture model, boolean compiled, PassAccounting accounting) {
        return deployment(model, AttentionQuantization.DISABLED, compiled, accounting);
    }

    private static Deployment deployment(
            ModelArchitecture model, AttentionQuantization cache, boolean compiled, PassAccounting accounting) {
        return new Deployment(
                model,
                TestDeployments.device("ATLAS_800_A3_752T_128G_DIE"),
                new ParallelLayout(2, 1, 2, new ExpertLayout(4, 1, 1)),
                new QuantizationScheme(LinearQuantization.W8A8_DYNAMIC, cache, 32),
                new Execution(compiled, 0, 0, accounting, false, false));
    }
}
