package io.throughputoptimizer.core.forward;

import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.deployment.Execution;
import io.throughputoptimizer.core.deployment.ParallelLayout;
import io.throughputoptimizer.core.deployment.ParallelLayout.ExpertLayout;
import io.throughputoptimizer.core.deployment.PassAccounting;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// When ranks share sequences, and what that leaves of the cache, by hand: DeepSeek-V3.1, 61 layers of latent
/// attention with 576 cached elements a token, on eight ranks of which four share a sequence.
class DecodeContextTest {
    private static final String LATENT = "deepseek-ai/DeepSeek-V3.1";
    private static final String EXCHANGE = "aten.empty.memory_format";
    /// 576 elements in float16.
    private static final double TOKEN_BYTES = 2.0 * 576;

    private static final int LAYERS = 61;

    private final AnalyticForwardEstimator estimator = new AnalyticForwardEstimator();

    /// 16 requests that go on from 4000 tokens have 16 (4001 + 1) = 64,032 places, in 500.25 blocks of 128: 501 of
    /// them on each rank by itself, 126 where four share them.
    @Test
    void ofFourRanksEachHoldsAQuarterOfTheBlocks() {
        ForwardShape step = new ForwardShape.Uniform(16, Request.decode(1, 4001));

        assertThat(cacheBytes(1, step)).isEqualTo(501 * 128 * TOKEN_BYTES * LAYERS);
        assertThat(cacheBytes(4, step)).isEqualTo(126 * 128 * TOKEN_BYTES * LAYERS);
        assertThat(memory(4, step).kvCacheBytesPerToken()).isEqualTo(TOKEN_BYTES * LAYERS);
    }

    /// 2 prompts of 2000 tokens have 4002 places, in 32 blocks.
    @Test
    void aPrefillPassHasTheSmallerCacheAndNothingToExchange() {
        ForwardShape prompts = new ForwardShape.Uniform(2, Request.prefill(2000, 2000));

        assertThat(cacheBytes(1, prompts)).isEqualTo(32 * 128 * TOKEN_BYTES * LAYERS);
        assertThat(cacheBytes(4, prompts)).isEqualTo(8 * 128 * TOKEN_BYTES * LAYERS);
        assertThat(exchanges(deployment(LATENT, 4), prompts)).isZero();
        assertThat(price(4, prompts).estimate().latencyMillis())
                .isEqualTo(price(1, prompts).estimate().latencyMillis());
    }

    @ParameterizedTest
    @CsvSource({"1, 4001, true", "5, 4001, true", "6, 4001, false", "1, 2, true", "4, 4, false"})
    void ranksShareSequencesWhereFewTokensGoOn(long query, long sequence, boolean shared) {
        ForwardShape step = new ForwardShape.Uniform(16, Request.decode(query, sequence));

        assertThat(exchanges(deployment(LATENT, 4), step)).isEqualTo(shared ? LAYERS : 0);
    }

    @Test
    void onePromptInThePassKeepsAllFromSharing() {
        var steps = new ForwardShape.Group(16, Request.decode(1, 4001));
        var prompt = new ForwardShape.Group(1, Request.prefill(500, 500));
        var rest = new ForwardShape.Group(1, Request.prefill(3, 500));

        assertThat(exchanges(deployment(LATENT, 4), new ForwardShape.RequestList(List.of(steps, rest))))
                .isEqualTo(LAYERS);
        assertThat(exchanges(deployment(LATENT, 4), new ForwardShape.RequestList(List.of(steps, prompt))))
                .isZero();
    }

    /// A sequence shorter than the ranks that share it has one token on each.
    @Test
    void eachRankAttendsToATokenAtLeast() {
        ForwardShape step = new ForwardShape.Uniform(16, Request.decode(1, 2));

        assertThat(price(8, step).estimate().latencyMillis()).isFinite();
        assertThat(seconds(price(8, step), "multihead_latent_attention"))
                .isGreaterThan(seconds(price(1, step), "multihead_latent_attention"));
    }

    /// Grouped-query attention attends as before, to save memory alone; where no heads are replicated not even that.
    @Test
    void groupedQueryAttentionOnlyPays() {
        ForwardShape step = new ForwardShape.Uniform(16, Request.decode(1, 4001));
        PricedPass whole = estimator.price(deployment("Qwen/Qwen3-32B", 1), step);
        PricedPass shared = estimator.price(deployment("Qwen/Qwen3-32B", 4), step);

        assertThat(seconds(shared, "tensor_cast.attention")).isEqualTo(seconds(whole, "tensor_cast.attention"));
        assertThat(shared.estimate().latencyMillis())
                .isGreaterThan(whole.estimate().latencyMillis());
        assertThat(shared.estimate().memory().kvCacheBytes())
                .isEqualTo(whole.estimate().memory().kvCacheBytes());
    }

    /// Of sparse attention the cache of the indexer, and so all of it, is whole on every rank.
    @Test
    void sparseAttentionSavesNothing() {
        ForwardShape step = new ForwardShape.Uniform(16, Request.decode(1, 4001));
        PricedPass whole = estimator.price(deployment("deepseek-ai/DeepSeek-V3.2", 1), step);
        PricedPass shared = estimator.price(deployment("deepseek-ai/DeepSeek-V3.2", 4), step);

        assertThat(shared.estimate().memory().kvCacheBytes())
                .isEqualTo(whole.estimate().memory().kvCacheBytes());
        assertThat(seconds(shared, "indexer")).isEqualTo(seconds(whole, "indexer"));
        assertThat(shared.estimate().memory().exact()).isFalse();
    }

    /// Draft layers exchange too.
    @Test
    void windowsOfDraftsAreShared() {
        Deployment one = deployment(LATENT, 4);
        Deployment drafting = new Deployment(
                one.model(),
                one.device(),
                one.layout(),
                one.quantization(),
                one.execution().withDrafts(2));

        assertThat(exchanges(drafting, new ForwardShape.Uniform(16, Request.decode(3, 4003))))
                .isEqualTo(LAYERS + 2);
    }

    private double cacheBytes(int dcp, ForwardShape shape) {
        return memory(dcp, shape).kvCacheBytes();
    }

    private MemoryFootprint memory(int dcp, ForwardShape shape) {
        return price(dcp, shape).estimate().memory();
    }

    private PricedPass price(int dcp, ForwardShape shape) {
        return estimator.price(deployment(LATENT, dcp), shape);
    }

    private long exchanges(Deployment deployment, ForwardShape shape) {
        return estimator.price(deployment, shape).operators().stream()
                .filter(operator -> operator.name().equals(EXCHANGE))
                .mapToLong(PricedPass.PricedOperator::calls)
                .sum();
    }

    private static double seconds(PricedPass pass, String operator) {
        return pass.operators().stream()
                .filter(priced -> priced.name().contains(operator))
                .mapToDouble(priced -> priced.calls() * priced.cost().seconds())
                .sum();
    }

    private static Deployment deployment(String model, int dcp) {
        ParallelLayout layout = new ParallelLayout(8, 1, 1, dcp, new ExpertLayout(8, 1, 1));
        return new Deployment(
                TestDeployments.model(model),
                TestDeployments.device("ATLAS_800_A3_752T_128G_DIE"),
                layout,
                GoldenDeployments.quantization("W8A8_DYNAMIC", "DISABLED"),
                new Execution(true, 0, 0, PassAccounting.DOCUMENTED, false, false));
    }
}
