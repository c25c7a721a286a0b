package io.throughputoptimizer.core.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.core.calibrated.CalibratedDevice;
import io.throughputoptimizer.core.calibrated.CalibratedInstances;
import io.throughputoptimizer.core.calibrated.CalibratedOptimizer;
import io.throughputoptimizer.core.calibrated.CalibratedPoint;
import io.throughputoptimizer.core.calibrated.CalibratedProblem;
import io.throughputoptimizer.core.calibrated.CalibratedProblem.CalibratedDemand;
import io.throughputoptimizer.core.calibrated.CalibratedResult;
import io.throughputoptimizer.core.calibrated.CalibratedSizes;
import io.throughputoptimizer.core.capacity.DemandPlan.CalibratedPlan;
import io.throughputoptimizer.core.forward.MemoryFootprint;
import io.throughputoptimizer.core.kernels.BandBasis.Coverage;
import io.throughputoptimizer.core.kernels.CalibratedDeployment;
import io.throughputoptimizer.core.kernels.CalibratedPass;
import io.throughputoptimizer.core.kernels.Precision;
import io.throughputoptimizer.core.kernels.Scheme;
import io.throughputoptimizer.core.load.ConcurrencySampling;
import io.throughputoptimizer.core.load.MeanRequest;
import io.throughputoptimizer.core.load.RankBatches;
import io.throughputoptimizer.core.load.RequestLengths;
import io.throughputoptimizer.core.load.SpreadLengths;
import io.throughputoptimizer.core.load.SteadyFigures;
import io.throughputoptimizer.core.load.Traffic;
import io.throughputoptimizer.core.replica.RankLimits;
import io.throughputoptimizer.core.search.MemoryBudget;
import io.throughputoptimizer.core.search.SearchMonitor;
import io.throughputoptimizer.core.search.space.AvailableDevices;
import io.throughputoptimizer.core.search.space.KvTransferLink;
import io.throughputoptimizer.core.search.space.Pairing;
import io.throughputoptimizer.core.search.space.Pairing.Instances;
import io.throughputoptimizer.core.workload.Limits;
import io.throughputoptimizer.core.workload.TtftBasis;
import io.throughputoptimizer.fixture.Nightly;
import io.throughputoptimizer.fixture.Silicon;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;

/// No deployment whose devices are counted needs more of their time than there is: the requests a second that it is
/// counted for, times what the passes of one take, priced by themselves, are at most its instances.
class MeasuredDeviceTimeTest {
    private static final int QUESTIONS = Nightly.isNow() ? 120 : 15;

    private final CountedTime time = new CountedTime();

    @Test
    void noCountedDeploymentNeedsMoreTimeThanItsDevicesHave(TestReporter reporter) {
        for (long seed = 0; seed < QUESTIONS; seed++) {
            Random random = new Random(seed);
            if (seed % 2 == 0) {
                measuredPairs(seed, random);
            } else {
                measuredCapacity(seed, random);
            }
        }

        time.report(reporter);
        assertThat(time.broken()).isEmpty();
        assertThat(time.asked())
                .containsExactly(
                        "calibrated capacity",
                        "calibrated pairs kinds",
                        "calibrated pairs lists",
                        "calibrated pairs plain",
                        "calibrated pairs transfer");
        assertThat(time.questions()).isEqualTo(QUESTIONS);
        assertThat(time.fewestGroups()).isGreaterThan(QUESTIONS / 3);
        assertThat(time.groups()).isGreaterThan(25 * QUESTIONS);
    }

    private static CalibratedProblem measured(
            Random random, @Nullable Pairing pairing, List<String> devices, int count) {
        boolean short_ = random.nextInt(3) == 0;
        RequestLengths lengths = new SpreadLengths(100 + random.nextInt(4000), 10 + random.nextInt(900), 1);
        return new CalibratedProblem(
                Silicon.model(List.of("Qwen/Qwen3-32B", "Qwen/Qwen3-30B-A3B", "deepseek-ai/DeepSeek-V3.1")
                        .get(random.nextInt(3))),
                devices.stream()
                        .map(name -> new CalibratedDevice(
                                name,
                                Silicon.calibration(name),
                                Silicon.engine("vllm"),
                                Precision.of(Scheme.FP8_BLOCK),
                                new RankLimits(
                                        short_ ? 4.0 * (lengths.longestInput() + lengths.longestOutput()) : null,
                                        64,
                                        1),
                                null))
                        .toList(),
                AvailableDevices.ofEach(count),
                pairing,
                new CalibratedSizes(List.of(), null, null),
                new CalibratedDemand(
                        new Traffic(lengths, random.nextInt(3) == 0 ? 0.3 : 0, 1 + random.nextInt(10), 0, null),
                        new Limits(
                                random.nextBoolean() ? null : 1000 + random.nextDouble(9000),
                                random.nextBoolean() ? null : 20 + random.nextDouble(60),
                                TtftBasis.BENCHMARK,
                                null),
                        new RankBatches(1, 1 + random.nextInt(120)),
                        false,
                        null),
                Coverage.NINE_TENTHS,
                ConcurrencySampling.EVERY_SUMMIT);
    }

    private void measuredPairs(long seed, Random random) {
        String kind = List.of("plain", "lists", "kinds", "transfer").get((int) (seed / 2 % 4));
        String what = "calibrated pairs " + kind;
        time.asked(what);
        List<String> devices = kind.equals("kinds") ? List.of("h100_sxm", "b200_sxm") : List.of("h200_sxm");
        List<Integer> sizes = kind.equals("plain") ? List.of(4) : List.of(2, 4, 8);
        boolean apart = devices.size() > 1;
        Pairing pairing = new Pairing(
                new Instances(sizes, apart ? List.of(devices.getFirst()) : List.of()),
                new Instances(sizes, apart ? List.of(devices.getLast()) : List.of()),
                kind.equals("transfer") ? new KvTransferLink(20 * MemoryFootprint.GIB, 5) : null);
        CalibratedProblem problem = measured(random, pairing, devices, 8 + random.nextInt(17));
        CalibratedResult result = CalibratedOptimizer.optimize(problem, SearchMonitor.SILENT);
        MeanRequest request = problem.demand().traffic().mean();
        result.devices().stream()
                .flatMap(device -> device.found().rows().stream())
                .forEach(row -> {
                    measuredPair(what, seed, row.at(), request);
                    if (row.most() != null) {
                        measuredPair(what, seed, row.most(), request);
                    }
                });
    }

    private void measuredPair(String what, long seed, CalibratedPoint at, MeanRequest request) {
        CalibratedInstances.Pair pair = at.pair();
        double requestsPerS = at.figures().requestsPerSecond();
        int decodeRanks = pair.counts().decode() * pair.decode().layout().dp();
        double running = Math.max(1, at.figures().concurrency() / decodeRanks);
        time.holds(
                what,
                seed,
                requestsPerS,
                prompt(pair.prefill(), request) + gap(pair.prefill()),
                (double) pair.counts().prefill() * pair.prefill().layout().dp(),
                0);
        time.holds(what, seed, requestsPerS, generation(pair.decode(), running, request), decodeRanks, 0);
    }

    /// Of one request of a rank in which so many run.
    private static double generation(CalibratedDeployment deployment, double running, MeanRequest request) {
        double context = running * (request.inputTokens() + request.outputTokens() / 2);
        return request.outputTokens()
                * (CalibratedPass.of(deployment).decode(running, context) + gap(deployment))
                / running;
    }

    private static double prompt(CalibratedDeployment deployment, MeanRequest request) {
        return CalibratedPass.of(deployment).prefill(request.newTokens(), request.pairs());
    }

    private static double gap(CalibratedDeployment deployment) {
        return deployment.engine().settings().stepGapMillis();
    }

    private void measuredCapacity(long seed, Random random) {
        String what = "calibrated capacity";
        time.asked(what);
        CalibratedProblem measured = measured(random, null, List.of("b200_sxm"), 24);
        double outputs = measured.demand().traffic().mean().outputTokens();
        Requirement.Unit unit = List.of(Requirement.Unit.values()).get(random.nextInt(3));
        double amount = switch (unit) {
            case REQUESTS_PER_S -> 1 + random.nextInt(20);
            case TOKENS_PER_S -> (1 + random.nextInt(20)) * outputs;
            case CONCURRENCY, CONVERSATIONS -> 1 + random.nextInt(300);
        };
        CapacityResult result = CalibratedCapacityOptimizer.optimize(
                new CalibratedCapacityProblem(
                        measured,
                        List.of(2, 4, 8),
                        new Requirement(unit, amount, random.nextInt(3) / 5.0, outputs),
                        Map.of(),
                        random.nextInt(3) == 0 ? new KvTransferLink(20 * MemoryFootprint.GIB, 5) : null),
                SearchMonitor.SILENT,
                MemoryBudget.unlimited());
        MeanRequest request = measured.demand().traffic().mean();
        for (List<DemandPlan> plans : List.of(result.plans(), result.beyond(), result.reaches())) {
            for (DemandPlan plan : plans) {
                switch ((CalibratedPlan) plan) {
                    case CalibratedPairPlan pair -> {
                        measuredPair(what, seed, pair.pair().in(pair.counts()).point(pair.load()), request);
                        measuredPair(what, seed, pair.pair().in(pair.counts()).point(pair.peak()), request);
                    }
                    case CalibratedCapacityPlan equal -> {
                        replicas(what, seed, equal, equal.load(), equal.requestsPerSecond(), request);
                        replicas(what, seed, equal, equal.peak(), equal.mostRequestsPerSecond(), request);
                    }
                }
            }
        }
    }

    private void replicas(
            String what,
            long seed,
            CalibratedCapacityPlan plan,
            SteadyFigures figures,
            double requestsPerS,
            MeanRequest request) {
        CalibratedDeployment deployment = plan.instance().priced().deployment();
        double running = figures.steps().running();
        time.holds(
                what,
                seed,
                requestsPerS,
                prompt(deployment, request) + generation(deployment, running, request),
                (double) plan.count() * deployment.layout().dp(),
                0);
    }
}
