package io.throughputoptimizer.core.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.core.calibrated.CalibratedPoint.Uncertain;
import io.throughputoptimizer.core.calibrated.CalibratedProblem;
import io.throughputoptimizer.core.calibrated.PricedInstance;
import io.throughputoptimizer.core.calibrated.PricedPair;
import io.throughputoptimizer.core.capacity.PairSearchBudget.SearchGuard;
import io.throughputoptimizer.core.capacity.Requirement.Unit;
import io.throughputoptimizer.core.forward.MemoryFootprint;
import io.throughputoptimizer.core.kernels.BandBasis.Coverage;
import io.throughputoptimizer.core.load.Breach;
import io.throughputoptimizer.core.load.LawOutcome;
import io.throughputoptimizer.core.load.PrefixCacheRetention;
import io.throughputoptimizer.core.load.SteadyFigures;
import io.throughputoptimizer.core.load.SteadyFigures.Ttft;
import io.throughputoptimizer.core.load.TurnLengths;
import io.throughputoptimizer.core.model.LayerGroup;
import io.throughputoptimizer.core.search.InstanceCounts;
import io.throughputoptimizer.core.search.MemoryBudget;
import io.throughputoptimizer.core.search.SearchMonitor;
import io.throughputoptimizer.core.search.Workers;
import io.throughputoptimizer.core.search.space.KvTransferLink;
import io.throughputoptimizer.core.workload.Conversation;
import io.throughputoptimizer.core.workload.Limits;
import io.throughputoptimizer.core.workload.Phase;
import io.throughputoptimizer.fixture.Nightly;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Random;
import java.util.function.DoubleFunction;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The fewest measured devices of prefill instances that feed decode instances are those of brute force: every pair of
/// sizes and of layouts in all numbers, at every concurrency.
class FewestMeasuredPairsTest {
    private static final int BUDGET = 24;
    private static final int MOST_BATCH = 20;
    private static final double INFINITY = Double.POSITIVE_INFINITY;

    static LongStream seeds() {
        return Nightly.seeds(1);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void areThoseOfBruteForce(long seed) {
        areThoseOfBruteForce(FewestMeasuredDevicesTest.problem(seed, BUDGET, MOST_BATCH, Coverage.NINE_TENTHS));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void areThoseOfBruteForceWhereCachesTakeTime(long seed) {
        areThoseOfBruteForce(overALink(seed, Coverage.NINE_TENTHS));
    }

    /// Of conversations that are open at once, or of turns a second; caches are short.
    @ParameterizedTest
    @MethodSource("seeds")
    void areThoseOfBruteForceWhereRequestsAreTurns(long seed) {
        areThoseOfBruteForce(ofTurns(seed));
    }

    private static CalibratedCapacityProblem ofTurns(long seed) {
        Random random = new Random(seed + 1);
        CalibratedCapacityProblem problem =
                FewestMeasuredDevicesTest.problem(seed, BUDGET, MOST_BATCH, Coverage.NINE_TENTHS);
        Conversation turns = new Conversation(
                2 + random.nextInt(4),
                random.nextInt(2) * 500,
                100 + random.nextInt(900),
                50 + random.nextInt(300),
                0,
                true,
                1000 * (1 + random.nextInt(600)));
        CalibratedProblem measured = problem.measured();
        Requirement asked = problem.requirement();
        return new CalibratedCapacityProblem(
                measured.with(measured.demand()
                        .with(measured.demand()
                                .traffic()
                                .with(new TurnLengths(turns, PrefixCacheRetention.PROMPT_AND_ANSWER)))),
                problem.instanceSizes(),
                seed % 2 == 0
                        ? new Requirement(
                                Unit.CONVERSATIONS, 1 + random.nextInt(2000), asked.headroom(), turns.generatedTokens())
                        : new Requirement(
                                Unit.REQUESTS_PER_S,
                                1 + random.nextInt(100),
                                asked.headroom(),
                                turns.generatedTokens()),
                problem.mostDevices(),
                null);
    }

    private static CalibratedCapacityProblem overALink(long seed, Coverage coverage) {
        Random random = new Random(~seed);
        return over(
                new KvTransferLink((1 + random.nextInt(20)) * MemoryFootprint.GIB / 10, random.nextInt(100)),
                FewestMeasuredDevicesTest.problem(seed, BUDGET, MOST_BATCH, coverage));
    }

    private static CalibratedCapacityProblem over(KvTransferLink link, CalibratedCapacityProblem problem) {
        return new CalibratedCapacityProblem(
                problem.measured(), problem.instanceSizes(), problem.requirement(), problem.mostDevices(), link);
    }

    private static void areThoseOfBruteForce(CalibratedCapacityProblem problem) {
        List<CalibratedPairPlan> pairs = pairs(problem);

        Map<Sizes, Long> fewest = new HashMap<>();
        pairs.forEach(plan ->
                fewest.put(new Sizes(plan.pair().prefillSize(), plan.pair().decodeSize()), plan.deviceCount()));
        assertThat(fewest).isEqualTo(bruteForce(problem));
        assertThat(pairs).allSatisfy(plan -> {
            PricedPair priced = plan.pair().in(plan.counts());
            int load = (int) plan.load().concurrency();
            assertThat(priced.instances().devices()).isEqualTo((int) plan.deviceCount());
            assertThat(keeps(problem, priced.at(load))).isTrue();
            assertThat(serves(problem.requirement(), 0, plan.load())).isTrue();
            assertThat(serves(problem.requirement(), problem.requirement().headroom(), plan.peak()))
                    .isTrue();
            assertThat(load).isLessThanOrEqualTo((int) plan.peak().concurrency());
            if (load > priced.leastConcurrency()) {
                assertThat(serves(problem.requirement(), 0, (SteadyFigures) priced.at(load - 1)))
                        .isFalse();
            }
            plan.unfavourable().ifPresent(worst -> assertThat(worst).isGreaterThanOrEqualTo(plan.deviceCount()));
            assertThat(plan.load().knownMillis()).isEqualTo(handedMillis(problem));
            assertThat(plan.handover() == null).isEqualTo(problem.transfer() == null);
        });
    }

    /// At the unfavourable ends of the bands, too, on the same layouts.
    @ParameterizedTest
    @MethodSource("seeds")
    void holdAtTheUnfavourableEnds(long seed) {
        holdAtTheUnfavourableEnds(FewestMeasuredDevicesTest.problem(seed, BUDGET, MOST_BATCH, Coverage.HALF));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void holdAtTheUnfavourableEndsWhereCachesTakeTime(long seed) {
        holdAtTheUnfavourableEnds(overALink(seed, Coverage.HALF));
    }

    private static void holdAtTheUnfavourableEnds(CalibratedCapacityProblem problem) {
        assertThat(pairs(problem)).allSatisfy(plan -> {
            Long known = plan.unfavourableDevices();
            CalibratedPair withoutLink = new CalibratedPair(
                    problem.measured(), plan.pair().prefill(), plan.pair().decode(), ration());
            OptionalLong least = least(withoutLink, priced -> heldBy(problem, priced));
            assertThat(known == null || known > BUDGET ? OptionalLong.empty() : OptionalLong.of(known))
                    .isEqualTo(least);
        });
    }

    private static PairSearchBudget ration() {
        return new PairSearchBudget(new SearchGuard(SearchMonitor.SILENT, MemoryBudget.unlimited()), Long.MAX_VALUE);
    }

    /// A link that takes no time changes no figure.
    @ParameterizedTest
    @MethodSource("seeds")
    void anInfinitelyFastLinkChangesNothing(long seed) {
        CalibratedCapacityProblem problem = FewestMeasuredDevicesTest.problem(seed, BUDGET, MOST_BATCH, Coverage.HALF);
        CapacityResult without =
                CalibratedCapacityOptimizer.optimize(problem, SearchMonitor.SILENT, MemoryBudget.unlimited());
        CapacityResult with = CalibratedCapacityOptimizer.optimize(
                over(new KvTransferLink(Double.MAX_VALUE, 0), problem), SearchMonitor.SILENT, MemoryBudget.unlimited());

        assertThat(figures(with.plans())).isEqualTo(figures(without.plans()));
        assertThat(figures(with.beyond())).isEqualTo(figures(without.beyond()));
        assertThat(figures(with.reaches())).isEqualTo(figures(without.reaches()));
        assertThat(with.curve()).isEqualTo(without.curve());
        assertThat(with.statistics()).isEqualTo(without.statistics());
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void withoutCurvesThereAreTheSamePlansAndUnits(long seed) {
        CalibratedCapacityProblem problem = FewestMeasuredDevicesTest.problem(seed, BUDGET, MOST_BATCH, Coverage.HALF);
        CapacityResult drawn =
                CalibratedCapacityOptimizer.optimize(problem, SearchMonitor.SILENT, MemoryBudget.unlimited());
        CapacityResult without = CalibratedCapacityOptimizer.withoutCurves(
                problem, SearchMonitor.SILENT, MemoryBudget.unlimited(), Workers.ALONE);

        assertThat(without.curve()).isEmpty();
        assertThat(figures(without.plans())).isEqualTo(figures(drawn.plans()));
        for (boolean unfavourable : new boolean[] {false, true}) {
            assertThat(ServingUnits.of(without, problem.requirement(), unfavourable))
                    .isEqualTo(ServingUnits.of(drawn, problem.requirement(), unfavourable));
        }
    }

    static List<List<Object>> figures(List<? extends DemandPlan> plans) {
        return plans.stream()
                .map(plan -> List.<Object>of(
                        plan.kind(),
                        plan.requirement(),
                        plan.deviceCount(),
                        Objects.requireNonNullElse(plan.unfavourableDevices(), -1L),
                        plan.utilization(),
                        plan.ttftMillis(),
                        plan.tpotMillis(),
                        plan.requestsPerSecond(),
                        plan.mostRequestsPerSecond()))
                .toList();
    }

    /// What the law without a transfer says, that much later.
    private static LawOutcome later(CalibratedCapacityProblem problem, LawOutcome outcome) {
        double millis = handedMillis(problem);
        return millis > 0 && outcome instanceof SteadyFigures figures
                ? new SteadyFigures(
                        figures.concurrency(),
                        figures.outputTokens(),
                        figures.steps(),
                        new Ttft(
                                figures.ttft().benchmarkMillis() + millis,
                                figures.ttft().burstMillis() + millis,
                                figures.ttft().settledMillis() + millis),
                        figures.tpotMillis(),
                        millis,
                        null,
                        null)
                : outcome;
    }

    /// Of a prompt, in 8 bits: keys and values of 8 heads in 64 layers or of 4 heads in 48, each of 128, or 512 + 64
    /// latent values in 61 layers.
    private static double handedMillis(CalibratedCapacityProblem problem) {
        KvTransferLink link = problem.transfer();
        CalibratedProblem measured = problem.measured();
        double bytes = switch (measured.model().groups().stream()
                .mapToInt(LayerGroup::count)
                .sum()) {
            case 64 -> 64 * 2 * 8 * 128;
            case 48 -> 48 * 2 * 4 * 128;
            default -> 61 * (512 + 64);
        };
        return link == null
                ? 0
                : link.latencyMillis()
                        + bytes * measured.demand().traffic().mean().inputTokens() / link.bytesPerSecond() * 1000;
    }

    private record Sizes(int prefill, int decode) {}

    private static List<CalibratedPairPlan> pairs(CalibratedCapacityProblem problem) {
        return CalibratedCapacityOptimizer.optimize(problem, SearchMonitor.SILENT, MemoryBudget.unlimited())
                .plans()
                .stream()
                .filter(CalibratedPairPlan.class::isInstance)
                .map(CalibratedPairPlan.class::cast)
                .toList();
    }

    private static Map<Sizes, Long> bruteForce(CalibratedCapacityProblem problem) {
        CalibratedProblem measured = problem.measured();
        Map<Sizes, Long> fewest = new HashMap<>();
        for (int prefillSize : problem.instanceSizes()) {
            for (int decodeSize : problem.instanceSizes()) {
                for (PricedInstance prefill : PricedInstance.all(measured, prefillSize, Phase.PREFILL, () -> {})) {
                    for (PricedInstance decode : PricedInstance.all(measured, decodeSize, Phase.DECODE, () -> {})) {
                        if (prefill.lackOfRoomForAPrompt(
                                        measured.demand().traffic().mean())
                                .isEmpty()) {
                            CalibratedPair pair = new CalibratedPair(measured, prefill, decode, ration());
                            least(pair, priced -> servedBy(problem, priced))
                                    .ifPresent(devices ->
                                            fewest.merge(new Sizes(prefillSize, decodeSize), devices, Math::min));
                        }
                    }
                }
            }
        }
        return fewest;
    }

    private static OptionalLong least(CalibratedPair pair, Predicate<PricedPair> serves) {
        long best = Long.MAX_VALUE;
        for (int p = 1; p * pair.prefillSize() < BUDGET; p++) {
            for (int d = 1; p * pair.prefillSize() + d * pair.decodeSize() <= BUDGET; d++) {
                PricedPair priced = pair.in(new InstanceCounts(p, d));
                if (priced.instances().devices() < best && serves.test(priced)) {
                    best = priced.instances().devices();
                }
            }
        }
        return best == Long.MAX_VALUE ? OptionalLong.empty() : OptionalLong.of(best);
    }

    /// At any concurrency whose figures keep the limits and serve the demand at the worse ends of their bands.
    private static boolean heldBy(CalibratedCapacityProblem problem, PricedPair priced) {
        Limits limits = problem.measured().demand().limits();
        Requirement asked = problem.requirement();
        double factor = asked.unit() == Unit.TOKENS_PER_S ? asked.outputTokens() : 1;
        DoubleFunction<LawOutcome> law = priced.law();
        return IntStream.rangeClosed(priced.leastConcurrency(), priced.mostConcurrency())
                .mapToObj(law::apply)
                .map(outcome -> later(problem, outcome))
                .filter(SteadyFigures.class::isInstance)
                .map(figures -> priced.point((SteadyFigures) figures))
                .filter(point -> high(point.ttftMillis()) <= Objects.requireNonNullElse(limits.ttftMillis(), INFINITY)
                        && high(point.tpotMillis()) <= Objects.requireNonNullElse(limits.tpotMillis(), INFINITY))
                .anyMatch(point -> (asked.unit() == Unit.CONCURRENCY
                                ? point.concurrency()
                                : point.requestsPerSecond().band().orElseThrow().low() * factor)
                        >= asked.amount() * (1 + asked.headroom()));
    }

    private static double high(Uncertain figure) {
        return figure.band().orElseThrow().high().orElse(INFINITY);
    }

    private static boolean servedBy(CalibratedCapacityProblem problem, PricedPair priced) {
        DoubleFunction<LawOutcome> law = priced.law();
        for (int concurrency = priced.leastConcurrency(); concurrency <= priced.mostConcurrency(); concurrency++) {
            LawOutcome outcome = later(problem, law.apply(concurrency));
            if (outcome instanceof SteadyFigures figures
                    && keeps(problem, outcome)
                    && serves(problem.requirement(), problem.requirement().headroom(), figures)) {
                return true;
            }
        }
        return false;
    }

    private static boolean keeps(CalibratedCapacityProblem problem, LawOutcome outcome) {
        return Breach.of(problem.measured().demand().limits(), outcome).isEmpty();
    }

    private static boolean serves(Requirement asked, double headroom, SteadyFigures figures) {
        BigDecimal needed =
                BigDecimal.valueOf(asked.amount()).multiply(BigDecimal.ONE.add(BigDecimal.valueOf(headroom)));
        BigDecimal served = switch (asked.unit()) {
            case REQUESTS_PER_S -> BigDecimal.valueOf(figures.requestsPerSecond());
            case TOKENS_PER_S ->
                BigDecimal.valueOf(figures.requestsPerSecond()).multiply(BigDecimal.valueOf(asked.outputTokens()));
            case CONCURRENCY -> BigDecimal.valueOf(figures.concurrency());
            case CONVERSATIONS ->
                BigDecimal.valueOf(Objects.requireNonNull(figures.kept()).conversations());
        };
        return served.compareTo(needed) >= 0;
    }
}
