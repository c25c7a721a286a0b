package io.throughputoptimizer.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.api.reading.ProblemReader;
import io.throughputoptimizer.api.reading.SearchQuestion;
import io.throughputoptimizer.api.request.OptimizationRequest;
import io.throughputoptimizer.catalog.Catalogs;
import io.throughputoptimizer.core.calibrated.CalibratedInstances;
import io.throughputoptimizer.core.calibrated.CalibratedOptimizer;
import io.throughputoptimizer.core.calibrated.CalibratedPoint;
import io.throughputoptimizer.core.calibrated.CalibratedResult;
import io.throughputoptimizer.core.calibrated.CalibratedRow;
import io.throughputoptimizer.core.capacity.CalibratedCapacityOptimizer;
import io.throughputoptimizer.core.capacity.CalibratedCapacityPlan;
import io.throughputoptimizer.core.capacity.CalibratedPairPlan;
import io.throughputoptimizer.core.capacity.CapacityOptimizer;
import io.throughputoptimizer.core.capacity.CapacityPlan;
import io.throughputoptimizer.core.capacity.CapacityProblem;
import io.throughputoptimizer.core.capacity.DemandPlan.CalibratedPlan;
import io.throughputoptimizer.core.forward.AnalyticForwardEstimator;
import io.throughputoptimizer.core.forward.ForwardPlan;
import io.throughputoptimizer.core.kernels.OperatorTime;
import io.throughputoptimizer.core.load.EngineSettings;
import io.throughputoptimizer.core.load.SteadyFigures;
import io.throughputoptimizer.core.search.InstanceCounts;
import io.throughputoptimizer.core.search.MemoryBudget;
import io.throughputoptimizer.core.search.OptimizationResult;
import io.throughputoptimizer.core.search.OptimizationResult.DeviceResult;
import io.throughputoptimizer.core.search.Optimizer;
import io.throughputoptimizer.core.search.PdRatioRow;
import io.throughputoptimizer.core.search.PdRatioRow.Side;
import io.throughputoptimizer.core.search.PhaseResult;
import io.throughputoptimizer.core.search.ResultRow;
import io.throughputoptimizer.core.search.SearchMonitor;
import io.throughputoptimizer.core.search.space.Candidate;
import io.throughputoptimizer.core.workload.Phase;
import io.throughputoptimizer.fixture.BuiltIn;
import io.throughputoptimizer.fixture.EveryNight;
import io.throughputoptimizer.fixture.PassTime;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.LongStream;
import org.assertj.core.api.Condition;
import org.junit.jupiter.api.Test;

/// Law of sustained rates in each accounting and cost model: a second of requests takes a second of device time or
/// less, pass by pass ([PassTime]).
@EveryNight
class SustainedLawTest {
    private static final Catalogs CATALOGS = BuiltIn.CATALOGS;
    private static final ProblemReader READER = new ProblemReader(CATALOGS, Long.MAX_VALUE);
    private static final Map<ForwardPlan.Key, ForwardPlan> PLANS = new ConcurrentHashMap<>();
    private static final AnalyticForwardEstimator ESTIMATOR = new AnalyticForwardEstimator(
            deployment -> PLANS.computeIfAbsent(ForwardPlan.Key.of(deployment), _ -> new ForwardPlan(deployment)));
    private static final Optimizer OPTIMIZER = new Optimizer(ESTIMATOR);
    private static final PassTime PASSES = new PassTime(ESTIMATOR);
    private static final double SECOND = 1000;
    private static final double LAST_BITS = 1e-9;
    /// Accounting `documented` counts by latencies of three decimals.
    private static final double ROUNDED = 1e-3;

    private static final Condition<Integer> MANY = new Condition<>(number -> number > 20, "more than 20");

    private final Map<String, Integer> checked = new TreeMap<>();

    /// The answers of all questions, since the law says little of a question that nothing is found for.
    @Test
    void nothingThatIsCountedNeedsMoreTimeThanDevicesHave() {
        LongStream.range(0, LoadedQuestions.COUNT).mapToObj(LoadedQuestions::of).forEach(this::check);

        assertThat(checked.get("questions")).isEqualTo(LoadedQuestions.COUNT);
        assertThat(checked.get("documented questions")).isEqualTo(LoadedQuestions.COUNT / 3);
        assertThat(checked.get("steady questions")).isEqualTo(2 * LoadedQuestions.COUNT / 3);
        for (String accounting : List.of("documented", "steady")) {
            for (String kind : List.of("aggregation", "prefill", "decode", "pair", "deployment")) {
                assertThat(checked).as(checked.toString()).hasEntrySatisfying(accounting + " " + kind, MANY);
            }
        }
    }

    private void check(String json) {
        count("questions");
        switch (READER.accept(WireFormat.read(json, OptimizationRequest.class)).problem()) {
            case SearchQuestion.Analytic(var problem, var _, var _, var _) -> {
                count(WireFormat.name(problem.search().accounting()) + " questions");
                check(OPTIMIZER.optimize(problem, SearchMonitor.SILENT));
            }
            case SearchQuestion.Capacity(var problem, var _) -> {
                count(WireFormat.name(problem.search().accounting()) + " questions");
                new CapacityOptimizer(OPTIMIZER)
                        .optimize(problem, SearchMonitor.SILENT)
                        .plans()
                        .forEach(plan -> check((CapacityPlan) plan, problem));
            }
            case SearchQuestion.Calibrated(var problem, var _, var _) -> {
                count("steady questions");
                check(CalibratedOptimizer.optimize(problem, SearchMonitor.SILENT));
            }
            case SearchQuestion.MeasuredCapacity(var problem) -> {
                count("steady questions");
                CalibratedCapacityOptimizer.optimize(problem, SearchMonitor.SILENT, MemoryBudget.unlimited())
                        .plans()
                        .forEach(plan -> check((CalibratedPlan) plan));
            }
        }
    }

    private void check(OptimizationResult result) {
        String accounting = WireFormat.name(result.problem().search().accounting());
        for (DeviceResult device : result.devices()) {
            for (PhaseResult phase : device.phases()) {
                for (ResultRow row : phase.recorded()) {
                    count(accounting + " " + WireFormat.name(phase.phase()));
                    assertTakesASecond(
                            row.figures().sustainedRequestsPerS(), phase.phase(), row.candidate(), row.batchSize());
                }
            }
            if (device.pdRatio() != null) {
                device.pdRatio().rows().forEach(pair -> check(pair, accounting));
            }
        }
    }

    /// Both sides, and both in the numbers of instances that the pair stands in and that serve most.
    private void check(PdRatioRow pair, String accounting) {
        count(accounting + " pair");
        check(pair.prefill(), Phase.PREFILL);
        check(pair.decode(), Phase.DECODE);
        if (pair.together() != null && pair.instances() != null) {
            check(pair, pair.together().requestsPerS(), pair.instances());
        }
        if (pair.available() != null && pair.available().most() != null) {
            check(
                    pair,
                    pair.available().most().requestsPerS(),
                    pair.available().most().counts());
        }
    }

    private static void check(PdRatioRow pair, double rate, InstanceCounts counts) {
        double most = most(pair.prefill().candidate());
        assertThat(rate * millis(pair.prefill(), Phase.PREFILL)).isLessThan(most * counts.prefill());
        assertThat(rate * millis(pair.decode(), Phase.DECODE)).isLessThan(most * counts.decode());
    }

    /// Milliseconds of a second, and what a figure is off by.
    private static double most(Candidate candidate) {
        return SECOND * (1 + (candidate.terms().accounting().isReference() ? ROUNDED : LAST_BITS));
    }

    private static void check(Side side, Phase phase) {
        assertTakesASecond(side.sustainedRequestsPerS(), phase, side.candidate(), side.batchSize());
    }

    private static double millis(Side side, Phase phase) {
        return PASSES.perRequest(phase, side.candidate(), side.batchSize());
    }

    private static void assertTakesASecond(double rate, Phase phase, Candidate candidate, long batchSize) {
        assertThat(rate * PASSES.perRequest(phase, candidate, batchSize))
                .as("%s, batch %s, %s", candidate.label(), batchSize, phase)
                .isCloseTo(SECOND, within(SECOND * LAST_BITS));
    }

    /// The demand, at the load that it puts on each instance.
    private void check(CapacityPlan plan, CapacityProblem problem) {
        count(WireFormat.name(problem.search().accounting()) + " deployment");
        for (CapacityPlan.Group group : plan.groups()) {
            double share = problem.requirement().amount() / group.count();
            assertThat(share
                            * PASSES.perRequest(
                                    group.phase(),
                                    group.load().candidate(),
                                    group.load().batchSize()))
                    .as(
                            "%s of %s, batch %s",
                            group.count(),
                            group.load().candidate().label(),
                            group.load().batchSize())
                    .isLessThan(most(group.load().candidate()));
        }
    }

    private void check(CalibratedResult result) {
        result.devices()
                .forEach(device -> device.found().rows().forEach(row -> {
                    switch (row.at().instances()) {
                        case CalibratedInstances.Replicas replicas -> check(row, replicas);
                        case CalibratedInstances.Pair pair -> check(row, pair);
                    }
                }));
    }

    private void check(CalibratedRow row, CalibratedInstances.Replicas replicas) {
        count("steady aggregation");
        EngineSettings settings = replicas.deployment().engine().settings();
        double prompt = millis(row.steps().prefill())
                + (settings.scheduling().policy() == EngineSettings.Policy.ALTERNATE ? settings.stepGapMillis() : 0);
        double step = millis(row.steps().decode()) + settings.stepGapMillis();
        double each =
                prompt + row.at().figures().outputTokens() * step / row.at().running();
        assertThat(row.at().sustainedRequestsPerS() * each)
                .isCloseTo(SECOND * replicas.shares(), within(SECOND * LAST_BITS * replicas.shares()));
        assertThat(row.at().requestsPerSecond().value() * each).isLessThanOrEqualTo(SECOND * replicas.shares());
    }

    private void check(CalibratedRow row, CalibratedInstances.Pair pair) {
        count("steady pair");
        CalibratedPoint at = row.at();
        double prompt = millis(row.steps().prefill())
                + pair.prefill().engine().settings().stepGapMillis();
        double step =
                millis(row.steps().decode()) + pair.decode().engine().settings().stepGapMillis();
        double decoding = at.figures().outputTokens() * step / at.running();
        int prefills = pair.prefill().layout().dp();
        int decodes = pair.decode().layout().dp();
        double rate = at.requestsPerSecond().value();

        assertThat(pair.prefillPerSecond(at.figures()) * prompt)
                .isCloseTo(SECOND * prefills, within(SECOND * LAST_BITS * prefills));
        assertThat(pair.decodePerSecond(at.figures()) * decoding)
                .isCloseTo(SECOND * decodes, within(SECOND * LAST_BITS * decodes));
        assertThat(rate * prompt).isLessThan(SECOND * pair.counts().prefill() * prefills);
        assertThat(rate * decoding).isLessThan(SECOND * pair.counts().decode() * decodes);
    }

    /// The law's own times, which are held against those of the operators for rows.
    private void check(CalibratedPlan plan) {
        count("steady deployment");
        switch (plan) {
            case CalibratedCapacityPlan replicas -> {
                SteadyFigures figures = replicas.load();
                long ranks = replicas.count() * replicas.instance().priced().ranks();
                assertThat(replicas.requestsPerSecond()).isLessThan(ranks * figures.sustainedPerSecond());
            }
            case CalibratedPairPlan pair -> {
                CalibratedPoint at =
                        pair.pair().in(pair.counts()).row(pair.load()).at();
                assertThat(pair.requestsPerSecond()).isLessThan(at.sustainedRequestsPerS());
            }
        }
    }

    private static double millis(List<OperatorTime> operators) {
        return operators.stream().mapToDouble(OperatorTime::totalMicroseconds).sum() / 1000;
    }

    private void count(String what) {
        checked.merge(what, 1, Integer::sum);
    }
}
