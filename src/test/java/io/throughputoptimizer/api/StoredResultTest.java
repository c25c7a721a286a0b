package io.throughputoptimizer.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.core.deployment.Speculation;
import io.throughputoptimizer.core.forward.AnalyticForwardEstimator;
import io.throughputoptimizer.core.search.BatchRange;
import io.throughputoptimizer.core.search.BatchStrategy;
import io.throughputoptimizer.core.search.HardwareComparison;
import io.throughputoptimizer.core.search.HardwareComparison.PhaseRanking;
import io.throughputoptimizer.core.search.OptimizationProblem;
import io.throughputoptimizer.core.search.OptimizationProblem.BatchPlan;
import io.throughputoptimizer.core.search.OptimizationProblem.Demand;
import io.throughputoptimizer.core.search.OptimizationProblem.InstanceSizes;
import io.throughputoptimizer.core.search.OptimizationProblem.ParallelSizes;
import io.throughputoptimizer.core.search.OptimizationProblem.Search;
import io.throughputoptimizer.core.search.OptimizationProblem.Serving;
import io.throughputoptimizer.core.search.OptimizationResult;
import io.throughputoptimizer.core.search.OptimizationResult.DeviceResult;
import io.throughputoptimizer.core.search.Optimizer;
import io.throughputoptimizer.core.search.SearchMode;
import io.throughputoptimizer.core.search.SearchMonitor;
import io.throughputoptimizer.core.serving.Accounting;
import io.throughputoptimizer.core.workload.LengthBin;
import io.throughputoptimizer.core.workload.LengthDistribution;
import io.throughputoptimizer.core.workload.Lengths;
import io.throughputoptimizer.core.workload.ServiceObjective;
import io.throughputoptimizer.core.workload.Workload;
import io.throughputoptimizer.fixture.SmallDeployment;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.assertj.core.api.recursive.comparison.RecursiveComparisonConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// A result that was stored is what the search found.
class StoredResultTest {
    private static final Lengths FIXED = new Lengths.Fixed(1000);
    private static final Lengths MIXED = new Lengths.Mixed(
            new LengthDistribution(List.of(new LengthBin(0, 100, 0.3), new LengthBin(100, 1000, 0.7))));

    /// A row does not tell the KV cache of one token.
    private static final RecursiveComparisonConfiguration BUT_CACHE_PER_TOKEN =
            RecursiveComparisonConfiguration.builder()
                    .withIgnoredFieldsMatchingRegexes(".*kvCacheBytesPerToken")
                    .build();

    static Stream<Arguments> results() {
        ServiceObjective both = new ServiceObjective(50.0, 10.0);
        return Stream.of(
                Arguments.argumentSet("aggregation", search(SearchMode.AGGREGATION, FIXED, both)),
                Arguments.argumentSet("both phases", search(SearchMode.DISAGGREGATION, FIXED, both)),
                Arguments.argumentSet(
                        "mixed lengths", search(SearchMode.DISAGGREGATION, MIXED, new ServiceObjective(50.0, null))),
                Arguments.argumentSet("ratio", search(SearchMode.PD_RATIO, FIXED, both)),
                Arguments.argumentSet(
                        "nothing feasible",
                        search(SearchMode.DISAGGREGATION, FIXED, new ServiceObjective(1e-6, 1e-6))));
    }

    @ParameterizedTest
    @MethodSource("results")
    void devicesReadBackAsTheyWere(OptimizationResult result) {
        StoredResult stored = store(result);

        assertThat(stored.devices()).hasSameSizeAs(result.devices());
        for (int i = 0; i < stored.devices().size(); i++) {
            DeviceResult device = result.devices().get(i);
            ResultResponse.DeviceResponse read = stored.devices().get(i);
            assertThat(read.device()).isEqualTo(device.device().name());
            assertThat(read.numDevices()).isEqualTo(device.deviceCount());
            assertThat(stored.phases(read))
                    .usingRecursiveComparison(BUT_CACHE_PER_TOKEN)
                    .isEqualTo(device.phases());
            assertThat(stored.pdRatio(read)).isEqualTo(Optional.ofNullable(device.pdRatio()));
        }
    }

    @ParameterizedTest
    @MethodSource("results")
    void theComparisonReadsBackAsItWas(OptimizationResult result) {
        HardwareComparison comparison = result.comparison().orElseThrow();

        StoredResult stored = store(result);

        assertThat(stored.figures())
                .usingRecursiveComparison()
                .ignoringFields("unratedMatrixTypes")
                .isEqualTo(comparison.profiles());
        for (PhaseRanking ranking : comparison.phases()) {
            assertThat(stored.ranking(ranking.phase()))
                    .isEqualTo(ranking.rows().stream()
                            .map(best -> best.device().name())
                            .toList());
        }
        assertThat(stored.pdRatioRanking())
                .isEqualTo(comparison.pdRatio().stream()
                        .map(best -> best.device().name())
                        .toList());
    }

    @Test
    void theSamplesHoldWhatTheyArePutTo() {
        assertThat(results().map(arguments -> (OptimizationResult) arguments.get()[0]))
                .anyMatch(result -> result.devices().getFirst().pdRatio() != null
                        && !result.devices().getFirst().pdRatio().rows().isEmpty())
                .anyMatch(result -> result.devices().getFirst().phases().stream()
                        .anyMatch(phase -> !phase.recorded().isEmpty()
                                && !phase.rejected().isEmpty()
                                && phase.points().stream().anyMatch(point -> !point.withinObjective())));
    }

    private static StoredResult store(OptimizationResult result) {
        return StoredResult.read(WireFormat.write(ResultResponse.from(result, Duration.ofMillis(3))));
    }

    /// Two kinds of device, layouts that the model can and cannot have, every recorded
    /// row.
    private static OptimizationResult search(SearchMode mode, Lengths lengths, ServiceObjective objective) {
        boolean ratio = mode == SearchMode.PD_RATIO;
        OptimizationProblem problem = new OptimizationProblem(
                SmallDeployment.MODEL,
                List.of(SmallDeployment.device("ONE"), SmallDeployment.device("OTHER")),
                18,
                new Demand(new Workload(lengths, 100, 0.25, null), objective),
                new Serving(SmallDeployment.QUANTIZATION, true, 0, 0, Speculation.NONE),
                new Search(
                        mode,
                        new Accounting.Documented(),
                        new ParallelSizes(List.of(1, 2, 3), null, null),
                        new BatchPlan(BatchStrategy.EXPONENTIAL, new BatchRange(1, 20_000)),
                        4096,
                        ratio ? new InstanceSizes(6, 12) : null),
                true);
        return new Optimizer(new AnalyticForwardEstimator(), Runnable::run, 1).optimize(problem, SearchMonitor.SILENT);
    }
}
