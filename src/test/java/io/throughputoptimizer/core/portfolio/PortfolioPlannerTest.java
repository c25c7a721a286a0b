package io.throughputoptimizer.core.portfolio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.throughputoptimizer.core.capacity.CapacityProblem.Kind;
import io.throughputoptimizer.core.capacity.ServingUnits.ServingUnit;
import io.throughputoptimizer.core.capacity.ServingUnits.ServingUnit.Part;
import io.throughputoptimizer.core.portfolio.Portfolio.Assignment;
import io.throughputoptimizer.core.portfolio.Portfolio.DeviceKind;
import io.throughputoptimizer.core.portfolio.Portfolio.Service;
import io.throughputoptimizer.core.portfolio.PortfolioPlan.KindPlan;
import io.throughputoptimizer.core.portfolio.PortfolioPlan.Missing;
import io.throughputoptimizer.core.portfolio.PortfolioPlan.More;
import io.throughputoptimizer.core.portfolio.PortfolioPlan.NoneMissing;
import io.throughputoptimizer.core.portfolio.PortfolioPlan.Outcome;
import io.throughputoptimizer.core.workload.Phase;
import io.throughputoptimizer.fixture.EveryNight;
import io.throughputoptimizer.fixture.Nightly;
import io.throughputoptimizer.portfolio.ScipSolver;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PortfolioPlannerTest {
    private static final Duration AMPLE = Duration.ofMinutes(5);
    private static final int INSTANCES = Nightly.isNow() ? 100 : 8;

    private static PortfolioPlan plan(Portfolio portfolio) {
        return PortfolioPlanner.plan(portfolio, new ScipSolver(AMPLE));
    }

    private static ServingUnit unit(String device, int size, double ability) {
        return new ServingUnit(
                device,
                Kind.AGGREGATED,
                List.of(new Part(Phase.AGGREGATION, "TP=" + size, size, 1)),
                ability,
                null,
                null);
    }

    private static ServingUnit pair(String device, Part prefill, Part decode, double ability) {
        return new ServingUnit(device, Kind.DISAGGREGATED, List.of(prefill, decode), ability, null, null);
    }

    private static List<Double> allDay(double need) {
        return Collections.nCopies(Portfolio.HOURS, need);
    }

    private static Portfolio random(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<DeviceKind> stock = new ArrayList<>();
        for (String name : List.of("A", "B")) {
            Integer node = random.nextInt(3) == 0 ? 4 : null;
            int count = node == null ? random.nextInt(1, 6) : 4;
            stock.add(new DeviceKind(name, count, random.nextInt(1, 40) / 10.0, node));
        }
        List<Service> services = new ArrayList<>();
        for (int place = 0; place < 2; place++) {
            List<ServingUnit> units = new ArrayList<>();
            for (DeviceKind kind : stock) {
                for (int size = 1; size <= (kind.perNode() == null ? 2 : 4); size *= 2) {
                    if (random.nextInt(3) > 0) {
                        units.add(unit(kind.name(), size, random.nextInt(5, 20) * size / 10.0));
                    }
                }
                if (random.nextInt(3) == 0) {
                    units.add(pair(
                            kind.name(),
                            new Part(Phase.PREFILL, "TP=1", 1, random.nextInt(1, 3)),
                            new Part(Phase.DECODE, "TP=2", 2, 1),
                            random.nextInt(20, 60) / 10.0));
                }
            }
            List<Double> levels =
                    List.of(random.nextInt(0, 15) / 10.0, random.nextInt(5, 40) / 10.0, random.nextInt(1, 60) / 10.0);
            List<Double> needs = new ArrayList<>();
            for (int hour = 0; hour < Portfolio.HOURS; hour++) {
                needs.add(levels.get(hour < 8 ? 0 : hour < 16 ? 1 : 2));
            }
            services.add(new Service(
                    "s" + place,
                    needs,
                    random.nextInt(1, 5),
                    random.nextInt(4) == 0 ? random.nextInt(1, 3) : 0,
                    units));
        }
        return new Portfolio(services, stock, random.nextBoolean() ? Assignment.FIXED : Assignment.HOURLY);
    }

    @Test
    void plansAreAsGoodAsTheBestOfAll() {
        int served = 0;
        int shortOf = 0;
        for (long seed = 0; seed < INSTANCES; seed++) {
            Portfolio portfolio = random(seed);
            EveryAssignment every = new EveryAssignment(portfolio, portfolio.stock());
            PortfolioPlan plan = plan(portfolio);
            double cost = every.leastCost();
            if (Double.isFinite(cost)) {
                served++;
                assertThat(plan.outcome()).as("seed %s", seed).isEqualTo(Outcome.SERVED);
                assertThat(plan.cost().value()).as("seed %s", seed).isCloseTo(cost, within(1e-9 * Math.max(1, cost)));
                assertThat(plan.cost().gap()).isZero();
                assertSaved(plan, cost, seed);
            } else {
                double most = every.mostServed();
                if (most < 0) {
                    assertThat(plan.outcome()).as("seed %s", seed).isEqualTo(Outcome.REPLICAS_MISSING);
                } else {
                    shortOf++;
                    assertThat(plan.outcome()).as("seed %s", seed).isEqualTo(Outcome.SHORT);
                    assertThat(plan.served().value()).as("seed %s", seed).isCloseTo(most, within(1e-6));
                    assertGained(plan, most, seed);
                    assertAlone(plan, seed);
                    assertEnough(plan, seed);
                }
            }
        }
        assertThat(served).isGreaterThan(INSTANCES / 5);
        assertThat(shortOf).isGreaterThan(INSTANCES / 5);
    }

    private static List<DeviceKind> with(Portfolio portfolio, String name, int devices) {
        return portfolio.stock().stream()
                .map(kind -> kind.name().equals(name) ? kind.plus(devices) : kind)
                .toList();
    }

    private static void assertSaved(PortfolioPlan plan, double cost, long seed) {
        for (KindPlan kind : plan.kinds()) {
            double less = new EveryAssignment(
                            plan.portfolio(),
                            with(plan.portfolio(), kind.name(), kind.worth().devices()))
                    .leastCost();
            assertThat(kind.worth().saved())
                    .as("seed %s", seed)
                    .isCloseTo(cost - less, within(2e-6 * Math.max(1, cost)));
            assertThat(kind.worth().isProven()).isTrue();
            assertThat(kind.alone()).isEqualTo(new NoneMissing());
        }
    }

    private static void assertGained(PortfolioPlan plan, double most, long seed) {
        if (plan.portfolio().assignment() == Assignment.HOURLY) {
            return;
        }
        for (KindPlan kind : plan.kinds()) {
            double more = new EveryAssignment(
                            plan.portfolio(),
                            with(plan.portfolio(), kind.name(), kind.worth().devices()))
                    .mostServed();
            assertThat(kind.worth().gained()).as("seed %s", seed).isCloseTo(more - most, within(1e-5));
        }
    }

    private static void assertAlone(PortfolioPlan plan, long seed) {
        for (KindPlan kind : plan.kinds()) {
            if (kind.alone() instanceof Missing(int devices, boolean proven) && devices <= 6) {
                assertThat(proven).isTrue();
                assertThat(new EveryAssignment(plan.portfolio(), with(plan.portfolio(), kind.name(), devices))
                                .leastCost())
                        .as("seed %s", seed)
                        .isFinite();
                assertThat(new EveryAssignment(
                                        plan.portfolio(),
                                        with(
                                                plan.portfolio(),
                                                kind.name(),
                                                devices - kind.worth().devices()))
                                .leastCost())
                        .as("seed %s", seed)
                        .isInfinite();
            }
        }
    }

    private static void assertEnough(PortfolioPlan plan, long seed) {
        if (plan.enough().stream().mapToInt(More::devices).sum() > 6
                || plan.enough().isEmpty()) {
            return;
        }
        List<DeviceKind> stock = plan.portfolio().stock();
        for (More more : plan.enough()) {
            stock = stock.stream()
                    .map(kind -> kind.name().equals(more.name()) ? kind.plus(more.devices()) : kind)
                    .toList();
        }
        Portfolio servable = new Portfolio(
                plan.portfolio().services().stream()
                        .filter(service -> !service.units().isEmpty())
                        .toList(),
                stock,
                plan.portfolio().assignment());
        assertThat(new EveryAssignment(servable, stock).leastCost())
                .as("seed %s", seed)
                .isFinite();
    }

    @Test
    void quotientsAreExact() {
        Portfolio portfolio = new Portfolio(
                List.of(new Service("s", allDay(3.3), 1, 0, List.of(unit("A", 1, 1.1)))),
                List.of(new DeviceKind("A", 8, 2, null)),
                Assignment.FIXED);
        assertThat(plan(portfolio).assigned().ofServices()).isEqualTo(List.of(List.of(3)));
    }

    @Test
    void aNeedThatIsLargerByTheLastDigitTakesOneMore() {
        Portfolio portfolio = new Portfolio(
                List.of(new Service("s", allDay(3.3000001), 1, 0, List.of(unit("A", 1, 1.1)))),
                List.of(new DeviceKind("A", 8, 2, null)),
                Assignment.FIXED);
        assertThat(plan(portfolio).assigned().ofServices()).isEqualTo(List.of(List.of(4)));
    }

    @Test
    void nightsAreSwitchedOff() {
        List<Double> needs = IntStream.range(0, Portfolio.HOURS)
                .mapToObj(hour -> hour < 12 ? 1.0 : 4.0)
                .toList();
        Portfolio portfolio = new Portfolio(
                List.of(new Service("s", needs, 1, 2, List.of(unit("A", 1, 1)))),
                List.of(new DeviceKind("A", 8, 2, null)),
                Assignment.FIXED);
        PortfolioPlan plan = plan(portfolio);
        assertThat(plan.assigned().ofServices()).isEqualTo(List.of(List.of(4)));
        assertThat(plan.hours().getFirst().running().ofServices()).isEqualTo(List.of(List.of(2)));
        assertThat(plan.hours().getLast().running().ofServices()).isEqualTo(List.of(List.of(4)));
        assertThat(plan.cost().value()).isEqualTo(4 * 2 * 24);
    }

    /// The plan is what time is for: worths and what hours could switch off are given up.
    @Test
    void onceTimeIsUpNothingIsSolvedButThePlan() {
        Portfolio portfolio = new Portfolio(
                List.of(new Service("s", allDay(3.3), 1, 0, List.of(unit("A", 1, 1.1)))),
                List.of(new DeviceKind("A", 8, 2, null)),
                Assignment.FIXED);
        AtomicInteger programs = new AtomicInteger();
        ScipSolver scip = new ScipSolver(AMPLE);
        PortfolioPlan plan = PortfolioPlanner.plan(portfolio, new ProgramSolver() {
            @Override
            public Solution solve(IntegerProgram program, double share) {
                programs.incrementAndGet();
                return scip.solve(program, share);
            }

            @Override
            public boolean isTimeUp() {
                return programs.get() > 0;
            }
        });
        assertThat(programs).hasValue(1);
        assertThat(plan.assigned().ofServices()).isEqualTo(List.of(List.of(3)));
        assertThat(plan.hours().getFirst().running()).isEqualTo(plan.assigned());
        assertThat(plan.kinds().getFirst().worth().isProven()).isFalse();
    }

    /// What serves the largest needs serves each hour.
    @Test
    void hoursThatTimeIsTooShortForAreServedAllTheSame() {
        List<Double> needs = IntStream.range(0, Portfolio.HOURS)
                .mapToObj(hour -> hour < 12 ? 1.0 : 3.3)
                .toList();
        Portfolio portfolio = new Portfolio(
                List.of(new Service("s", needs, 1, 0, List.of(unit("A", 1, 1.1)))),
                List.of(new DeviceKind("A", 8, 2, null)),
                Assignment.HOURLY);
        AtomicInteger programs = new AtomicInteger();
        ScipSolver scip = new ScipSolver(AMPLE);
        PortfolioPlan plan = PortfolioPlanner.plan(
                portfolio,
                (program, share) -> programs.incrementAndGet() == 1
                        ? scip.solve(program, share)
                        : new ProgramSolver.Solution(ProgramSolver.Status.UNKNOWN, List.of(), 0, 0));
        assertThat(plan.outcome()).isEqualTo(Outcome.SERVED);
        assertThat(plan.hours())
                .allSatisfy(hour -> assertThat(hour.running().ofServices()).isEqualTo(List.of(List.of(3))));
        assertThat(plan.cost().value()).isEqualTo(24 * 3 * 2);
        assertThat(plan.cost().bound()).isCloseTo(12 * 2 * (1 + 3.3) / 1.1, within(1e-6));
    }

    @ParameterizedTest
    @ValueSource(longs = {1})
    @EveryNight
    void twentyServicesOnFiveKindsKeepTheirNeedsInEachHour(long seed) {
        for (Assignment assignment : Assignment.values()) {
            Portfolio portfolio = large(seed, assignment);
            PortfolioPlan plan = PortfolioPlanner.plan(portfolio, new ScipSolver(Duration.ofSeconds(4)));
            assertThat(plan.outcome()).isNotEqualTo(Outcome.REPLICAS_MISSING);
            for (int hour = 0; hour < Portfolio.HOURS; hour++) {
                for (int place = 0; place < portfolio.services().size(); place++) {
                    Service service = portfolio.services().get(place);
                    assertThat(plan.hours()
                                    .get(hour)
                                    .running()
                                    .ability(place, service)
                                    .doubleValue())
                            .isGreaterThanOrEqualTo(
                                    plan.hours().get(hour).served().get(place)
                                                    * service.needs().get(hour)
                                            - 1e-9);
                }
                for (DeviceKind kind : portfolio.stock()) {
                    assertThat(plan.hours().get(hour).running().devices(portfolio.services(), kind.name()))
                            .isLessThanOrEqualTo(kind.count());
                }
            }
            // How near it comes depends on the processor: BenchmarkPortfolioPost tells.
            assertThat(plan.cost().bound()).isLessThanOrEqualTo(plan.cost().value() * (1 + 1e-9));
        }
    }

    private static Portfolio large(long seed, Assignment assignment) {
        SplittableRandom random = new SplittableRandom(seed);
        List<DeviceKind> stock = new ArrayList<>();
        List<Double> speeds = new ArrayList<>();
        for (int kind = 0; kind < 5; kind++) {
            double speed = 1 + 3 * random.nextDouble();
            speeds.add(speed);
            @Nullable Integer node = kind % 2 == 0 ? 8 : null;
            stock.add(new DeviceKind(
                    "K" + kind,
                    64 + 8 * random.nextInt(8),
                    Math.round(100 * speed * (0.8 + 0.5 * random.nextDouble())) / 100.0,
                    node));
        }
        List<Service> services = new ArrayList<>();
        for (int place = 0; place < 20; place++) {
            int smallest = 1 << random.nextInt(3);
            double base = 0.3 + 2 * random.nextDouble();
            List<ServingUnit> units = new ArrayList<>();
            for (int kind = 0; kind < 5; kind++) {
                double fit = 0.7 + 0.6 * random.nextDouble();
                for (int size = smallest; size <= 8; size *= 2) {
                    units.add(unit(
                            "K" + kind,
                            size,
                            base * speeds.get(kind) * fit * size * (0.85 + 0.3 * random.nextDouble()) / 4));
                }
            }
            double phase = random.nextDouble() * 24;
            double peak = (2 + 20 * random.nextDouble()) * base;
            List<Double> needs = IntStream.range(0, Portfolio.HOURS)
                    .mapToObj(hour ->
                            Math.round(1000 * peak * (0.55 + 0.45 * Math.sin((hour - phase) / 12 * Math.PI))) / 1000.0)
                    .toList();
            services.add(new Service("s" + place, needs, 1 + random.nextInt(3), random.nextInt(3), units));
        }
        return new Portfolio(services, stock, assignment);
    }
}
