package io.throughputoptimizer.core.search;

import static io.throughputoptimizer.core.search.ProblemBuilder.problem;
import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.core.search.batch.BatchRange;
import io.throughputoptimizer.core.search.batch.BatchStrategy;
import io.throughputoptimizer.core.workload.LengthBin;
import io.throughputoptimizer.core.workload.LengthDistribution;
import io.throughputoptimizer.core.workload.Phase;
import io.throughputoptimizer.fixture.LinearEstimator;
import io.throughputoptimizer.fixture.Nightly;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Laws that hold for any latencies, memory and limits.
class SearchLawsTest {

    static LongStream seeds() {
        return Nightly.seeds(10);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void aLargerLimitNeverGivesAWorseBestRowUnderExhaustiveEvaluation(long seed) {
        Random random = new Random(seed);
        LinearEstimator estimator = estimator(random);
        double limit = random.nextDouble(200) + 1;
        double larger = limit + random.nextDouble(200);

        for (Phase phase : List.of(Phase.PREFILL, Phase.DECODE)) {
            double best = best(search(estimator, limited(phase, limit), BatchStrategy.EXHAUSTIVE));
            double bestOfLarger = best(search(estimator, limited(phase, larger), BatchStrategy.EXHAUSTIVE));
            assertThat(bestOfLarger).isGreaterThanOrEqualTo(best);
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void everyRecordedRowIsAProbeThatKeepsTheLimitsAndRowsAreRecordedOnce(long seed) {
        Random random = new Random(seed);
        LinearEstimator estimator = estimator(random);
        double limit = random.nextDouble(300) + 1;

        for (BatchStrategy strategy : BatchStrategy.values()) {
            PhaseResult phase = search(estimator, limited(Phase.PREFILL, limit), strategy);
            Set<Object> within = phase.points().stream()
                    .filter(SearchPoint::withinLimits)
                    .map(point -> List.of(point.candidate(), point.batchSize()))
                    .collect(Collectors.toSet());
            List<Object> recorded = phase.recorded().stream()
                    .<Object>map(row -> List.of(row.candidate(), row.batchSize()))
                    .toList();
            assertThat(within).containsAll(recorded);
            assertThat(recorded).doesNotHaveDuplicates();
            assertThat(phase.recorded())
                    .allSatisfy(row -> assertThat(row.memory().availableBytes()).isNotNegative());
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void everyLayoutHasEitherARowOrAReason(long seed) {
        Random random = new Random(seed);
        LinearEstimator estimator = estimator(random);

        for (BatchStrategy strategy : BatchStrategy.values()) {
            PhaseResult phase = search(estimator, limited(Phase.DECODE, random.nextDouble(50)), strategy);
            assertThat(phase.rows().size() + phase.rejected().size()).isEqualTo(3);
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void noSearchBeatsTheExhaustiveOne(long seed) {
        Random random = new Random(seed);
        LinearEstimator estimator = estimator(random);
        double limit = random.nextDouble(300) + 1;
        BatchRange range = new BatchRange(1 + random.nextInt(20), 20 + random.nextInt(100));

        double best = best(search(estimator, limited(Phase.PREFILL, limit), BatchStrategy.EXHAUSTIVE, range));
        for (BatchStrategy strategy : BatchStrategy.values()) {
            assertThat(best(search(estimator, limited(Phase.PREFILL, limit), strategy, range)))
                    .isLessThanOrEqualTo(best);
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void mixedBatchesAreComposedOfAsManyRequestsAsRun(long seed) {
        Random random = new Random(seed);
        LengthDistribution distribution = new LengthDistribution(List.of(
                new LengthBin(0, 1 + random.nextInt(100), random.nextDouble() + 0.01),
                new LengthBin(100, 101 + random.nextInt(100), random.nextDouble() + 0.01),
                new LengthBin(200, 201 + random.nextInt(1000), random.nextDouble() + 0.01)));

        PhaseResult phase = new Optimizer(estimator(random))
                .optimize(
                        problem()
                                .limits(random.nextDouble(300) + 1, null)
                                .lengths(distribution)
                                .build(),
                        SearchMonitor.SILENT)
                .devices()
                .getFirst()
                .phases()
                .getFirst();

        assertThat(phase.recorded())
                .allSatisfy(row -> assertThat(row.composition().stream()
                                .mapToLong(ResultRow.CompositionRow::samples)
                                .sum())
                        .isEqualTo(row.concurrency()));
    }

    /// Room for at most some hundreds of requests, so that exhaustive searches stay short.
    private static LinearEstimator estimator(Random random) {
        return new LinearEstimator(
                new LinearEstimator.Latency(
                        random.nextDouble(5),
                        random.nextDouble(0.05),
                        random.nextDouble(5),
                        random.nextDouble(0.5),
                        random.nextDouble(1e-4)),
                new LinearEstimator.Memory(
                        64, 10, 8 + random.nextDouble(50), 46.0 / (1000 * (1 + random.nextInt(300)))));
    }

    private static ProblemBuilder limited(Phase phase, double limit) {
        ProblemBuilder problem = problem();
        return phase == Phase.PREFILL ? problem.limits(limit, null) : problem.limits(null, limit);
    }

    private static PhaseResult search(LinearEstimator estimator, ProblemBuilder problem, BatchStrategy strategy) {
        return search(estimator, problem.batches(strategy, null));
    }

    private static PhaseResult search(
            LinearEstimator estimator, ProblemBuilder problem, BatchStrategy strategy, BatchRange range) {
        return search(estimator, problem.batches(strategy, range));
    }

    private static PhaseResult search(LinearEstimator estimator, ProblemBuilder problem) {
        return new Optimizer(estimator)
                .optimize(problem.build(), SearchMonitor.SILENT)
                .devices()
                .getFirst()
                .phases()
                .getFirst();
    }

    private static double best(PhaseResult phase) {
        return phase.rows().isEmpty() ? 0 : phase.rows().getFirst().figures().tokensPerSecond();
    }
}
