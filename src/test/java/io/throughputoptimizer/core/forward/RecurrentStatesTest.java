package io.throughputoptimizer.core.forward;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.deployment.PassAccounting;
import org.junit.jupiter.api.Test;

/// Layers with the gated delta rule where each request has a state of its own, by hand. Qwen3.5-27B has 48 of them,
/// each with 48 value heads of 128 elements and 16 key heads, behind a convolution 4 wide; on 4 ranks, 12 and 4 heads.
class RecurrentStatesTest {
    private static final int LAYERS = 48;
    /// In float32.
    private static final double STATE_BYTES = 4.0 * 12 * 128 * 128;
    /// Columns of queries, keys and values in float16.
    private static final double CONVOLUTION_BYTES = 2.0 * (2 * 4 + 12) * 128 * 4;

    private static final String RULE = "tensor_cast.linear_attn_%s_gated_delta_rule.default";
    /// Bytes in a second, 1.6 TiB at 0.6, and the static costs of an operator that multiplies matrices.
    private static final double BANDWIDTH = 1.6 * 1024 * 1024 * 1024 * 1024 * 0.6;

    private static final double STATIC_SECONDS = 5e-6;

    private final AnalyticForwardEstimator estimator = new AnalyticForwardEstimator();

    @Test
    void statesTakeMemoryBesideTheCache() {
        ForwardShape step = decode(64);

        MemoryFootprint counted = price(PassAccounting.STEADY, step).estimate().memory();
        MemoryFootprint overlooked =
                price(PassAccounting.DOCUMENTED, step).estimate().memory();

        assertThat(overlooked.stateBytes()).isZero();
        assertThat(counted.stateBytes()).isEqualTo(64 * LAYERS * (STATE_BYTES + CONVOLUTION_BYTES));
        assertThat(counted.kvCacheBytes()).isEqualTo(overlooked.kvCacheBytes());
        assertThat(counted.peakBytes())
                .isEqualTo(counted.weightBytes()
                        + counted.kvCacheBytes()
                        + counted.stateBytes()
                        + counted.activationBytes());
    }

    /// 64 tokens read and write a state each, besides queries and keys of 12 heads, values, step sizes and decays, and
    /// the result.
    @Test
    void aDecodeStepGoesOnFromEachState() {
        PricedPass step = price(PassAccounting.STEADY, decode(64));

        double operands = 64 * (2 * 12 * 128 * 2 + 12 * 128 * 2 + 12 * 2 + 12 * 4 + 12 * 128 * 2.0);
        double seconds = (operands + 2 * 64 * STATE_BYTES) / BANDWIDTH + STATIC_SECONDS;
        assertThat(step.recurrent()).isTrue();
        assertThat(seconds(step, RULE.formatted("recurrent"))).isCloseTo(LAYERS * seconds, within(1e-12));
    }

    /// The reference takes the same step for the prompt of one request, in one chunk for 64 tokens.
    @Test
    void theReferenceOverlooksWhatCameBefore() {
        PricedPass step = price(PassAccounting.DOCUMENTED, decode(64));

        assertThat(step.recurrent()).isFalse();
        assertThat(seconds(step, RULE.formatted("chunk")))
                .isEqualTo(seconds(
                        price(PassAccounting.DOCUMENTED, new ForwardShape.Uniform(1, Request.prefill(64, 64))),
                        RULE.formatted("chunk")));
    }

    @Test
    void theReferenceGoesOnFromStatesItIsToldOf() {
        ForwardShape told = new ForwardShape.Uniform(64, Request.decode(1, 2001), null, true);

        assertThat(price(PassAccounting.DOCUMENTED, told).estimate().latencyMillis())
                .isEqualTo(price(PassAccounting.STEADY, decode(64)).estimate().latencyMillis());
    }

    /// Two prompts of 100 tokens are four chunks with a state each, not the four chunks of 200 tokens with one.
    @Test
    void promptsAreChunkedOneByOne() {
        ForwardShape two = new ForwardShape.Uniform(2, Request.prefill(100, 100));

        double apart = seconds(price(PassAccounting.STEADY, two), RULE.formatted("chunk"));
        double asOne = seconds(price(PassAccounting.DOCUMENTED, two), RULE.formatted("chunk"));

        assertThat(apart - asOne).isCloseTo(LAYERS * STATE_BYTES / BANDWIDTH, within(1e-12));
    }

    /// A second chunk of a prompt reads the state that the first left.
    @Test
    void laterChunksOfAPromptReadItsState() {
        double first = seconds(
                price(PassAccounting.STEADY, new ForwardShape.Uniform(1, Request.prefill(128, 128))),
                RULE.formatted("chunk"));
        double second = seconds(
                price(PassAccounting.STEADY, new ForwardShape.Uniform(1, Request.prefill(128, 256))),
                RULE.formatted("chunk"));

        assertThat(second - first).isCloseTo(LAYERS * STATE_BYTES / BANDWIDTH, within(1e-12));
    }

    /// The reference prices linear attention of Qwen3-Next as one operator without weights, and caches it.
    @Test
    void linearAttentionOfQwen3NextIsReadAndSplit() {
        ForwardShape step = decode(16);
        Deployment overlooked = GoldenDeployments.of("Qwen/Qwen3-Next-80B-A3B-Instruct", PassAccounting.DOCUMENTED);
        Deployment counted = GoldenDeployments.of("Qwen/Qwen3-Next-80B-A3B-Instruct", PassAccounting.STEADY);

        PricedPass documented = estimator.price(overlooked, step);
        PricedPass steady = estimator.price(counted, step);

        assertThat(documented.operators())
                .anyMatch(operator -> operator.name().startsWith("tensor_cast.linear_attention"));
        assertThat(seconds(steady, RULE.formatted("recurrent"))).isPositive();
        // 12 of 48 layers keep a cache
        assertThat(steady.estimate().memory().kvCacheBytes() * 4)
                .isEqualTo(documented.estimate().memory().kvCacheBytes());
        assertThat(steady.estimate().memory().weightBytes())
                .isLessThan(documented.estimate().memory().weightBytes());
    }

    private static ForwardShape decode(long concurrency) {
        return new ForwardShape.Uniform(concurrency, Request.decode(1, 2001));
    }

    private PricedPass price(PassAccounting accounting, ForwardShape shape) {
        return estimator.price(GoldenDeployments.of("Qwen/Qwen3.5-27B", accounting), shape);
    }

    private static double seconds(PricedPass pass, String operator) {
        return pass.operators().stream()
                .filter(priced -> priced.name().equals(operator))
                .mapToDouble(priced -> priced.calls() * priced.cost().seconds())
                .sum();
    }
}
