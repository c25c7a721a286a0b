package io.throughputoptimizer.core.forward;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;
import static org.assertj.core.data.Offset.offset;

import io.throughputoptimizer.core.deployment.AttentionQuantization;
import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.deployment.Execution;
import io.throughputoptimizer.core.deployment.LinearQuantization;
import io.throughputoptimizer.core.deployment.ParallelLayout;
import io.throughputoptimizer.core.deployment.ParallelLayout.ExpertLayout;
import io.throughputoptimizer.core.deployment.PassAccounting;
import io.throughputoptimizer.core.deployment.QuantizationScheme;
import io.throughputoptimizer.core.deployment.RooflineCoverage;
import io.throughputoptimizer.core.model.AttentionSpec.GroupedQuery;
import io.throughputoptimizer.core.model.LayerGroup;
import io.throughputoptimizer.core.model.ModelArchitecture;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/// Passes of every family with layers that see a window, worked out by hand, and laws that hold for all of them. On a
/// device that moves 1.6 TiB a second at 0.6, multiplies 353.9 TFLOPS in float16 at 0.7 and does 11 TFLOPS of the
/// rest at 0.7.
class WindowedFamiliesTest {
    private static final double BANDWIDTH = 1.6 * 1024 * 1024 * 1024 * 1024 * 0.6;
    private static final double MATRIX_RATE = 353.9e12 * 0.7;
    private static final double GENERAL_RATE = 11e12 * 0.7;
    private static final double MATRIX_STATIC = 5e-6;
    private static final String ATTENTION = "tensor_cast.attention.default";
    private static final long SEED = 11_232_026;
    private static final int TRIALS = 12;
    private static final int HOLDS_ALL = 10_000_000;
    private static final QuantizationScheme PLAIN =
            new QuantizationScheme(LinearQuantization.DISABLED, AttentionQuantization.DISABLED, 32);

    private final AnalyticForwardEstimator estimator = new AnalyticForwardEstimator();

    /// Layers of one kind: how many, the window (0 for none), heads of queries, of keys and values, and elements of a
    /// key and of a value.
    record Kind(int layers, int window, int queryHeads, int keyValueHeads, int size, int valueSize) {
        Kind(int layers, int window, int queryHeads, int keyValueHeads, int size) {
            this(layers, window, queryHeads, keyValueHeads, size, size);
        }

        /// Bytes of a token: keys and values in float16.
        double token() {
            return 2.0 * keyValueHeads * (size + valueSize);
        }

        long seen(long query, long sequence) {
            return window == 0 ? sequence : Math.min(sequence, query + window - 1);
        }

        /// `2 q min(s, W)` for each query head and element of key and value on matrix units, 4 for each head besides;
        /// queries, results,
        /// tables in int64 (blocks of the longest request for each, starts, two lengths) and the cache.
        double seconds(long requests, long query, long sequence) {
            double tokens = requests * query;
            double pairs = tokens * (window == 0 ? sequence : Math.min(sequence, window));
            double tables = 8 * (requests * Math.ceil(sequence / 128.0) + (requests + 1) + 2 * requests);
            double bytes = 2 * (tokens * queryHeads * (size + valueSize))
                    + tables
                    + requests * seen(query, sequence) * token();
            double work =
                    2 * pairs * queryHeads * (size + valueSize) / MATRIX_RATE + 4 * pairs * queryHeads / GENERAL_RATE;
            return layers * (Math.max(bytes / BANDWIDTH, work) + MATRIX_STATIC);
        }

        /// Tokens kept and one to come of each request, in blocks of 128 of all together.
        double kept(long requests, long query, long sequence) {
            return layers * Math.ceil(requests * (seen(query, sequence) + 1) / 128.0) * 128 * token();
        }
    }

    static Stream<Map.Entry<String, List<Kind>>> families() {
        return Stream.of(
                Map.entry("openai/gpt-oss-20b", List.of(new Kind(12, 128, 64, 8, 64), new Kind(12, 0, 64, 8, 64))),
                Map.entry(
                        "google/gemma-3-27b-it",
                        List.of(new Kind(52, 1024, 32, 16, 128), new Kind(10, 0, 32, 16, 128))),
                Map.entry("google/gemma-2-9b-it", List.of(new Kind(21, 4096, 16, 8, 256), new Kind(21, 0, 16, 8, 256))),
                Map.entry("mistralai/Ministral-8B-Instruct-2410", List.of(new Kind(36, 32_768, 32, 8, 128))),
                Map.entry(
                        "LGAI-EXAONE/EXAONE-4.0-32B",
                        List.of(new Kind(48, 4096, 40, 8, 128), new Kind(16, 0, 40, 8, 128))),
                Map.entry(
                        "allenai/Olmo-3-7B-Instruct",
                        List.of(new Kind(24, 4096, 32, 32, 128), new Kind(8, 0, 32, 32, 128))),
                Map.entry("microsoft/Phi-3-mini-4k-instruct", List.of(new Kind(32, 2047, 32, 32, 96))),
                Map.entry(
                        "XiaomiMiMo/MiMo-V2-Flash",
                        List.of(new Kind(39, 128, 64, 8, 192, 128), new Kind(9, 0, 64, 4, 192, 128))),
                Map.entry(
                        "google/gemma-4-26B-A4B-it",
                        List.of(new Kind(25, 1024, 16, 8, 256), new Kind(5, 0, 16, 2, 512))),
                Map.entry(
                        "google/gemma-4-31B-it",
                        List.of(new Kind(50, 1024, 32, 16, 256), new Kind(10, 0, 32, 4, 512))));
    }

    static Stream<String> models() {
        return families().map(Map.Entry::getKey);
    }

    @ParameterizedTest
    @MethodSource("families")
    void attentionReadsAndMultipliesWhatWindowsHold(Map.Entry<String, List<Kind>> family) {
        for (Shape shape : Shape.values()) {
            double expected = family.getValue().stream()
                    .mapToDouble(kind -> kind.seconds(shape.requests, shape.query, shape.sequence))
                    .sum();

            assertThat(attentionSeconds(deployment(model(family.getKey()), true), shape.pass()))
                    .isCloseTo(expected, offset(1e-12));
        }
    }

    @ParameterizedTest
    @MethodSource("families")
    void theCacheKeepsWhatWindowsHold(Map.Entry<String, List<Kind>> family) {
        for (Shape shape : Shape.values()) {
            double expected = family.getValue().stream()
                    .mapToDouble(kind -> kind.kept(shape.requests, shape.query, shape.sequence))
                    .sum();
            MemoryFootprint memory = estimator
                    .estimate(deployment(model(family.getKey()), true), shape.pass())
                    .memory();

            assertThat(memory.kvCacheBytes()).isEqualTo(expected);
            assertThat(memory.exact()).isFalse();
        }
    }

    /// By hand: 16 requests with a token each on 4,000 keep 4,001 in 10 layers, 64,016 in 501 blocks, and 1,025 in 52,
    /// 16,400 in 129 blocks, of 8,192 bytes a token. 18 layers see 4,000 as 10 (Gemma 3), 128 (gpt-oss-20b) as 12.
    @ParameterizedTest
    @CsvSource({
        "google/gemma-3-27b-it, " + (10 * 501 + 52 * 129) + ", 8192",
        "openai/gpt-oss-20b, " + (12 * 501 + 12 * 17) + ", 2048"
    })
    void cachesInBlocks(String id, long blocks, long tokenBytes) {
        assertThat(estimator
                        .estimate(deployment(model(id), true), Shape.STEP.pass())
                        .memory()
                        .kvCacheBytes())
                .isEqualTo(128.0 * blocks * tokenBytes);
    }

    /// Weights of MiMo-V2 in float16, by hand: embedding and head, the final norm and rotary tables of 64 elements a
    /// position; of each layer two norms, the projections, a dense part in the first, and in the others 256 experts
    /// with a gate and its bias.
    @Test
    void narrowValuesMakeNarrowProjections() {
        double hidden = 4096;
        double frame = 2 * 152_576 * hidden + hidden + 2 * 262_144.0 * 64;
        double layers = 48 * 2 * hidden;
        double attention = 48 * (hidden * 64 * 192 + 64 * 128 * hidden) + hidden * (192 + 128) * (9 * 4 + 39 * 8);
        double dense = 3 * hidden * 16_384;
        double experts = 47 * (256 * 3 * hidden * 2048 + 256 * hidden + 256);

        assertThat(plainWeights("XiaomiMiMo/MiMo-V2-Flash"))
                .isEqualTo(2 * (frame + layers + attention + dense + experts));
    }

    /// Weights of Gemma 4 in float16, by hand: embedding and head, the final norm and the embedding's
    /// number, and the frequencies of both kinds of rotary factors in float32, twice; of each layer four norms
    /// and a number, the projections with two norms of heads, none for values that are keys; the dense part,
    /// and beside it experts, a gate with a vector and a number for each of them, and three norms.
    @Test
    void wideHeadsWithoutValuesAndExpertsBesideADensePart() {
        double hidden = 2816;
        double layers = 30 * (4 * hidden + 1);
        double sliding = 25 * (hidden * (16 + 8 + 8) * 256 + 16 * 256 * hidden + 2 * 256);
        double full = 5 * (hidden * (16 + 2) * 512 + 16 * 512 * hidden + 2 * 512);
        double networks = 30 * (3 * hidden * (2112 + 128 * 704) + 128 * hidden + hidden + 128 + 3 * hidden);
        double frame = 2 * 262_144 * hidden + hidden + 1;

        assertThat(plainWeights("google/gemma-4-26B-A4B-it"))
                .isEqualTo(2 * (frame + layers + sliding + full + networks) + 4 * (256 + 512));
    }

    @Test
    void wideHeadsWithoutValues() {
        double hidden = 5376;
        double layers = 60 * (4 * hidden + 1 + 3 * hidden * 21_504);
        double sliding = 50 * (hidden * (32 + 16 + 16) * 256 + 32 * 256 * hidden + 2 * 256);
        double full = 10 * (hidden * (32 + 4) * 512 + 32 * 512 * hidden + 2 * 512);
        double frame = 2 * 262_144 * hidden + hidden + 1;

        assertThat(plainWeights("google/gemma-4-31B-it"))
                .isEqualTo(2 * (frame + layers + sliding + full) + 4 * (256 + 512));
    }

    /// Norms of a layer: four, those of queries, keys and values, and beside experts three and the gate's.
    /// Products: that of the projections, the output's, two of the dense part, the gate's, and the head's.
    @ParameterizedTest
    @CsvSource({"google/gemma-4-26B-A4B-it, 11, 5", "google/gemma-4-31B-it, 7, 4"})
    void eachLayerHasItsNormsAndProducts(String id, long norms, long products) {
        int layers = model(id).layers();
        Map<String, Long> calls =
                estimator.price(deployment(model(id), PLAIN, true), Shape.STEP.pass()).operators().stream()
                        .collect(Collectors.groupingBy(
                                PricedPass.PricedOperator::name,
                                Collectors.summingLong(PricedPass.PricedOperator::calls)));
        assertThat(calls.get("aten.pow.Tensor_Scalar")).isEqualTo(layers * norms + 1);
        assertThat(calls.get("aten.mm.default")).isEqualTo(layers * products + 1);
    }

    private double plainWeights(String id) {
        return estimator
                .estimate(deployment(model(id), PLAIN, true), Shape.STEP.pass())
                .memory()
                .weightBytes();
    }

    /// Of all layers with a window that holds all tokens, figures are those of full attention to the bit.
    @ParameterizedTest
    @MethodSource("models")
    void aWindowThatHoldsAllIsNone(String id) {
        for (boolean compiled : runs(id)) {
            Deployment full = deployment(within(model(id), 0, true), compiled);
            Deployment sliding = deployment(within(model(id), HOLDS_ALL, true), compiled);

            for (ForwardShape shape : shapes(full)) {
                ForwardEstimate expected = estimator.estimate(full, shape);
                ForwardEstimate estimate = estimator.estimate(sliding, shape);
                assertThat(estimate.latencyMillis()).isEqualTo(expected.latencyMillis());
                assertThat(estimate.breakdown()).isEqualTo(expected.breakdown());
                assertThat(figures(estimate.memory())).isEqualTo(figures(expected.memory()));
            }
        }
    }

    /// Where some layers have one that holds all, operators and cache are those of full attention; what is added up in
    /// another order differs by rounding.
    @ParameterizedTest
    @MethodSource("models")
    void aWindowThatHoldsAllIsNoneInSomeLayers(String id) {
        for (boolean compiled : runs(id)) {
            Deployment full = deployment(within(model(id), 0, true), compiled);
            Deployment mixed = deployment(within(model(id), HOLDS_ALL, false), compiled);

            for (ForwardShape shape : shapes(full)) {
                ForwardEstimate expected = estimator.estimate(full, shape);
                ForwardEstimate estimate = estimator.estimate(mixed, shape);
                assertThat(operators(mixed, shape)).isEqualTo(operators(full, shape));
                assertThat(estimate.latencyMillis()).isCloseTo(expected.latencyMillis(), withinPercentage(1e-10));
                assertThat(estimate.memory().kvCacheBytes())
                        .isEqualTo(expected.memory().kvCacheBytes());
            }
        }
    }

    /// A wider window, and none at all, cost no less and keep no less.
    @ParameterizedTest
    @MethodSource("models")
    void widerWindowsCostNoLess(String id) {
        for (boolean compiled : runs(id)) {
            List<Deployment> wider = Stream.of(64, 1_000, 30_000, 0)
                    .map(window -> deployment(within(model(id), window, false), compiled))
                    .toList();

            for (ForwardShape shape : shapes(wider.getFirst())) {
                List<ForwardEstimate> estimates = wider.stream()
                        .map(deployment -> estimator.estimate(deployment, shape))
                        .toList();
                assertThat(estimates)
                        .isSortedAccordingTo(Comparator.comparingDouble(
                                estimate -> estimate.memory().kvCacheBytes()));
                for (int step = 1; step < estimates.size(); step++) {
                    assertThat(estimates.get(step).latencyMillis())
                            .isGreaterThanOrEqualTo(estimates.get(step - 1).latencyMillis() * (1 - 1e-12));
                }
            }
        }
    }

    /// Decode steps on longer contexts.
    @ParameterizedTest
    @MethodSource("models")
    void longerContextsCostNoLess(String id) {
        Deployment deployment = deployment(model(id), true);
        double latency = 0;
        double kept = 0;
        for (long sequence : List.of(2L, 60L, 127L, 128L, 1_000L, 1_025L, 8_192L, 8_193L, 30_000L, 120_000L)) {
            ForwardEstimate estimate =
                    estimator.estimate(deployment, new ForwardShape.Uniform(24, Request.decode(1, sequence)));
            assertThat(estimate.latencyMillis()).isGreaterThanOrEqualTo(latency * (1 - 1e-12));
            assertThat(estimate.memory().kvCacheBytes()).isGreaterThanOrEqualTo(kept);
            latency = estimate.latencyMillis();
            kept = estimate.memory().kvCacheBytes();
        }
    }

    private enum Shape {
        STEP(16, 1, 4_000),
        LONG_STEP(3, 1, 100_000),
        PROMPT(1, 6_000, 6_000),
        LATER_PART(2, 2_000, 3_000);

        private final long requests;
        private final long query;
        private final long sequence;

        Shape(long requests, long query, long sequence) {
            this.requests = requests;
            this.query = query;
            this.sequence = sequence;
        }

        ForwardShape pass() {
            return new ForwardShape.Uniform(requests, new Request(query, sequence, query == 1));
        }
    }

    private static List<ForwardShape> shapes(Deployment deployment) {
        RandomPasses passes = RandomPasses.ofLaterModels(SEED);
        return Stream.generate(() -> passes.shape(deployment)).limit(TRIALS).toList();
    }

    private static List<Boolean> runs(String id) {
        return new RooflineCoverage(model(id)).runsEager() ? List.of(true, false) : List.of(true);
    }

    /// @param everywhere whether layers that see all tokens get the window too
    private static ModelArchitecture within(ModelArchitecture model, int window, boolean everywhere) {
        return model.withLayers(model.groups().stream()
                .map(group -> group.attention() instanceof GroupedQuery grouped && (everywhere || grouped.slides())
                        ? new LayerGroup(group.count(), grouped.within(window), group.feedForward())
                        : group)
                .toList());
    }

    private double attentionSeconds(Deployment deployment, ForwardShape shape) {
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

    private static List<Double> figures(MemoryFootprint memory) {
        return List.of(
                memory.weightBytes(),
                memory.kvCacheBytes(),
                memory.kvCacheBytesPerToken(),
                memory.stateBytes(),
                memory.activationBytes());
    }

    private static ModelArchitecture model(String id) {
        return TestDeployments.model(id);
    }

    private static Deployment deployment(ModelArchitecture model, boolean compiled) {
        return deployment(
                model,
                new QuantizationScheme(LinearQuantization.W8A8_DYNAMIC, AttentionQuantization.DISABLED, 32),
                compiled);
    }

    private static Deployment deployment(ModelArchitecture model, QuantizationScheme quantization, boolean compiled) {
        return new Deployment(
                model,
                TestDeployments.device("TEST_DEVICE"),
                new ParallelLayout(1, 1, 1, model.experts().isPresent() ? new ExpertLayout(1, 1, 1) : null),
                quantization,
                new Execution(compiled, 0, 0, PassAccounting.STEADY, false, false));
    }
}
