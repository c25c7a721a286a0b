package io.throughputoptimizer.api.result;

import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.core.forward.AnalyticForwardEstimator;
import io.throughputoptimizer.core.search.OptimizationProblem;
import io.throughputoptimizer.core.search.OptimizationProblem.Axes;
import io.throughputoptimizer.core.search.OptimizationProblem.BatchPlan;
import io.throughputoptimizer.core.search.OptimizationProblem.Demand;
import io.throughputoptimizer.core.search.OptimizationProblem.Search;
import io.throughputoptimizer.core.search.OptimizationProblem.Serving;
import io.throughputoptimizer.core.search.OptimizationResult;
import io.throughputoptimizer.core.search.Optimizer;
import io.throughputoptimizer.core.search.ProblemOutline.SearchMode;
import io.throughputoptimizer.core.search.SearchMonitor;
import io.throughputoptimizer.core.search.batch.BatchRange;
import io.throughputoptimizer.core.search.batch.BatchStrategy;
import io.throughputoptimizer.core.search.space.DraftTokenAxis;
import io.throughputoptimizer.core.search.space.Pairing;
import io.throughputoptimizer.core.search.space.ParallelSizes;
import io.throughputoptimizer.core.search.space.QuantizationAxis;
import io.throughputoptimizer.core.search.space.TokenBudgetAxis;
import io.throughputoptimizer.core.serving.Accounting;
import io.throughputoptimizer.core.serving.DraftAcceptance;
import io.throughputoptimizer.core.workload.LengthBin;
import io.throughputoptimizer.core.workload.LengthDistribution;
import io.throughputoptimizer.core.workload.Lengths;
import io.throughputoptimizer.core.workload.Limits;
import io.throughputoptimizer.core.workload.Workload;
import io.throughputoptimizer.fixture.SmallDeployment;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// What was stored is read as it was written, by this version of the service or another.
class StoredResultTest {
    /// How far a rejected layout is from its limit: for those who look for the nearest while it is there.
    private static final String NOT_KEPT = ".*\\.ofLimit";

    private static final Lengths FIXED = new Lengths.Fixed(1000);
    private static final Lengths MIXED = new Lengths.Mixed(
            new LengthDistribution(List.of(new LengthBin(0, 100, 0.3), new LengthBin(100, 1000, 0.7))));

    static Stream<Arguments> results() {
        Limits both = new Limits(50.0, 10.0);
        return Stream.of(
                Arguments.argumentSet("aggregation", search(SearchMode.AGGREGATION, FIXED, both)),
                Arguments.argumentSet("both phases", search(SearchMode.DISAGGREGATION, FIXED, both)),
                Arguments.argumentSet(
                        "mixed lengths", search(SearchMode.DISAGGREGATION, MIXED, new Limits(50.0, null))),
                Arguments.argumentSet("ratio", search(SearchMode.PD_RATIO, FIXED, both)),
                Arguments.argumentSet(
                        "nothing feasible", search(SearchMode.DISAGGREGATION, FIXED, new Limits(1e-6, 1e-6))));
    }

    @ParameterizedTest
    @MethodSource("results")
    void aResultReadsBackAsItWasWritten(OptimizationResult result) {
        ResultResponse written = ResultResponse.from(result, Duration.ofMillis(3), null);

        assertThat(ResultResponse.read(WireFormat.write(written)))
                .get()
                .usingRecursiveComparison()
                .ignoringFieldsMatchingRegexes(NOT_KEPT)
                .isEqualTo(written);
    }

    @Test
    void aResultWithoutAVersionIsReadAsTheFirst() {
        String json = WireFormat.write(sample());
        String unversioned = json.replace("\"result_version\":2,", "");

        assertThat(unversioned).isNotEqualTo(json);
        assertThat(ResultResponse.read(unversioned).map(ResultResponse::devices))
                .contains(sample().devices());
    }

    @Test
    void membersThatWereAddedSinceAreLeftOut() {
        String json = WireFormat.write(sample());

        assertThat(ResultResponse.read(json.replace("\"batch_size\":", "\"colour\":{\"red\":[1]},\"batch_size\":")))
                .contains(sample());
    }

    @Test
    void aLaterVersionIsNotRead() {
        String json = WireFormat.write(sample());

        assertThat(ResultResponse.read(json.replace("\"result_version\":2,", "\"result_version\":3,")))
                .isEmpty();
    }

    @Test
    void theSamplesHoldWhatTheyArePutTo() {
        assertThat(results().map(arguments -> (OptimizationResult) arguments.get()[0]))
                .anyMatch(result -> result.devices().getFirst().pdRatio() != null
                        && !result.devices().getFirst().pdRatio().rows().isEmpty())
                .anyMatch(result -> result.devices().getFirst().phases().stream()
                        .anyMatch(phase -> !phase.recorded().isEmpty()
                                && !phase.rejected().isEmpty()
                                && phase.points().stream().anyMatch(point -> !point.withinLimits())));
    }

    private static ResultResponse sample() {
        Limits both = new Limits(50.0, 10.0);
        return ResultResponse.from(search(SearchMode.AGGREGATION, FIXED, both), Duration.ofMillis(3), null);
    }

    /// Two kinds of device, layouts that the model can and cannot have, every recorded
    /// row.
    private static OptimizationResult search(SearchMode mode, Lengths lengths, Limits objective) {
        boolean ratio = mode == SearchMode.PD_RATIO;
        OptimizationProblem problem = new OptimizationProblem(
                SmallDeployment.MODEL,
                List.of(SmallDeployment.device("ONE"), SmallDeployment.device("OTHER")),
                18,
                new Demand(new Workload(lengths, 100, 0.25, null), objective, false, null),
                new Serving(true, 0, 0, DraftAcceptance.NONE, false, false),
                new Search(
                        mode,
                        Accounting.DOCUMENTED,
                        new Axes(
                                new ParallelSizes(List.of(1, 2, 3), null, null),
                                new DraftTokenAxis(List.of(0)),
                                new TokenBudgetAxis(List.of(4096)),
                                QuantizationAxis.of(SmallDeployment.QUANTIZATION)),
                        new BatchPlan(BatchStrategy.EXPONENTIAL, new BatchRange(1, 20_000)),
                        ratio ? Pairing.of(6, 12) : null),
                true);
        return new Optimizer(new AnalyticForwardEstimator(), Runnable::run, 1, Long.MAX_VALUE)
                .optimize(problem, SearchMonitor.SILENT);
    }
}
