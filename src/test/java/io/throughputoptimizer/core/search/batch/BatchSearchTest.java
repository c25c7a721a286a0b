package io.throughputoptimizer.core.search.batch;

import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.core.serving.ServingOutcome;
import io.throughputoptimizer.core.serving.ServingPoint;
import io.throughputoptimizer.core.workload.Limits;
import io.throughputoptimizer.fixture.OptimizerVectors;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.LongFunction;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

class BatchSearchTest {

    /// A batch size and what was found there.
    private record Found(long batchSize, double tokensPerSecond) {}

    static Stream<Arguments> traces() {
        return OptimizerVectors.arguments(OptimizerVectors.common("search_traces"));
    }

    @ParameterizedTest
    @MethodSource("traces")
    void probesAndRecordsWhatTheReferenceDoesInItsOrder(JsonNode trace) {
        SearchModel model = SearchModel.named(trace.required("model").stringValue());
        List<Long> probes = new ArrayList<>();
        List<Boolean> stops = new ArrayList<>();
        LongFunction<ServingOutcome> probe = batchSize -> {
            ServingOutcome outcome = model.outcome(batchSize);
            probes.add(batchSize);
            stops.add(outcome instanceof ServingOutcome.Infeasible);
            return outcome;
        };

        List<ServingPoint> recorded = run(strategy(trace), probe, range(trace), model.limits());

        assertThat(probes)
                .isEqualTo(OptimizerVectors.stream(trace.required("probes"))
                        .map(JsonNode::longValue)
                        .toList());
        assertThat(stops)
                .isEqualTo(OptimizerVectors.stream(trace.required("early_stop"))
                        .map(JsonNode::booleanValue)
                        .toList());
        assertThat(sortedByThroughput(recorded))
                .isEqualTo(OptimizerVectors.stream(trace.required("recorded_sorted_by_throughput"))
                        .map(row -> new Found(row.get(0).longValue(), row.get(1).doubleValue()))
                        .toList());
    }

    @ParameterizedTest
    @MethodSource("traces")
    void neverProbesMoreBatchSizesThanItSaid(JsonNode trace) {
        SearchModel model = SearchModel.named(trace.required("model").stringValue());
        for (BatchStrategy strategy : BatchStrategy.values()) {
            Set<Long> probes = new HashSet<>();
            run(
                    strategy,
                    batchSize -> {
                        probes.add(batchSize);
                        return model.outcome(batchSize);
                    },
                    range(trace),
                    model.limits());

            assertThat(probes).hasSizeLessThanOrEqualTo((int) strategy.search().mostProbes(range(trace)));
        }
    }

    @Test
    void theMostProbesOfARangeAreItsBatchSizesOrTheHalvingsOfIt() {
        BatchRange range = new BatchRange(1, 256);

        assertThat(BatchStrategy.EXHAUSTIVE.search().mostProbes(range)).isEqualTo(256);
        assertThat(BatchStrategy.BINARY.search().mostProbes(range)).isEqualTo(1 + 9);
        assertThat(BatchStrategy.EXHAUSTIVE.search().mostProbes(null)).isEqualTo(512 << 10);
        assertThat(BatchStrategy.EXPONENTIAL.search().mostProbes(null)).isEqualTo(1 + 10 + 20);
    }

    @Test
    void exhaustiveSearchTriesEveryBatchSizeOfTheRange() {
        SearchModel model = SearchModel.named("tpot_limit");

        List<ServingPoint> recorded =
                run(BatchStrategy.EXHAUSTIVE, model::outcome, new BatchRange(398, 402), model.limits());

        assertThat(batchSizes(recorded)).containsExactly(398L, 399L, 400L);
    }

    @Test
    void exhaustiveSearchWithoutARangeTriesEveryBatchSizeBelowTheFirstInfeasibleDoubling() {
        SearchModel model = SearchModel.named("memory_exact_zero");

        List<ServingPoint> recorded = run(BatchStrategy.EXHAUSTIVE, model::outcome, null, model.limits());

        assertThat(batchSizes(recorded))
                .isEqualTo(LongStream.rangeClosed(1, 80).boxed().toList());
    }

    @Test
    void exhaustiveSearchRecordsNothingWhenNothingIsFeasible() {
        SearchModel model = SearchModel.named("infeasible_at_1");

        assertThat(run(BatchStrategy.EXHAUSTIVE, model::outcome, null, model.limits()))
                .isEmpty();
    }

    @Test
    void anEstimateBelowTheFeasibleRangeLeavesNothingToRecord() {
        Limits limits = new Limits(null, 50.0);
        // Feasible up to 600: the jump behind it makes the line from 1 to 1024 far too steep.
        LongFunction<ServingOutcome> probe =
                batchSize -> SearchModel.outcome(batchSize, batchSize <= 600 ? 49.0 : 1e9, limits);

        assertThat(run(BatchStrategy.LINEAR_EXPONENTIAL, probe, null, limits)).isEmpty();
        assertThat(batchSizes(run(BatchStrategy.EXPONENTIAL, probe, null, limits)))
                .contains(600L);
    }

    /// Whatever the batch size, the model delivers the same.
    @Test
    void aSearchThatEndsOnAPlateauGoesNoFurtherThanItsFirstUpperEnd() {
        LongFunction<ServingOutcome> probe = batchSize -> SearchModel.outcome(batchSize, batchSize, Limits.NONE);
        for (BatchStrategy strategy : List.of(BatchStrategy.EXPONENTIAL, BatchStrategy.EXHAUSTIVE)) {
            List<ServingPoint> recorded = new ArrayList<>();
            strategy.search().run(new BatchSearch.Trial(probe, recorded::add, 1, true), null, Limits.NONE);
            assertThat(batchSizes(recorded)).isNotEmpty().allMatch(batchSize -> batchSize <= 512);
        }
        assertThat(batchSizes(run(BatchStrategy.EXPONENTIAL, probe, null, Limits.NONE)))
                .anyMatch(batchSize -> batchSize > 100_000);
    }

    private static List<ServingPoint> run(
            BatchStrategy strategy, LongFunction<ServingOutcome> probe, @Nullable BatchRange range, Limits limits) {
        List<ServingPoint> recorded = new ArrayList<>();
        strategy.search()
                .run(new BatchSearch.Trial(probe, recorded::add, range == null ? 1 : range.min()), range, limits);
        return recorded;
    }

    private static BatchStrategy strategy(JsonNode trace) {
        return BatchStrategy.valueOf(trace.required("strategy").stringValue().toUpperCase(Locale.ROOT));
    }

    /// One number is the upper end of a range from 1.
    private static @Nullable BatchRange range(JsonNode trace) {
        List<Integer> given = OptimizerVectors.integers(trace, "batch_range");
        if (given == null) {
            return null;
        }
        return given.size() == 1 ? new BatchRange(1, given.get(0)) : new BatchRange(given.get(0), given.get(1));
    }

    private static List<Found> sortedByThroughput(List<ServingPoint> recorded) {
        return recorded.stream()
                .map(point -> new Found(
                        point.load().batchSize(), Math.rint(point.figures().tokensPerSecond() * 1000) / 1000))
                .sorted(Comparator.comparingDouble(Found::tokensPerSecond))
                .toList();
    }

    private static List<Long> batchSizes(List<ServingPoint> recorded) {
        return recorded.stream().map(point -> point.load().batchSize()).toList();
    }
}
