package io.throughputoptimizer.core.search;

import static io.throughputoptimizer.core.search.ProblemBuilder.problem;
import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.core.forward.AnalyticForwardEstimator;
import io.throughputoptimizer.core.search.ProblemOutline.SearchMode;
import io.throughputoptimizer.core.serving.Accounting;
import io.throughputoptimizer.core.workload.Phase;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Decode context parallel sizes of a search: what it finds is the best of separate searches.
class DecodeContextSearchTest {
    private static final List<Integer> SIZES = List.of(1, 2, 4);

    @ParameterizedTest
    @EnumSource(SearchMode.class)
    void aListFindsWhatItsValuesFindOneByOne(SearchMode mode) {
        for (Accounting accounting : List.of(Accounting.DOCUMENTED, Accounting.STEADY)) {
            List<PhaseResult> together = search(asking(mode, accounting, SIZES));

            for (int phase = 0; phase < together.size(); phase++) {
                int index = phase;
                Stream<ResultRow> apart = together.get(phase).phase() == Phase.PREFILL
                        ? search(asking(mode, accounting, List.of(1))).get(index).rows().stream()
                        : SIZES.stream()
                                .flatMap(size ->
                                        search(asking(mode, accounting, List.of(size))).get(index).rows().stream());
                assertThat(told(together.get(phase).rows())).isEqualTo(told(apart.toList()));
            }
        }
    }

    @Test
    void prefillInstancesShareNoSequences() {
        List<PhaseResult> phases = search(asking(SearchMode.DISAGGREGATION, Accounting.DOCUMENTED, SIZES));

        assertThat(phases.getFirst().rows())
                .allSatisfy(row -> assertThat(row.layout().dcp()).isEqualTo(1));
        assertThat(phases.getLast().rows())
                .extracting(row -> row.layout().dcp())
                .contains(1, 2, 4);
    }

    /// Of four key-value heads eight groups leave none to some.
    @Test
    void whatHeadsDoNotGoRoundForIsRejectedWithTheReason() {
        List<PhaseResult> phases =
                search(problem().limits(null, 50.0).devices(16, "DEVICE").contextSizes(List.of(16), 2, 4));

        assertThat(phases.getFirst().rejected()).singleElement().satisfies(rejected -> {
            assertThat(rejected.candidate().label()).isEqualTo("TP=16 | PP=1 | DP=1 | DCP=2");
            assertThat(rejected.reason()).isEqualTo(RejectedCandidate.Reason.MODEL);
            assertThat(rejected.detail())
                    .isEqualTo("4 key-value heads are fewer than the 8 groups of dcp 2 that tp 16 has");
        });
        assertThat(phases.getFirst().rows()).singleElement().satisfies(row -> {
            assertThat(row.layout().dcp()).isEqualTo(4);
            assertThat(row.candidate().deployment().cacheCapacityFactor()).isEqualTo(4);
        });
    }

    /// A device of 64 GB whose cache takes the rest: four ranks that share sequences hold nearly four times as many
    /// requests of one and the same model, weights being small.
    @Test
    void sharedSequencesLeaveRoomForMoreRequests() {
        assertThat(largestBatch(4) / (double) largestBatch(1)).isBetween(3.0, 4.0);
    }

    private static long largestBatch(int dcp) {
        return search(problem()
                        .limits(null, 1e9)
                        .input(100_000)
                        .accounting(Accounting.STEADY)
                        .devices(16, "DEVICE")
                        .contextSizes(List.of(16), dcp))
                .getFirst()
                .recorded()
                .stream()
                .mapToLong(ResultRow::batchSize)
                .max()
                .orElseThrow();
    }

    private static ProblemBuilder asking(SearchMode mode, Accounting accounting, List<Integer> sizes) {
        ProblemBuilder problem = problem()
                .limits(5000.0, 50.0)
                .devices(8, "DEVICE")
                .mode(mode)
                .accounting(accounting)
                .contextSizes(List.of(4, 8), sizes.toArray(Integer[]::new));
        return mode == SearchMode.PD_RATIO ? problem.instances(8, 8) : problem;
    }

    private static List<PhaseResult> search(ProblemBuilder problem) {
        return new Optimizer(new AnalyticForwardEstimator())
                .optimize(problem.build(), SearchMonitor.SILENT)
                .devices()
                .getFirst()
                .phases();
    }

    /// Rows without their ranks, by label.
    private static List<String> told(List<ResultRow> rows) {
        return rows.stream()
                .sorted(Comparator.comparing(row -> row.candidate().label()))
                .map(row -> row.candidate().label() + " " + row.batchSize() + " " + row.figures() + " " + row.memory())
                .toList();
    }
}
