package io.throughputoptimizer.core.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.core.cost.BoundShares;
import io.throughputoptimizer.core.deployment.ParallelLayout;
import io.throughputoptimizer.core.forward.MemoryFootprint;
import io.throughputoptimizer.core.search.PdRatioRow.Side;
import io.throughputoptimizer.core.search.ResultRow.Breakdowns;
import io.throughputoptimizer.core.search.ResultRow.PrefillPlan;
import io.throughputoptimizer.core.search.space.Candidate;
import io.throughputoptimizer.core.serving.Figures;
import io.throughputoptimizer.core.workload.Limits;
import io.throughputoptimizer.core.workload.OutputLengths;
import io.throughputoptimizer.fixture.Nightly;
import io.throughputoptimizer.fixture.OptimizerVectors;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

class PdRatioSearchTest {
    private static final int DEVICES = 12;

    static Stream<Arguments> vectors() {
        return OptimizerVectors.arguments(OptimizerVectors.common("pd_ratio"));
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void combinationsEqualTheReferenceToTheLastBitAndInOrder(JsonNode vector) {
        PdRatioSearch search = search(vector);

        List<PdRatioRow> combined = new ArrayList<>();
        for (ResultRow prefill : rows(vector, "prefill_rows")) {
            for (ResultRow decode : rows(vector, "decode_rows")) {
                search.side(prefill)
                        .flatMap(one -> search.side(decode)
                                .map(other -> PdRatioRow.of(one, other).withInstances(DEVICES)))
                        .ifPresent(combined::add);
            }
        }
        combined.sort(PdRatioRow.BETTER_FIRST);

        assertThat(references(combined)).isEqualTo(expected(vector.required("combined")));
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void shownRowsEqualTheReference(JsonNode vector) {
        List<PdRatioRow> shown = search(vector)
                .combine(rows(vector, "prefill_rows"), rows(vector, "decode_rows"), () -> {})
                .rows();

        assertThat(references(shown)).isEqualTo(ranked(expected(vector.required("filtered"))));
    }

    /// The counts of the best row for 12 devices.
    @ParameterizedTest
    @MethodSource("vectors")
    void instanceCountsOfTheBestRowEqualTheReference(JsonNode vector) {
        PdRatioRow best = search(vector)
                .combine(rows(vector, "prefill_rows"), rows(vector, "decode_rows"), () -> {})
                .rows()
                .getFirst();
        JsonNode expected = vector.required("cross_hardware");

        assertThat(expected.required("total_devices").intValue()).isEqualTo(DEVICES);
        assertThat(best.instances())
                .isEqualTo(
                        expected.required("p_instances").isNull()
                                ? null
                                : new InstanceCounts(
                                        expected.required("p_instances").intValue(),
                                        expected.required("d_instances").intValue()));
    }

    static LongStream seeds() {
        return Nightly.seeds(33);
    }

    /// All pairs, ranked; the first per pair of layouts, of these the first per rate rounded to 2 decimals.
    @ParameterizedTest
    @MethodSource("seeds")
    void shownRowsAreThoseThatAllPairsWouldGive(long seed) {
        Random random = new Random(seed);
        List<ResultRow> prefill = Stream.generate(() -> row(
                        1 + random.nextInt(3),
                        new Figures((double) (1 + random.nextInt(10)), null, 1, 1, 1, null, null),
                        1 + random.nextInt(5)))
                .limit(1 + random.nextInt(20))
                .toList();
        List<ResultRow> decode = Stream.generate(() -> row(
                        1 + random.nextInt(3),
                        new Figures(null, (double) (1 + random.nextInt(10)), 1, 1, 1, null, null),
                        1 + random.nextInt(5)))
                .limit(1 + random.nextInt(20))
                .toList();
        PdRatioSearch search =
                new PdRatioSearch(new Limits(8.0, 9.0), OutputLengths.fixed(3), DEVICES, Objective.usual(), false);

        assertThat(search.combine(prefill, decode, () -> {}).rows())
                .isEqualTo(shownOfAllPairs(search, prefill, decode));
    }

    private static List<PdRatioRow> shownOfAllPairs(
            PdRatioSearch search, List<ResultRow> prefill, List<ResultRow> decode) {
        Set<Object> layouts = new HashSet<>();
        Set<Double> rates = new HashSet<>();
        return ranked(prefill.stream()
                .filter(row -> Ranking.keeps(row, search.limits().ttftOnly()))
                .flatMap(row -> search.side(row).stream())
                .flatMap(one -> decode.stream()
                        .filter(row -> Ranking.keeps(row, search.limits().tpotOnly()))
                        .flatMap(row -> search.side(row).stream())
                        .map(other -> PdRatioRow.of(one, other).withInstances(DEVICES)))
                .sorted(PdRatioRow.BETTER_FIRST)
                .filter(row -> layouts.add(
                        List.of(row.prefill().candidate(), row.decode().candidate())))
                .filter(row -> rates.add(Math.rint(row.balancedRequestsPerS() * 100) / 100))
                .toList());
    }

    @Test
    void nothingIsCombinedWhenOneSideIsEmpty() {
        PdRatioSearch search =
                new PdRatioSearch(Limits.NONE, OutputLengths.fixed(100), DEVICES, Objective.usual(), false);
        List<ResultRow> prefill = List.of(row(1, new Figures(5.0, null, 1, 1, 1, null, null), 1));

        assertThat(search.combine(prefill, List.of(), () -> {}).rows()).isEmpty();
    }

    /// Two prefill instances for each decode instance when decode takes requests twice as fast.
    @Test
    void theRatioIsPrefillInstancesPerDecodeInstance() {
        PdRatioRow row = PdRatioRow.of(
                        new Side(Candidates.of(ParallelLayout.dense(1, 2)), 1, 2, 100, 10),
                        new Side(Candidates.of(ParallelLayout.dense(2, 1)), 9, 9, 50, 20))
                .withInstances(6);

        assertThat(row.ratio()).isEqualTo(20.0 / 10);
        assertThat(row.instances()).isEqualTo(new InstanceCounts(2, 1));
        assertThat(2 * row.prefill().requestsPerS()).isEqualTo(1 * row.decode().requestsPerS());
    }

    private static PdRatioSearch search(JsonNode vector) {
        Limits limits = new Limits(
                OptimizerVectors.number(vector, "ttft_limits"), OptimizerVectors.number(vector, "tpot_limits"));
        return new PdRatioSearch(
                limits,
                OutputLengths.fixed(vector.required("output_length").intValue()),
                DEVICES,
                Objective.usual(),
                false);
    }

    private static List<ResultRow> rows(JsonNode vector, String side) {
        return OptimizerVectors.stream(vector.required(side))
                .map(row -> row(
                        tensorSize(row.required("parallel")),
                        new Figures(
                                OptimizerVectors.number(row, "ttft"),
                                OptimizerVectors.number(row, "tpot"),
                                1,
                                1,
                                1,
                                null,
                                null),
                        row.required("batch_size").longValue(),
                        row.required("concurrency").longValue()))
                .toList();
    }

    /// What the reference says of pairs.
    private static List<PdRatioRow> references(List<PdRatioRow> rows) {
        return rows.stream()
                .map(row -> new PdRatioRow(
                        row.rank(),
                        row.ratio(),
                        row.balancedRequestsPerS(),
                        references(row.prefill()),
                        references(row.decode()),
                        row.instances(),
                        null,
                        null))
                .toList();
    }

    private static Side references(Side side) {
        return new Side(
                side.candidate(), side.batchSize(), side.concurrency(), side.latencyMillis(), side.requestsPerS());
    }

    private static List<PdRatioRow> expected(JsonNode rows) {
        return OptimizerVectors.stream(rows).map(PdRatioSearchTest::expectedRow).toList();
    }

    private static PdRatioRow expectedRow(JsonNode row) {
        double ratio = row.required("pd_ratio").doubleValue();
        return new PdRatioRow(
                null,
                ratio,
                row.required("balanced_qps").doubleValue(),
                side(row, "p", "ttft_p"),
                side(row, "d", "tpot_d"),
                InstanceCounts.of(ratio, DEVICES, 2, 2).orElse(null),
                null,
                null);
    }

    private static Side side(JsonNode row, String side, String latency) {
        Side expected = new Side(
                candidate(tensorSize(row.required("parallel_" + side))),
                row.required("batch_size_" + side).longValue(),
                row.required("concurrency_" + side).longValue(),
                row.required(latency).doubleValue(),
                row.required(side + "_qps").doubleValue());
        assertThat(expected.deviceCount())
                .isEqualTo(row.required("num_devices_" + side).intValue());
        return expected;
    }

    private static List<PdRatioRow> ranked(List<PdRatioRow> rows) {
        return IntStream.range(0, rows.size())
                .mapToObj(index -> rows.get(index).withRank(index + 1))
                .toList();
    }

    /// `TP=1` and `TP=2` of the vectors, both of 2 devices.
    private static int tensorSize(JsonNode parallel) {
        return Integer.parseInt(parallel.stringValue().substring("TP=".length()));
    }

    private static Candidate candidate(int tensorSize) {
        return Candidates.of(ParallelLayout.dense(tensorSize, tensorSize == 1 ? 2 : 1));
    }

    private static ResultRow row(int tensorSize, Figures figures, long concurrency) {
        return row(tensorSize, figures, concurrency, concurrency);
    }

    private static ResultRow row(int tensorSize, Figures figures, long batchSize, long concurrency) {
        return new ResultRow(
                null,
                candidate(tensorSize),
                batchSize,
                concurrency,
                figures,
                new PrefillPlan(100, 8192, 1),
                new Breakdowns(BoundShares.ZERO, null),
                new MemoryFootprint(1, 0, 0, 0, 0, 0, 0, false, true),
                List.of(),
                0,
                Set.of());
    }
}
