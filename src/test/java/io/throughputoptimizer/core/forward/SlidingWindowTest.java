package io.throughputoptimizer.core.forward;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.throughputoptimizer.core.deployment.AttentionQuantization;
import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.deployment.Execution;
import io.throughputoptimizer.core.deployment.LinearQuantization;
import io.throughputoptimizer.core.deployment.ParallelLayout;
import io.throughputoptimizer.core.deployment.ParallelLayout.ExpertLayout;
import io.throughputoptimizer.core.deployment.PassAccounting;
import io.throughputoptimizer.core.deployment.QuantizationScheme;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.model.config.HuggingFaceConfig;
import io.throughputoptimizer.core.model.family.ModelFamily;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What layers that see a window cost, by hand, and that a window which holds all is none. gpt-oss-120b has 36 layers,
/// of which every other one sees 128 tokens; 64 heads of 64 elements over 8 of keys and values. Measured on a device
/// that moves 1.6 TiB a second at 0.6 and multiplies 353.9 TFLOPS in float16 at 0.7.
class SlidingWindowTest {
    private static final double BANDWIDTH = 1.6 * 1024 * 1024 * 1024 * 1024 * 0.6;
    private static final double MATRIX_RATE = 353.9e12 * 0.7;
    private static final double GENERAL_RATE = 11e12 * 0.7;
    private static final double MATRIX_STATIC = 5e-6;
    private static final String ATTENTION = "tensor_cast.attention.default";
    private static final int SLIDING = 18;
    private static final int FULL = 18;
    /// Bytes of a token in a layer: keys and values of 8 heads in float16.
    private static final double TOKEN = 2 * 8 * 64 * 2;

    private final AnalyticForwardEstimator estimator = new AnalyticForwardEstimator();

    /// 16 requests with a token each on 4,000: 128 of them in every other layer.
    @Test
    void aStepReadsAndMultipliesWhatTheWindowHolds() {
        double expected = SLIDING * attention(16, 16, 32, 16 * 128.0, 16 * 128.0)
                + FULL * attention(16, 16, 32, 16 * 4_000.0, 16 * 4_000.0);

        assertThat(seconds(gptOss(), decode(16, 4_000))).isCloseTo(expected, within(1e-15));
    }

    /// Two prompts of 3,000 tokens, the first of 1,000 known: each of the 2,000 new tokens sees 128, all together
    /// 2,127.
    @Test
    void aPromptReadsTheWindowsOfAllItsTokens() {
        ForwardShape shape = new ForwardShape.Uniform(2, Request.prefill(2_000, 3_000));
        double expected = SLIDING * attention(4_000, 2, 24, 4_000 * 128.0, 2 * 2_127.0)
                + FULL * attention(4_000, 2, 24, 4_000 * 3_000.0, 2 * 3_000.0);

        assertThat(seconds(gptOss(), shape)).isCloseTo(expected, within(1e-12));
    }

    /// 16 requests of 4,000 tokens and one to come: 64,016 tokens are 501 blocks of 128. Of the window 16 times 128
    /// and one to come: 2,064 tokens are 17 blocks.
    @Test
    void theCacheOfAWindowHoldsNoMore() {
        MemoryFootprint memory = memory(gptOss(), decode(16, 4_000));

        assertThat(memory.kvCacheBytes()).isEqualTo((FULL * 501.0 + SLIDING * 17.0) * 128 * TOKEN);
        assertThat(memory.exact()).isFalse();
    }

    /// A prompt of 2,000 tokens behind 1,000 needs 2,127 in the window's layers, and one to come: 17 blocks.
    @Test
    void aPassKeepsTheWindowsOfItsTokens() {
        MemoryFootprint memory = memory(gptOss(), new ForwardShape.Uniform(1, Request.prefill(2_000, 3_000)));

        assertThat(memory.kvCacheBytes()).isEqualTo((FULL * 24.0 + SLIDING * 17.0) * 128 * TOKEN);
    }

    @Test
    void longerContextsCostLayersWithAWindowNothing() {
        Deployment all = small(layers("sliding_attention", 4), 128, true);

        assertThat(estimator.estimate(all, decode(8, 100_000)).memory().kvCacheBytes())
                .isEqualTo(estimator.estimate(all, decode(8, 1_000)).memory().kvCacheBytes());
        assertThat(seconds(all, decode(8, 128 * 80))).isCloseTo(seconds(all, decode(8, 128 * 79)), within(1e-8));
    }

    /// Of layers that all have one, figures are those of full attention to the bit.
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aWindowAsLongAsTheContextIsNone(boolean compiled) {
        Deployment full = small(layers("full_attention", 4), 4_000, compiled);
        Deployment sliding = small(layers("sliding_attention", 4), 4_000, compiled);

        for (ForwardShape shape : within4000()) {
            assertThat(marked(estimator.estimate(sliding, shape))).isEqualTo(marked(estimator.estimate(full, shape)));
        }
    }

    /// Where only some have one, so are the operators and the cache. What is added up in another order differs by
    /// rounding, and kinds of layers share the scales of their first.
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aWindowAsLongAsTheContextIsNoneInSomeLayers(boolean compiled) {
        Deployment full = small(layers("full_attention", 4), 4_000, compiled);
        List<String> types = List.of("sliding_attention", "full_attention", "full_attention", "sliding_attention");
        Deployment mixed = small(types, 4_000, compiled);
        Deployment longer = small(types, 8_000, compiled);

        for (ForwardShape shape : within4000()) {
            ForwardEstimate estimate = estimator.estimate(mixed, shape);
            ForwardEstimate expected = estimator.estimate(full, shape);
            assertThat(operators(mixed, shape)).isEqualTo(operators(full, shape));
            assertThat(estimate.latencyMillis()).isCloseTo(expected.latencyMillis(), withinPercentage(1e-10));
            assertThat(estimate.memory().kvCacheBytes())
                    .isEqualTo(expected.memory().kvCacheBytes());
            assertThat(estimate).isEqualTo(estimator.estimate(longer, shape));
        }
    }

    /// A token more, and the window shows.
    @Test
    void aWindowShorterThanTheContextShows() {
        Deployment full = small(layers("full_attention", 4), 4_000, true);
        Deployment sliding = small(layers("sliding_attention", 4), 3_999, true);

        assertThat(seconds(sliding, decode(64, 4_000))).isLessThan(seconds(full, decode(64, 4_000)));
    }

    private static List<ForwardShape> within4000() {
        return List.of(
                decode(1, 4_000),
                decode(37, 4_000),
                decode(8, 17),
                new ForwardShape.Uniform(3, Request.prefill(4_000, 4_000)),
                new ForwardShape.Uniform(3, Request.prefill(700, 3_300)),
                new ForwardShape.RequestList(List.of(
                        new ForwardShape.Group(9, Request.decode(1, 3_000)),
                        new ForwardShape.Group(2, Request.prefill(500, 500)))));
    }

    /// Queries in float16, tables in int64 (`blocks` for each request, starts and two lengths), the cache and the
    /// result.
    private static double attention(double tokens, double requests, double blocks, double pairs, double read) {
        double tables = 8 * (requests * blocks + (requests + 1) + 2 * requests);
        double bytes = 2 * (2 * tokens * 64 * 64) + tables + read * TOKEN;
        double seconds = 4 * pairs * 64 * 64 / MATRIX_RATE + 4 * pairs * 64 / GENERAL_RATE;
        return Math.max(bytes / BANDWIDTH, seconds) + MATRIX_STATIC;
    }

    private double seconds(Deployment deployment, ForwardShape shape) {
        return estimator.price(deployment, shape).operators().stream()
                .filter(priced -> priced.name().equals(ATTENTION))
                .mapToDouble(priced -> priced.calls() * priced.cost().seconds())
                .sum();
    }

    /// Calls of each operator by what it is and costs.
    private Map<String, Long> operators(Deployment deployment, ForwardShape shape) {
        return estimator.price(deployment, shape).operators().stream()
                .collect(Collectors.groupingBy(
                        priced ->
                                priced.name() + priced.inputs() + priced.cost().seconds(),
                        Collectors.summingLong(PricedPass.PricedOperator::calls)));
    }

    /// Marked as windows are, whose memory was never measured.
    private static ForwardEstimate marked(ForwardEstimate estimate) {
        MemoryFootprint memory = estimate.memory();
        return new ForwardEstimate(
                estimate.latencyMillis(),
                estimate.breakdown(),
                new MemoryFootprint(
                        memory.capacityBytes(),
                        memory.reservedBytes(),
                        memory.weightBytes(),
                        memory.kvCacheBytes(),
                        memory.kvCacheBytesPerToken(),
                        memory.stateBytes(),
                        memory.activationBytes(),
                        memory.adjusted(),
                        false));
    }

    private MemoryFootprint memory(Deployment deployment, ForwardShape shape) {
        return estimator.estimate(deployment, shape).memory();
    }

    private static ForwardShape decode(long concurrency, long sequence) {
        return new ForwardShape.Uniform(concurrency, Request.decode(1, sequence));
    }

    private static Deployment gptOss() {
        return deployment(TestDeployments.model("openai/gpt-oss-120b"), true);
    }

    private static List<String> layers(String type, int count) {
        return Collections.nCopies(count, type);
    }

    private static Deployment small(List<String> layers, int window, boolean compiled) {
        HuggingFaceConfig config = new HuggingFaceConfig(Map.ofEntries(
                Map.entry("model_type", "gpt_oss"),
                Map.entry("hidden_size", 256),
                Map.entry("intermediate_size", 96),
                Map.entry("num_hidden_layers", layers.size()),
                Map.entry("num_attention_heads", 8),
                Map.entry("num_key_value_heads", 2),
                Map.entry("head_dim", 32),
                Map.entry("vocab_size", 1000),
                Map.entry("max_position_embeddings", 131_072),
                Map.entry("rms_norm_eps", 1e-5),
                Map.entry("attention_bias", true),
                Map.entry("num_local_experts", 16),
                Map.entry("num_experts_per_tok", 4),
                Map.entry("sliding_window", window),
                Map.entry("layer_types", layers)));
        return deployment(ModelFamily.of(config).architecture("us/oss", config), compiled);
    }

    private static Deployment deployment(ModelArchitecture model, boolean compiled) {
        return new Deployment(
                model,
                TestDeployments.device("TEST_DEVICE"),
                new ParallelLayout(1, 1, 1, new ExpertLayout(1, 1, 1)),
                new QuantizationScheme(LinearQuantization.W8A8_DYNAMIC, AttentionQuantization.DISABLED, 32),
                new Execution(compiled, 0, 0, PassAccounting.STEADY, false, false));
    }
}
