package io.throughputoptimizer.core.calibrated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.throughputoptimizer.core.calibrated.CalibratedProblem.CalibratedDemand;
import io.throughputoptimizer.core.calibrated.CalibratedResult.DeviceRanking;
import io.throughputoptimizer.core.calibrated.CalibratedResult.Rejection;
import io.throughputoptimizer.core.kernels.BandBasis.Coverage;
import io.throughputoptimizer.core.kernels.Precision;
import io.throughputoptimizer.core.kernels.Scheme;
import io.throughputoptimizer.core.load.ConcurrencySampling;
import io.throughputoptimizer.core.load.EngineSettings.Scheduling;
import io.throughputoptimizer.core.load.SpreadLengths;
import io.throughputoptimizer.core.load.Traffic;
import io.throughputoptimizer.core.replica.RankLimits;
import io.throughputoptimizer.core.search.SearchMonitor;
import io.throughputoptimizer.core.search.Workers;
import io.throughputoptimizer.core.search.space.AvailableDevices;
import io.throughputoptimizer.core.search.space.Pairing;
import io.throughputoptimizer.core.workload.Limits;
import io.throughputoptimizer.core.workload.TtftBasis;
import io.throughputoptimizer.fixture.Silicon;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Layouts that are tried side by side give what they give one after the other.
class SideBySideTest {
    private static final CalibratedSizes POWERS_OF_TWO = new CalibratedSizes(List.of(), null, null);
    private static final int THREADS = 4;

    @ParameterizedTest
    @CsvSource({
        "Qwen/Qwen3-32B, 8, 0, 0, false",
        "deepseek-ai/DeepSeek-R1, 16, 0, 0, false",
        "openai/gpt-oss-120b, 8, 0, 0, true",
        "openai/gpt-oss-120b, 16, 2, 4, false",
        "deepseek-ai/DeepSeek-R1, 32, 8, 8, false"
    })
    void resultsAreThoseOfOneThread(String model, int devices, int prefill, int decode, boolean simulated) {
        Pairing pairing = prefill == 0 ? null : Pairing.of(prefill, decode);
        CalibratedProblem problem = problem(model, devices, pairing, simulated);
        Heard alone = new Heard();
        Heard together = new Heard();
        CalibratedResult expected = CalibratedOptimizer.optimize(problem, alone);
        CalibratedResult result;
        try (ExecutorService helpers = Executors.newFixedThreadPool(THREADS)) {
            result = CalibratedOptimizer.optimize(problem, together, new Workers(helpers, THREADS));
        }

        assertThat(result.points()).isEqualTo(expected.points()).isPositive();
        assertThat(result.simulations()).isEqualTo(expected.simulations());
        assertThat(together.points.get()).isEqualTo(alone.points.get());
        assertThat(together.candidates.get()).isEqualTo(alone.candidates.get()).isGreaterThan(1);
        assertThat(said(result.devices())).isEqualTo(said(expected.devices()));
    }

    /// What of each row, rejection and point is compared, in their order.
    private static List<List<Object>> said(List<DeviceRanking> devices) {
        return devices.stream()
                .flatMap(device -> Arrays.asList(
                        List.<Object>copyOf(device.found().rows().stream()
                                .map(row ->
                                        List.of(row.at().arrangement(), row.at().figures()))
                                .toList()),
                        List.<Object>copyOf(device.found().rejections().stream()
                                .map(Rejection::arrangement)
                                .toList()),
                        List.<Object>copyOf(device.found().points().stream()
                                .map(point -> List.of(
                                        point.at().arrangement(), point.at().figures(), point.withinLimits()))
                                .toList()),
                        List.<Object>of(device.found().omittedPoints(), device.unexpectedUses()))
                        .stream())
                .toList();
    }

    @Test
    void aFailureOfAHelperIsTheSearchs() {
        CalibratedProblem problem = problem("deepseek-ai/DeepSeek-R1", 16, null, false);
        SearchMonitor failing = new SearchMonitor() {
            @Override
            public void candidateDone() {
                throw new IllegalStateException("as asked");
            }
        };
        try (ExecutorService helpers = Executors.newFixedThreadPool(THREADS)) {
            assertThatIllegalStateException()
                    .isThrownBy(() -> CalibratedOptimizer.optimize(problem, failing, new Workers(helpers, THREADS)))
                    .withMessage("as asked");
        }
    }

    private static final class Heard implements SearchMonitor {
        private final AtomicLong points = new AtomicLong();
        private final AtomicLong candidates = new AtomicLong();

        @Override
        public void pointEvaluated() {
            points.incrementAndGet();
        }

        @Override
        public void candidateDone() {
            candidates.incrementAndGet();
        }
    }

    private static CalibratedProblem problem(
            String model, int devices, @Nullable Pairing instances, boolean simulated) {
        return new CalibratedProblem(
                Silicon.model(model),
                List.of(new CalibratedDevice(
                        "B200_SXM",
                        Silicon.calibration("b200_sxm"),
                        Silicon.engine("vllm"),
                        Precision.of(Scheme.FP8_BLOCK),
                        new RankLimits(null, Scheduling.NO_LIMIT, 1),
                        null)),
                AvailableDevices.ofEach(devices),
                instances,
                POWERS_OF_TWO,
                new CalibratedDemand(
                        new Traffic(new SpreadLengths(1024, 256, 1), 0, 10, 0, null),
                        new Limits(5_000.0, 50.0, TtftBasis.BENCHMARK, null),
                        null,
                        simulated,
                        null),
                Coverage.NINE_TENTHS,
                ConcurrencySampling.EVERY_SUMMIT);
    }
}
