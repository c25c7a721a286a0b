package io.throughputoptimizer.core.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.core.capacity.PairSearchBudget.SearchGuard;
import io.throughputoptimizer.core.kernels.BandBasis.Coverage;
import io.throughputoptimizer.core.search.MemoryBudget;
import io.throughputoptimizer.core.search.Optimizer;
import io.throughputoptimizer.core.search.SearchMemoryException;
import io.throughputoptimizer.core.search.SearchMonitor;
import io.throughputoptimizer.core.search.Workers;
import io.throughputoptimizer.fixture.Nightly;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Pairs whose figures others find ahead are those of one thread: what is chosen, counted, left out for want of a
/// ration, and refused for want of memory.
class PairsSideBySideTest {
    private static final ExecutorService HELPERS = Executors.newFixedThreadPool(3);
    private static final long MOST_RATION = 20_000;
    private static final long MOST_BYTES = 400_000;

    @AfterAll
    static void end() {
        HELPERS.shutdown();
    }

    static LongStream seeds() {
        return Nightly.seeds(1);
    }

    private static CalibratedCapacityProblem problem(long seed) {
        return FewestMeasuredDevicesTest.problem(seed, 24, 20, Coverage.HALF);
    }

    private static Workers several(int threads) {
        return new Workers(HELPERS, threads);
    }

    private static final class Points implements SearchMonitor {
        private final AtomicLong heard = new AtomicLong();

        @Override
        public void pointEvaluated() {
            heard.incrementAndGet();
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void wholeAnswersAreThoseOfOneThread(long seed) {
        Points alone = new Points();
        CapacityResult expected = CalibratedCapacityOptimizer.optimize(problem(seed), alone, MemoryBudget.unlimited());
        assertThat(alone.heard.get()).isEqualTo(expected.statistics().points());
        for (int threads : new int[] {2, 4}) {
            Points together = new Points();

            CapacityResult result = CalibratedCapacityOptimizer.optimize(
                    problem(seed), together, MemoryBudget.unlimited(), several(threads));

            assertThat(FewestMeasuredPairsTest.figures(result.plans()))
                    .isEqualTo(FewestMeasuredPairsTest.figures(expected.plans()));
            assertThat(FewestMeasuredPairsTest.figures(result.beyond()))
                    .isEqualTo(FewestMeasuredPairsTest.figures(expected.beyond()));
            assertThat(FewestMeasuredPairsTest.figures(result.reaches()))
                    .isEqualTo(FewestMeasuredPairsTest.figures(expected.reaches()));
            assertThat(result.rejections()).isEqualTo(expected.rejections());
            assertThat(result.leftOut()).isEqualTo(expected.leftOut());
            assertThat(result.curve()).isEqualTo(expected.curve());
            assertThat(result.statistics()).isEqualTo(expected.statistics());
            assertThat(together.heard.get()).isEqualTo(alone.heard.get());
        }
    }

    /// Wherever the ration ends, in a pair of sizes or in a curve.
    @ParameterizedTest
    @MethodSource("seeds")
    void aRationEndsWhereItDoesOnOneThread(long seed) {
        List<Boolean> ended = new ArrayList<>();
        for (long ration = 1; ration < MOST_RATION; ration = ration * 5 + 1) {
            List<Object> expected = said(seed, ration, Long.MAX_VALUE, Workers.ALONE);
            ended.add((long) expected.getFirst() > 0);

            assertThat(said(seed, ration, Long.MAX_VALUE, several(2))).isEqualTo(expected);
            assertThat(said(seed, ration, Long.MAX_VALUE, several(4))).isEqualTo(expected);
        }
        assertThat(ended).startsWith(true);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void whatMayNotBeKeptIsRefusedAsOnOneThread(long seed) {
        for (long ration : new long[] {1_500, MOST_RATION}) {
            for (long bytes = 10_000; bytes < MOST_BYTES; bytes *= 3) {
                assertThat(said(seed, ration, bytes, several(3))).isEqualTo(said(seed, ration, bytes, Workers.ALONE));
            }
        }
    }

    /// What was skipped first.
    private static List<Object> said(long seed, long ration, long bytes, Workers workers) {
        CalibratedCapacityProblem problem = problem(seed);
        MemoryBudget allowance = new Optimizer(CapacityCase.ESTIMATOR, Runnable::run, 1, bytes).allowance();
        CalibratedPairSearch search = new CalibratedPairSearch(
                problem,
                problem.measured().devices().getFirst(),
                new SearchGuard(SearchMonitor.SILENT, allowance),
                workers,
                ration);
        try {
            search.run();
            return List.of(
                    search.skipped(),
                    FewestMeasuredPairsTest.figures(search.plans()),
                    search.points(),
                    search.rejections(),
                    FewestMeasuredPairsTest.figures(search.beyond().toList()),
                    FewestMeasuredPairsTest.figures(search.reaches().toList()),
                    search.curve().toList(),
                    search.points());
        } catch (SearchMemoryException refused) {
            return List.of(-1L, refused.maximumBytes());
        }
    }
}
