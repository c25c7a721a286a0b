package io.throughputoptimizer.core.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import io.throughputoptimizer.core.forward.AnalyticForwardEstimator;
import io.throughputoptimizer.core.forward.MemoryFootprint;
import io.throughputoptimizer.core.search.OptimizationProblem.Demand;
import io.throughputoptimizer.core.search.OptimizationProblem.Search;
import io.throughputoptimizer.core.search.ProblemOutline.SearchMode;
import io.throughputoptimizer.core.search.ResultRow.CompositionRow;
import io.throughputoptimizer.core.search.batch.BatchRange;
import io.throughputoptimizer.core.search.space.Pairing;
import io.throughputoptimizer.core.search.space.TokenBudgetAxis;
import io.throughputoptimizer.core.serving.Accounting;
import io.throughputoptimizer.core.serving.Figures;
import io.throughputoptimizer.core.workload.LengthBin;
import io.throughputoptimizer.core.workload.LengthDistribution;
import io.throughputoptimizer.core.workload.Lengths;
import io.throughputoptimizer.core.workload.Limits;
import io.throughputoptimizer.core.workload.OutputLengths;
import io.throughputoptimizer.core.workload.Phase;
import io.throughputoptimizer.core.workload.Workload;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Searches with lengths that differ, on devices and models of the catalogue.
class UnequalLengthsTest {
    private static final String DENSE = "Qwen/Qwen3-8B";
    private static final String EXPERTS = "Qwen/Qwen3-30B-A3B";
    private static final String LATENT = "deepseek-ai/DeepSeek-V3";
    private static final String SPARSE = "deepseek-ai/DeepSeek-V3.2";
    private static final String LINEAR = "Qwen/Qwen3.5-27B";

    /// What a search finds, without the question.
    private record Found(
            String label,
            long batchSize,
            Figures figures,
            ResultRow.PrefillPlan prefill,
            ResultRow.Breakdowns breakdowns,
            MemoryFootprint memory) {
        static Found of(ResultRow row) {
            return new Found(
                    row.candidate().label(),
                    row.batchSize(),
                    row.figures(),
                    row.prefill(),
                    row.breakdowns(),
                    row.memory());
        }
    }

    static Stream<Arguments> questions() {
        return Stream.of(DENSE, EXPERTS, LATENT, SPARSE, LINEAR)
                .flatMap(model -> Stream.of(SearchMode.values())
                        .flatMap(mode -> Stream.of(0.0, 0.3).map(hits -> Arguments.of(model, mode, hits))));
    }

    @ParameterizedTest
    @MethodSource("questions")
    void aSingleBinIsAFixedLengthToTheLastBit(String model, SearchMode mode, double hits) {
        OptimizationResult fixed = result(model, mode, new Lengths.Fixed(3001), OutputLengths.fixed(701), hits);
        OptimizationResult bins =
                result(model, mode, new Lengths.Mixed(bin(3001, 3002)), OutputLengths.of(bin(700, 703)), hits);

        List<PhaseResult> expected = fixed.devices().getFirst().phases();
        List<PhaseResult> phases = bins.devices().getFirst().phases();
        assertThat(expected).allSatisfy(phase -> assertThat(phase.rows()).isNotEmpty());
        for (int phase = 0; phase < expected.size(); phase++) {
            assertThat(phases.get(phase).recorded().stream().map(Found::of))
                    .isEqualTo(expected.get(phase).recorded().stream()
                            .map(Found::of)
                            .toList());
        }
        if (mode == SearchMode.PD_RATIO) {
            assertThat(ratios(bins)).isNotEmpty().isEqualTo(ratios(fixed));
        }
    }

    private static List<List<Double>> ratios(OptimizationResult result) {
        return Objects.requireNonNull(result.devices().getFirst().pdRatio()).rows().stream()
                .map(row -> List.of(
                        row.ratio(),
                        row.balancedRequestsPerS(),
                        row.prefill().requestsPerS(),
                        row.decode().requestsPerS()))
                .toList();
    }

    /// Attention of a dense model is linear in the context, so a step takes the time of one in which all requests have
    /// the mean context, but for whole requests and tokens.
    @ParameterizedTest
    @MethodSource("denseAndLatent")
    void aStepOfUnequalRequestsTakesTheTimeOfTheMeanContext(String model) {
        LengthDistribution inputs =
                new LengthDistribution(List.of(new LengthBin(900, 1100, 1), new LengthBin(2900, 3100, 1)));
        LengthDistribution outputs =
                new LengthDistribution(List.of(new LengthBin(180, 220, 1), new LengthBin(580, 620, 1)));
        ResultRow unequal = row(model, new Lengths.Mixed(inputs), OutputLengths.of(outputs));
        // Slots hold the longer output three times in four, and its context is 300, the other's 100 on.
        ResultRow mean = row(model, new Lengths.Fixed(2000), OutputLengths.fixed(2 * (100 + 3 * 300) / 4));

        assertThat(unequal.batchSize()).isEqualTo(mean.batchSize()).isEqualTo(64);
        assertThat(tpot(unequal)).isCloseTo(tpot(mean), within(2e-3));
        assertThat(unequal.memory().kvCacheBytes())
                .isCloseTo(
                        mean.memory().kvCacheBytes(),
                        within(1e-3 * mean.memory().kvCacheBytes()));
        assertThat(unequal.composition())
                .extracting(CompositionRow::samples)
                .containsExactly(8 * 2L, 24 * 2L, 8 * 2L, 24 * 2L);
        assertThat(unequal.requestsPerS()).isCloseTo(128 / (tpot(unequal) * 399) * 1000, within(1e-3));
        assertThat(unequal.omittedRatio()).isZero();
    }

    static Stream<String> denseAndLatent() {
        return Stream.of(DENSE, LATENT);
    }

    private static ResultRow row(String model, Lengths lengths, OutputLengths outputs) {
        OptimizationProblem problem = new CatalogProblem(
                        model, "ATLAS_800_A3_752T_128G_DIE", model.equals(DENSE) ? 2 : 32)
                .asking(
                        new Demand(new Workload(lengths, outputs, 0, null), new Limits(null, 1e6), true, null),
                        search(SearchMode.DISAGGREGATION, new BatchRange(64, 64)));
        return new Optimizer(new AnalyticForwardEstimator())
                .optimize(problem, SearchMonitor.SILENT).devices().getFirst().phases().getFirst().rows().stream()
                        .filter(row -> row.layout().tp() == (model.equals(DENSE) ? 1 : 16))
                        .findFirst()
                        .orElseThrow();
    }

    @Test
    void allModesServeUnequalLengthsInAllPhases() {
        Lengths inputs = new Lengths.Mixed(
                new LengthDistribution(List.of(new LengthBin(0, 1000, 3), new LengthBin(1000, 4000, 1))));
        OutputLengths outputs = OutputLengths.of(
                new LengthDistribution(List.of(new LengthBin(0, 200, 3), new LengthBin(200, 1800, 1))));

        for (SearchMode mode : SearchMode.values()) {
            for (Lengths lengths : List.of(inputs, new Lengths.Fixed(800))) {
                assertThat(result(DENSE, mode, lengths, outputs, 0.3)
                                .devices()
                                .getFirst()
                                .phases())
                        .isNotEmpty()
                        .allSatisfy(phase -> assertThat(phase.rows())
                                .isNotEmpty()
                                .allSatisfy(row -> {
                                    boolean decodes = phase.phase() != Phase.PREFILL;
                                    assertThat(row.composition())
                                            .allSatisfy(part -> assertThat(part.decoding() != null)
                                                    .isEqualTo(decodes));
                                    assertThat(row.composition().isEmpty())
                                            .isEqualTo(!decodes && lengths instanceof Lengths.Fixed);
                                }));
            }
        }
    }

    /// One prompt in ten is long: a batch of one prompt that were always a short one would seem to feed many instances.
    @Test
    void whatIsSetAgainstDecodeLeavesNoPromptOut() {
        Lengths inputs = new Lengths.Mixed(
                new LengthDistribution(List.of(new LengthBin(8000, 12_000, 1), new LengthBin(100, 300, 9))));
        LengthDistribution answers =
                new LengthDistribution(List.of(new LengthBin(100, 101, 1), new LengthBin(700, 701, 1)));

        for (ResultRow row : prefillAlone(SearchMode.PD_RATIO, inputs, OutputLengths.fixed(300), 1)) {
            assertThat(row.composition())
                    .extracting(CompositionRow::inputTokens, CompositionRow::samples)
                    .containsExactly(tuple(1180, (long) row.layout().dp()));
            assertThat(row.omittedRatio()).isZero();
        }
        assertThat(prefillAlone(SearchMode.PD_RATIO, inputs, OutputLengths.of(answers), 10))
                .allSatisfy(row -> assertThat(row.composition())
                        .extracting(CompositionRow::inputTokens, CompositionRow::samples)
                        .containsExactly(tuple(200, 9L * row.layout().dp()), tuple(10_000, (long)
                                row.layout().dp())));
        assertThat(prefillAlone(SearchMode.DISAGGREGATION, inputs, OutputLengths.fixed(300), 1))
                .allSatisfy(row -> assertThat(row.omittedRatio()).isEqualTo(0.1));
    }

    private static List<ResultRow> prefillAlone(
            SearchMode mode, Lengths lengths, OutputLengths outputs, int batchSize) {
        Search search = search(mode, new BatchRange(batchSize, batchSize));
        OptimizationProblem problem = new CatalogProblem(DENSE, "ATLAS_800_A3_752T_128G_DIE", 32)
                .asking(
                        new Demand(new Workload(lengths, outputs, 0, null), new Limits(1e6, null), true, null),
                        new Search(
                                mode,
                                search.accounting(),
                                search.axes().with(new TokenBudgetAxis(List.of(100_000))),
                                search.batches(),
                                search.instances()));
        return new Optimizer(new AnalyticForwardEstimator())
                .optimize(problem, SearchMonitor.SILENT).devices().getFirst().phases().getFirst().rows().stream()
                        .sorted(Comparator.comparingInt(row -> -row.layout().tp()))
                        .toList();
    }

    /// The rate of an aggregated instance is that of slots that take TTFT and then the time of their tokens.
    @Test
    void anAggregatedInstanceGeneratesTheMeanOutputInTheMeanTimeOfARequest() {
        OutputLengths outputs = OutputLengths.of(
                new LengthDistribution(List.of(new LengthBin(100, 101, 1), new LengthBin(700, 701, 1))));

        for (ResultRow row : result(DENSE, SearchMode.AGGREGATION, new Lengths.Fixed(1000), outputs, 0)
                .devices()
                .getFirst()
                .phases()
                .getFirst()
                .rows()) {
            double ttft = Objects.requireNonNull(row.figures().ttftMillis());
            assertThat(row.figures().tokensPerSecond())
                    .isCloseTo(
                            1000.0 * row.concurrency() * 400 / (ttft + 400 * tpot(row)),
                            within(1e-4 * row.figures().tokensPerSecond()));
        }
    }

    private static OptimizationResult result(
            String model, SearchMode mode, Lengths lengths, OutputLengths outputs, double hits) {
        OptimizationProblem problem = new CatalogProblem(
                        model, "ATLAS_800_A3_752T_128G_DIE", model.startsWith("deepseek") ? 32 : 4)
                .asking(
                        new Demand(new Workload(lengths, outputs, hits, null), new Limits(30_000.0, 90.0), true, null),
                        search(mode, null));
        return new Optimizer(new AnalyticForwardEstimator()).optimize(problem, SearchMonitor.SILENT);
    }

    private static Search search(SearchMode mode, @Nullable BatchRange range) {
        Search search = CatalogProblem.search(mode, Accounting.STEADY, range, null);
        return mode == SearchMode.PD_RATIO
                ? new Search(mode, search.accounting(), search.axes(), search.batches(), Pairing.of(32, 32))
                : search;
    }

    private static double tpot(ResultRow row) {
        return Objects.requireNonNull(row.figures().tpotMillis());
    }

    private static LengthDistribution bin(int from, int to) {
        return new LengthDistribution(List.of(new LengthBin(from, to, 3)));
    }
}
