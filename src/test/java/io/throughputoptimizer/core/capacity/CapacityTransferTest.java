package io.throughputoptimizer.core.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.core.capacity.CapacityProblem.Kind;
import io.throughputoptimizer.core.capacity.Requirement.Unit;
import io.throughputoptimizer.core.search.OptimizationProblem;
import io.throughputoptimizer.core.search.OptimizationProblem.Search;
import io.throughputoptimizer.core.search.OptimizationResult;
import io.throughputoptimizer.core.search.Optimizer;
import io.throughputoptimizer.core.search.PdRatioRow;
import io.throughputoptimizer.core.search.PdRatioRow.Side;
import io.throughputoptimizer.core.search.ProblemOutline.SearchMode;
import io.throughputoptimizer.core.search.SearchMonitor;
import io.throughputoptimizer.core.search.space.KvTransferLink;
import io.throughputoptimizer.core.search.space.Pairing;
import io.throughputoptimizer.core.search.space.Pairing.Instances;
import io.throughputoptimizer.fixture.EveryNight;
import io.throughputoptimizer.fixture.Nightly;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What the transfer of caches from prefill to decode instances costs in devices.
class CapacityTransferTest {

    static LongStream seeds() {
        return Nightly.seeds(20);
    }

    /// The plans of separate searches for the P:D ratio of the two sizes, each with the transfer.
    @ParameterizedTest
    @MethodSource("seeds")
    void pairsOfSizesAreCountedFromTheirOwnRatio(long seed) {
        CapacityCase asked = CapacityCase.withTransfer(seed);
        if (asked.requirement().unit() == Unit.CONCURRENCY) {
            return;
        }
        for (DemandPlan plan : asked.answer().plans()) {
            if (plan instanceof CapacityPlan apart && plan.kind() == Kind.DISAGGREGATED) {
                List<PdRatioRow> rows = ratio(
                        asked,
                        apart.groups().getFirst().size(),
                        apart.groups().getLast().size());
                assertThat(plan.deviceCount())
                        .isEqualTo(
                                devices(asked, rows, PdRatioRow::prefill) + devices(asked, rows, PdRatioRow::decode));
                assertThat(plan.handover())
                        .isEqualTo(Objects.requireNonNull(rows.getFirst().together())
                                .handover());
            }
        }
    }

    private static List<PdRatioRow> ratio(CapacityCase asked, int prefillSize, int decodeSize) {
        CapacityProblem problem = asked.problem();
        Search search = problem.search();
        OptimizationResult result = new Optimizer(CapacityCase.ESTIMATOR)
                .optimize(
                        new OptimizationProblem(
                                problem.model(),
                                problem.devices(),
                                asked.budget(),
                                problem.demand(),
                                problem.serving(),
                                new Search(
                                        SearchMode.PD_RATIO,
                                        search.accounting(),
                                        search.axes(),
                                        search.batches(),
                                        new Pairing(
                                                new Instances(List.of(prefillSize), List.of()),
                                                new Instances(List.of(decodeSize), List.of()),
                                                asked.transfer())),
                                false),
                        SearchMonitor.SILENT);
        return Objects.requireNonNull(result.devices().getFirst().pdRatio()).rows();
    }

    /// Of the fastest instances of a side.
    private static long devices(CapacityCase asked, List<PdRatioRow> rows, Function<PdRatioRow, Side> part) {
        Side most = rows.stream()
                .map(part)
                .max(Comparator.comparingDouble(Side::countedRequestsPerS))
                .orElseThrow();
        Requirement requirement = asked.requirement();
        double planned = requirement.amount()
                * (1 + requirement.headroom())
                / (requirement.unit() == Unit.TOKENS_PER_S ? asked.outputTokens() : 1);
        return most.deviceCount() * (long) Math.ceil(planned / most.countedRequestsPerS());
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void transfersSaveNoDevices(long seed) {
        assertThat(fewestApart(CapacityCase.withTransfer(seed)))
                .isGreaterThanOrEqualTo(fewestApart(CapacityCase.of(seed)));
    }

    /// Transfers shorten what the TTFT target leaves to prefill. Pairs with room for that need no more devices.
    @Test
    @EveryNight
    void transfersTakeDevicesOrForbidPairs() {
        long dearer = seeds().filter(
                        seed -> fewestApart(CapacityCase.withTransfer(seed)) > fewestApart(CapacityCase.of(seed)))
                .count();

        assertThat(10 * dearer).isGreaterThan(seeds().count());
    }

    private static long fewestApart(CapacityCase asked) {
        return asked.answer().plans().stream()
                .filter(plan -> plan.kind() == Kind.DISAGGREGATED)
                .mapToLong(DemandPlan::deviceCount)
                .min()
                .orElse(Long.MAX_VALUE);
    }

    /// A link that takes no time changes no figure.
    @ParameterizedTest
    @MethodSource("seeds")
    void anInfinitelyFastLinkChangesNothing(long seed) {
        CapacityCase asked = CapacityCase.of(seed);
        CapacityResult without = asked.answer();
        CapacityResult with =
                asked.over(new KvTransferLink(Double.MAX_VALUE, 0)).answer();

        assertThat(with.plans().stream()
                        .map(CapacityTransferTest::withoutTransfer)
                        .toList())
                .isEqualTo(without.plans());
        assertThat(with.beyond().stream()
                        .map(CapacityTransferTest::withoutTransfer)
                        .toList())
                .isEqualTo(without.beyond());
        assertThat(with.reaches().stream()
                        .map(CapacityTransferTest::withoutTransfer)
                        .toList())
                .isEqualTo(without.reaches());
        assertThat(with.plans().stream().map(DemandPlan::ttftMillis).toList())
                .isEqualTo(without.plans().stream().map(DemandPlan::ttftMillis).toList());
        assertThat(with.instances()).isEqualTo(without.instances());
        assertThat(with.rejections()).isEqualTo(without.rejections());
        assertThat(with.curve()).isEqualTo(without.curve());
    }

    private static DemandPlan withoutTransfer(DemandPlan demanded) {
        CapacityPlan plan = (CapacityPlan) demanded;
        return new CapacityPlan(
                plan.device(),
                plan.groups(),
                plan.requirement(),
                plan.requestsPerSecond(),
                plan.mostRequestsPerSecond(),
                null);
    }
}
