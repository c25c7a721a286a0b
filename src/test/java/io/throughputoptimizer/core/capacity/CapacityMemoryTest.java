package io.throughputoptimizer.core.capacity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.throughputoptimizer.core.kernels.BandBasis.Coverage;
import io.throughputoptimizer.core.search.OptimizationProblem.Axes;
import io.throughputoptimizer.core.search.OptimizationProblem.BatchPlan;
import io.throughputoptimizer.core.search.OptimizationProblem.Search;
import io.throughputoptimizer.core.search.Optimizer;
import io.throughputoptimizer.core.search.ProblemOutline.SearchMode;
import io.throughputoptimizer.core.search.SearchMemoryException;
import io.throughputoptimizer.core.search.SearchMonitor;
import io.throughputoptimizer.core.search.batch.BatchRange;
import io.throughputoptimizer.core.search.batch.BatchStrategy;
import io.throughputoptimizer.core.search.space.DraftTokenAxis;
import io.throughputoptimizer.core.search.space.ParallelSizes;
import io.throughputoptimizer.core.search.space.QuantizationAxis;
import io.throughputoptimizer.core.search.space.TokenBudgetAxis;
import io.throughputoptimizer.core.serving.Accounting;
import io.throughputoptimizer.core.workload.Limits;
import io.throughputoptimizer.fixture.EveryNight;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Capacities that would keep very many instances: 16 sizes, of each one layout with 100 token budgets.
class CapacityMemoryTest {
    private static final int SIZES = 16;
    private static final int BUDGETS = 100;
    /// Of a single size: instances of each budget in three phases at most, with a row and a point each.
    private static final long ONE_SIZE = 3L * BUDGETS * (1024 + 4096 + 1024);

    private static CapacityProblem problem(int sizes) {
        CapacityCase asked = new CapacityCase(
                "Qwen/Qwen3-8B",
                "TEST_DEVICE",
                SIZES,
                IntStream.rangeClosed(1, sizes).boxed().toList(),
                500,
                100,
                new Limits(60_000.0, 1000.0),
                Accounting.STEADY,
                1,
                new Requirement(Requirement.Unit.REQUESTS_PER_S, 1, 0, 100),
                null);
        return asked.problem()
                .with(new Search(
                        SearchMode.AGGREGATION,
                        Accounting.STEADY,
                        new Axes(
                                new ParallelSizes(List.of(1), null, null),
                                new DraftTokenAxis(List.of(0)),
                                new TokenBudgetAxis(IntStream.range(0, BUDGETS)
                                        .mapToObj(index -> 1024 + 8 * index)
                                        .toList()),
                                QuantizationAxis.of(CapacityCase.QUANTIZATION)),
                        new BatchPlan(BatchStrategy.BINARY, new BatchRange(1, 1)),
                        null));
    }

    private static CapacityResult answer(CapacityProblem problem, long memory) {
        return new CapacityOptimizer(new Optimizer(CapacityCase.ESTIMATOR, Runnable::run, 1, memory))
                .optimize(problem, SearchMonitor.SILENT);
    }

    @Test
    void whatAllSizesKeepCountsTogether() {
        assertThat(answer(problem(1), ONE_SIZE).plans()).isNotEmpty();
        assertThatExceptionOfType(SearchMemoryException.class)
                .isThrownBy(() -> answer(problem(SIZES), ONE_SIZE))
                .satisfies(failure -> assertThat(failure.maximumBytes()).isEqualTo(ONE_SIZE));
    }

    /// By how much the heap rises while a search runs: looked at now and then, each time after a collection. What goes
    /// meanwhile was of others.
    private static final class Held implements SearchMonitor {
        private static final int CANDIDATES_BETWEEN = 400;

        private final MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
        private long least = used();
        private int done;
        private long most;

        @Override
        public void candidateDone() {
            done++;
            if (done % CANDIDATES_BETWEEN == 0) {
                look();
            }
        }

        private void look() {
            long used = used();
            least = Math.min(least, used);
            most = Math.max(most, used - least);
        }

        private long used() {
            System.gc();
            return memory.getHeapMemoryUsage().getUsed();
        }
    }

    /// Whoever is told that it succeeded held no more than it might.
    @Test
    @EveryNight
    void aSearchThatHoldsMoreThanItMayDoesNotSucceed() {
        CapacityProblem problem = problem(SIZES);
        // What passes cost is remembered by the test.
        CapacityCase.answer(problem);
        Held held = new Held();
        CapacityResult result = new CapacityOptimizer(new Optimizer(CapacityCase.ESTIMATOR)).optimize(problem, held);
        held.look();

        assertThat(result.plans()).isNotEmpty();
        assertThat(held.most).isPositive().isLessThan(SIZES * ONE_SIZE);
        assertThatExceptionOfType(SearchMemoryException.class).isThrownBy(() -> answer(problem, held.most));
    }

    @Test
    @EveryNight
    void whatIsNotKeptIsGivenBack() {
        CapacityProblem problem = problem(SIZES);

        CapacityResult result = answer(problem, SIZES * ONE_SIZE * 3 / 4);

        assertThat(result).isEqualTo(CapacityCase.answer(problem));
        assertThat(result.plans()).isNotEmpty();
    }

    @Test
    void whatMeasuredDevicesKeepCountsToo() {
        CalibratedCapacityProblem problem = FewestMeasuredDevicesTest.problem(0, 64, 48, Coverage.NINE_TENTHS);
        long memory = 1 << 14;

        assertThatExceptionOfType(SearchMemoryException.class)
                .isThrownBy(() -> CalibratedCapacityOptimizer.optimize(
                        problem,
                        SearchMonitor.SILENT,
                        new Optimizer(CapacityCase.ESTIMATOR, Runnable::run, 1, memory).allowance()))
                .satisfies(failure -> assertThat(failure.maximumBytes()).isEqualTo(memory));
    }
}
