package io.throughputoptimizer.core.search;

import static io.throughputoptimizer.core.search.ProblemBuilder.problem;
import static io.throughputoptimizer.core.search.Searches.aggregation;
import static io.throughputoptimizer.core.search.Searches.onlyDevice;
import static io.throughputoptimizer.core.search.Searches.onlyPhase;
import static io.throughputoptimizer.core.search.Searches.optimize;
import static io.throughputoptimizer.core.search.Searches.pdRatio;
import static io.throughputoptimizer.core.search.Searches.ratio;
import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.core.deployment.ParallelLayout;
import io.throughputoptimizer.core.search.OptimizationResult.DeviceResult;
import io.throughputoptimizer.core.workload.Phase;
import io.throughputoptimizer.fixture.LinearEstimator;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class PdRatioModeTest {
    private final LinearEstimator estimator = Searches.estimator();

    @Test
    void aRatioSearchSearchesBothPhasesOnTheirOwnInstances() {
        DeviceResult device =
                onlyDevice(estimator, pdRatio(2, 4).limits(95.0, 5.05).devices(64, "DEVICE"));

        assertThat(device.deviceCount()).isEqualTo(64);
        assertThat(device.phases())
                .containsExactly(
                        onlyPhase(estimator, problem().limits(95.0, null).devices(2, "DEVICE")),
                        onlyPhase(estimator, problem().limits(null, 5.05).devices(4, "DEVICE")));
        assertThat(device.phases()).extracting(PhaseResult::deviceCount).containsExactly(2, 4);
    }

    @Test
    void aRatioSearchCombinesBothPhases() {
        DeviceResult device =
                onlyDevice(estimator, pdRatio(2, 4).limits(95.0, 5.05).devices(64, "DEVICE"));

        PdRatioRow best = ratio(device).rows().getFirst();
        // 9 prompts a rank take 91 ms, 40 decoding requests a rank 5 ms each of 99 tokens.
        double prefillRequestsPerS = 9 * 2 / 91.0 * 1000;
        double decodeRequestsPerS = 40 * 4 / (5.0 * 99) * 1000;
        assertThat(best.rank()).isEqualTo(1);
        assertThat(best.prefill())
                .isEqualTo(new PdRatioRow.Side(
                        Candidates.of(ParallelLayout.dense(1, 2)),
                        9,
                        18,
                        91.0,
                        prefillRequestsPerS,
                        1000 * 18 / 91.0,
                        Set.of(BindingLimit.TTFT)));
        assertThat(best.decode())
                .isEqualTo(new PdRatioRow.Side(
                        Candidates.of(ParallelLayout.dense(1, 4)),
                        40,
                        160,
                        5.0,
                        decodeRequestsPerS,
                        1000 * 160 / (5.0 * 99),
                        Set.of(BindingLimit.TPOT)));
        assertThat(best.ratio()).isEqualTo(decodeRequestsPerS / prefillRequestsPerS);
        assertThat(best.balancedRequestsPerS()).isEqualTo(prefillRequestsPerS);
        assertThat(best.instances())
                .isEqualTo(InstanceCounts.of(best.ratio(), 64, 2, 4).orElseThrow());
    }

    @Test
    void aRatioSearchNeedsNoLimits() {
        LinearEstimator memoryBound = Searches.roomFor(20_000);

        DeviceResult device = onlyDevice(memoryBound, pdRatio(4, 4).devices(1, "DEVICE"));

        assertThat(device.phases()).extracting(PhaseResult::phase).containsExactly(Phase.PREFILL, Phase.DECODE);
        assertThat(ratio(device).rows()).isNotEmpty();
        assertThat(ratio(device).rows())
                .allSatisfy(row -> assertThat(row.instances()).isNull());
    }

    @Test
    void aPhaseWithoutARowLeavesNothingToCombine() {
        DeviceResult device = onlyDevice(estimator, pdRatio(4, 4).limits(95.0, 0.5));

        assertThat(device.phases().getFirst().rows()).isNotEmpty();
        assertThat(device.phases().getLast().rows()).isEmpty();
        assertThat(device.phases().getLast().rejected()).hasSize(3);
        assertThat(ratio(device).rows()).isEmpty();
    }

    @Test
    void otherModesHaveNoRatio() {
        assertThat(onlyDevice(estimator, aggregation().limits(null, 8.0)).pdRatio())
                .isNull();
    }

    @Test
    void helpersDoNotChangeARatioSearch() {
        ProblemBuilder problem = pdRatio(8, 16).limits(95.0, 5.05);
        try (ExecutorService pool = Executors.newFixedThreadPool(3)) {
            OptimizationResult helped =
                    new Optimizer(estimator, pool, 4, Long.MAX_VALUE).optimize(problem.build(), SearchMonitor.SILENT);

            assertThat(helped.devices()).isEqualTo(optimize(estimator, problem).devices());
        }
    }

    @Test
    void progressCountsTheLayoutsOfBothInstances() {
        AtomicInteger total = new AtomicInteger();
        AtomicInteger done = new AtomicInteger();
        SearchMonitor monitor = new SearchMonitor() {
            @Override
            public void candidatesTotal(int candidates) {
                total.set(candidates);
            }

            @Override
            public void candidateDone() {
                done.incrementAndGet();
            }
        };

        new Optimizer(estimator)
                .optimize(pdRatio(2, 8).limits(95.0, 5.05).devices(8, "A", "B").build(), monitor);

        int layouts = 2 + 4;
        assertThat(total).hasValue(2 * layouts);
        assertThat(done).hasValue(2 * layouts);
    }
}
