package io.throughputoptimizer.core.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.core.capacity.CapacityPlan.Group;
import io.throughputoptimizer.core.capacity.CapacityProblem.Kind;
import io.throughputoptimizer.core.capacity.Requirement.Unit;
import io.throughputoptimizer.core.search.Objective;
import io.throughputoptimizer.core.search.Optimizer;
import io.throughputoptimizer.core.search.SearchMonitor;
import io.throughputoptimizer.core.search.batch.BatchStrategy;
import io.throughputoptimizer.fixture.EveryNight;
import io.throughputoptimizer.fixture.Nightly;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What holds of every answer, by seeded cases.
class CapacityLawsTest {

    static LongStream seeds() {
        return Nightly.seeds(2).map(seed -> 1000 + seed);
    }

    /// Every third one over a link that takes time, and every third one with a limit on whole answers.
    private static CapacityCase asked(long seed) {
        return switch ((int) (seed % 3)) {
            case 0 -> CapacityCase.of(seed);
            case 1 -> CapacityCase.withTransfer(seed);
            default -> CapacityCase.withAnswerLimit(seed);
        };
    }

    private static Map<Kind, Long> fewest(CapacityResult result) {
        return result.plans().stream().collect(Collectors.toMap(DemandPlan::kind, DemandPlan::deviceCount, Math::min));
    }

    private static long fewest(CapacityResult result, Kind kind) {
        return fewest(result).getOrDefault(kind, Long.MAX_VALUE);
    }

    private static long fewestOfAll(CapacityResult result) {
        OptionalLong least =
                result.plans().stream().mapToLong(DemandPlan::deviceCount).min();
        return least.orElse(Long.MAX_VALUE);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void moreDemandNeverTakesFewerDevices(long seed) {
        CapacityCase asked = asked(seed);
        Requirement now = asked.requirement();
        Map<Kind, Long> before = Map.of();
        for (double factor : List.of(0.25, 0.5, 1.0, 1.5, 3.0)) {
            double amount = now.unit() == Unit.CONCURRENCY ? Math.ceil(now.amount() * factor) : now.amount() * factor;
            Map<Kind, Long> devices = fewest(asked.with(now.with(amount)).answer());
            if (!before.isEmpty() || factor > 0.25) {
                Map<Kind, Long> less = before;
                devices.forEach((kind, count) ->
                        assertThat(count).isGreaterThanOrEqualTo(less.getOrDefault(kind, Long.MAX_VALUE)));
            }
            before = devices;
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void withoutCurvesThereAreTheSamePlansAndUnits(long seed) {
        CapacityProblem problem = asked(seed).problem();
        CapacityResult drawn = CapacityCase.answer(problem);
        CapacityResult without = new CapacityOptimizer(new Optimizer(CapacityCase.ESTIMATOR))
                .withoutCurves(problem, SearchMonitor.SILENT);

        assertThat(without.curve()).isEmpty();
        assertThat(fewest(without)).isEqualTo(fewest(drawn));
        assertThat(ServingUnits.of(without, problem.requirement(), false))
                .isEqualTo(ServingUnits.of(drawn, problem.requirement(), false));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void headroomIsAsMuchMoreDemand(long seed) {
        CapacityCase asked = asked(seed);
        Requirement now = asked.requirement();
        if (now.unit() == Unit.CONCURRENCY) {
            return;
        }
        double more = BigDecimal.valueOf(now.amount())
                .multiply(BigDecimal.ONE.add(BigDecimal.valueOf(now.headroom())))
                .doubleValue();
        CapacityResult plain = asked.with(new Requirement(now.unit(), more, 0, now.outputTokens()))
                .answer();

        assertThat(fewest(asked.answer())).isEqualTo(fewest(plain));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void aLargerBudgetNeverTakesMoreDevices(long seed) {
        CapacityCase asked = asked(seed);
        CapacityResult larger = asked.within(asked.budget() * 2).answer();

        assertThat(fewestOfAll(larger)).isLessThanOrEqualTo(fewestOfAll(asked.answer()));
    }

    /// What the devices reach takes no more than all of them, and a little more does.
    @ParameterizedTest
    @MethodSource("seeds")
    void theReachIsTheLargestDemandThatTheDevicesServe(long seed) {
        CapacityCase asked = asked(seed);
        Requirement now = asked.requirement();
        double beyond = now.unit() == Unit.CONCURRENCY ? 1_000_000 : 1e6;
        CapacityResult result = asked.with(now.with(beyond)).answer();

        assertThat(result.plans()).isEmpty();
        for (DemandPlan reach : result.reaches()) {
            double most = reach.requirement().amount();
            double more = now.unit() == Unit.CONCURRENCY ? most + 1 : most * (1 + 1e-9);
            assertThat(reach.deviceCount()).isLessThanOrEqualTo(asked.budget());
            assertThat(fewest(asked.with(now.with(most)).answer(), reach.kind()))
                    .isLessThanOrEqualTo(asked.budget());
            assertThat(fewest(asked.with(now.with(more)).answer(), reach.kind()))
                    .isEqualTo(Long.MAX_VALUE);
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void bisectionShowsALoadBelowWhichTheShareIsNotServed(long seed) {
        CapacityCase asked = asked(seed);
        CapacityResult result = CapacityCase.answer(asked.problem(null, BatchStrategy.EXPONENTIAL));

        for (DemandPlan plan : result.plans()) {
            for (Group group : ((CapacityPlan) plan).groups()) {
                assertThat(group.load().batchSize())
                        .isBetween(1L, group.peak().row().batchSize());
            }
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void plansAreRankedByDevicesAndThenByTheObjective(long seed) {
        Objective objective = new Objective.TokensPerSecondPerUser(1);
        CapacityResult result = CapacityCase.answer(asked(seed).problem(objective, BatchStrategy.EXHAUSTIVE));

        for (int index = 1; index < result.plans().size(); index++) {
            DemandPlan better = result.plans().get(index - 1);
            DemandPlan worse = result.plans().get(index);
            assertThat(better.deviceCount()).isLessThanOrEqualTo(worse.deviceCount());
            if (better.deviceCount() == worse.deviceCount()) {
                assertThat(better.tpotMillis()).isLessThanOrEqualTo(worse.tpotMillis());
            }
        }
    }

    @Test
    @EveryNight
    void casesHaveAnswersOfBothKinds() {
        Map<Kind, Long> answered = LongStream.range(0, 60)
                .mapToObj(CapacityCase::of)
                .map(CapacityCase::answer)
                .flatMap(result -> Arrays.stream(Kind.values())
                        .filter(kind -> fewest(result).containsKey(kind)))
                .collect(Collectors.groupingBy(kind -> kind, Collectors.counting()));

        assertThat(answered.values()).allSatisfy(count -> assertThat(count).isGreaterThan(20L));
    }
}
