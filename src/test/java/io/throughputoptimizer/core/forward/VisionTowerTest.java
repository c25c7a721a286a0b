package io.throughputoptimizer.core.forward;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;
import static org.assertj.core.api.Assertions.within;

import io.throughputoptimizer.core.cost.OperatorCost;
import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.deployment.Execution;
import io.throughputoptimizer.core.deployment.ParallelLayout;
import io.throughputoptimizer.core.deployment.PassAccounting;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.fixture.Architectures;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The vision tower as a part of passes. A tower of 27 blocks has deepstack mergers after three of them.
class VisionTowerTest {
    private static final String DENSE = "Qwen/Qwen3-VL-8B-Instruct";
    private static final String ROUTED = "Qwen/Qwen3-VL-30B-A3B-Instruct";
    private static final ImageInput SQUARE = new ImageInput(1, 448, 448);
    private static final int SQUARE_TOKENS = 28 * 28 / 4 + 2;
    private static final int BLOCKS = 27;
    private static final int MERGERS = 3 + 1;
    private static final int REQUESTS = 6;
    private static final int REQUESTS_PER_RANK = REQUESTS / 2;

    private final AnalyticForwardEstimator estimator = new AnalyticForwardEstimator();

    @ParameterizedTest
    @CsvSource({DENSE + ", true", DENSE + ", false", ROUTED + ", true", ROUTED + ", false"})
    void textAloneCostsWhatItCostsATextModel(String id, boolean compiled) {
        ModelArchitecture model = TestDeployments.model(id);
        for (Request request : List.of(Request.prefill(300, 300), Request.decode(1, 900))) {
            ForwardShape shape = new ForwardShape.Uniform(REQUESTS, request);

            assertThat(estimator.estimate(deployment(model, "W8A8_DYNAMIC", compiled), shape))
                    .isEqualTo(estimator.estimate(deployment(blind(model), "W8A8_DYNAMIC", compiled), shape));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {DENSE, ROUTED})
    void decodeHasTheTokensOfImagesInItsContextAndNothingElse(String id) {
        Deployment deployment = deployment(TestDeployments.model(id), "DISABLED", true);
        ForwardShape withImages =
                new ForwardShape.Uniform(REQUESTS, Request.decode(1, 900), new ImageInput(3, 448, 448));
        ForwardShape longer = new ForwardShape.Uniform(REQUESTS, Request.decode(1, 900 + 3 * SQUARE_TOKENS));

        assertThat(estimator.estimate(deployment, withImages)).isEqualTo(estimator.estimate(deployment, longer));
    }

    @Test
    void aTextModelIgnoresImages() {
        Deployment deployment = deployment(TestDeployments.model("Qwen/Qwen3-8B"), "DISABLED", true);
        Request request = Request.prefill(300, 300);

        assertThat(estimator.estimate(deployment, new ForwardShape.Uniform(REQUESTS, request, SQUARE)))
                .isEqualTo(estimator.estimate(deployment, new ForwardShape.Uniform(REQUESTS, request)));
    }

    @ParameterizedTest
    @CsvSource({DENSE + ", true", DENSE + ", false", ROUTED + ", true", ROUTED + ", false"})
    void prefillIsThatOfALongerTextPlusTheTower(String id, boolean compiled) {
        Deployment deployment = deployment(TestDeployments.model(id), "W8A8_DYNAMIC", compiled);
        ForwardEstimate withImages = price(deployment, 300, SQUARE).estimate();
        ForwardEstimate longer = price(deployment, 300 + SQUARE_TOKENS, null).estimate();
        double tower = tower(deployment, SQUARE).stream()
                .mapToDouble(line -> line.calls() * line.cost().seconds())
                .sum();

        assertThat(withImages.latencyMillis())
                .isCloseTo(longer.latencyMillis() + 1000 * tower, within(1e-9 * withImages.latencyMillis()));
        assertThat(withImages.memory().kvCacheBytes()).isEqualTo(longer.memory().kvCacheBytes());
    }

    @Test
    void theTowerIsTheSameWhetherTheTextPartIsCompiledOrQuantizedOrSplit() {
        ModelArchitecture model = TestDeployments.model(DENSE);
        List<Line> tower = tower(deployment(model, "DISABLED", true), SQUARE);

        assertThat(tower).isNotEmpty();
        assertThat(tower(deployment(model, "DISABLED", false), SQUARE)).isEqualTo(tower);
        assertThat(tower(deployment(model, "W4A8_STATIC", true), SQUARE)).isEqualTo(tower);
        assertThat(tower(deployment(model, "MXFP4", false), SQUARE)).isEqualTo(tower);
    }

    @Test
    void operatorsRunOnceForEachBlockMergerOrImage() {
        Deployment deployment = deployment(TestDeployments.model(DENSE), "DISABLED", true);
        Map<String, Long> calls = tower(deployment, new ImageInput(5, 448, 448)).stream()
                .collect(Collectors.groupingBy(Line::name, Collectors.summingLong(Line::calls)));

        assertThat(calls)
                .containsOnly(
                        entry("aten.convolution.default", 1L),
                        entry("vision.patch_indexing", 1L),
                        entry("aten.embedding.default", 1L),
                        entry("aten.sum.dim_IntList", 1L),
                        entry("aten.cos.default", 1L),
                        entry("aten.sin.default", 1L),
                        entry("aten.native_layer_norm.default", 2L * BLOCKS + MERGERS),
                        entry("aten.addmm.default", 4L * BLOCKS + 2 * MERGERS),
                        entry("aten.gelu.default", (long) BLOCKS + MERGERS),
                        entry("tensor_cast.attention.default", (long) BLOCKS * 5 * REQUESTS_PER_RANK),
                        entry("aten.mul.Tensor", 2 + 4L * BLOCKS),
                        entry("aten.neg.default", 2L * BLOCKS),
                        entry("aten.cat.default", 1 + 3L * BLOCKS + 1),
                        entry("aten.add.Tensor", 1 + 4L * BLOCKS),
                        entry("aten._to_copy.default", 1 + 4L * BLOCKS),
                        entry("aten.sub.Tensor", (long) BLOCKS),
                        entry("aten.eq.Scalar", 1L));
    }

    @Test
    void everyDataParallelRankSeesTheImagesOfItsOwnRequests() {
        ModelArchitecture model = TestDeployments.model(DENSE);
        Deployment one = new Deployment(
                model,
                TestDeployments.device("TEST_DEVICE"),
                ParallelLayout.dense(2, 1),
                GoldenDeployments.quantization("DISABLED", "DISABLED"),
                new Execution(true, 0, 0, PassAccounting.DOCUMENTED, false, false));
        Deployment four =
                new Deployment(model, one.device(), ParallelLayout.dense(2, 4), one.quantization(), one.execution());
        Request request = Request.prefill(300, 300);

        assertThat(estimator.estimate(four, new ForwardShape.Uniform(7, request, SQUARE)))
                .isEqualTo(estimator.estimate(one, new ForwardShape.Uniform(2, request, SQUARE)));
    }

    @Test
    void largerAndMoreImagesTakeLonger() {
        Deployment deployment = deployment(TestDeployments.model(DENSE), "DISABLED", true);
        double small = price(deployment, 300, SQUARE).estimate().latencyMillis();

        assertThat(price(deployment, 300, new ImageInput(1, 448, 480))
                        .estimate()
                        .latencyMillis())
                .isGreaterThan(small);
        assertThat(price(deployment, 300, new ImageInput(2, 448, 448))
                        .estimate()
                        .latencyMillis())
                .isGreaterThan(small);
    }

    private static ModelArchitecture blind(ModelArchitecture model) {
        return Architectures.of(
                model.id(),
                model.family(),
                model.groups(),
                model.hiddenSize(),
                model.vocabularySize(),
                model.maxPositions(),
                model.rmsNormEpsilon(),
                model.tiesEmbeddings(),
                false,
                null);
    }

    /// Two data parallel ranks of two devices each.
    private static Deployment deployment(ModelArchitecture model, String quantization, boolean compiled) {
        return new Deployment(
                model,
                TestDeployments.device("TEST_DEVICE"),
                GoldenDeployments.layout(model, 2, 4, 4, 1),
                GoldenDeployments.quantization(quantization, "DISABLED"),
                new Execution(compiled, 0, 0, PassAccounting.DOCUMENTED, false, false));
    }

    private PricedPass price(Deployment deployment, long tokens, @Nullable ImageInput images) {
        return estimator.price(deployment, new ForwardShape.Uniform(REQUESTS, Request.prefill(tokens, tokens), images));
    }

    /// An operator with its inputs, how often it runs and what it costs.
    private record Line(String name, String inputs, long calls, OperatorCost cost) {}

    private static List<Line> lines(PricedPass pass) {
        return pass.operators().stream()
                .map(priced -> new Line(priced.name(), priced.inputs().toString(), priced.calls(), priced.cost()))
                .toList();
    }

    /// What a pass with images does besides the pass of a text as long as text and images together.
    private List<Line> tower(Deployment deployment, ImageInput images) {
        List<Line> rest = new ArrayList<>(lines(price(deployment, 300, images)));
        for (Line line : lines(price(deployment, 300 + images.batchSize() * SQUARE_TOKENS, null))) {
            assertThat(rest.remove(line)).as("%s is in both", line).isTrue();
        }
        return rest;
    }
}
