package io.throughputoptimizer.core.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.api.reading.ProblemReader;
import io.throughputoptimizer.api.reading.SearchQuestion;
import io.throughputoptimizer.api.request.OptimizationRequest;
import io.throughputoptimizer.core.calibrated.CalibratedProblem;
import io.throughputoptimizer.core.calibrated.PricedReplicas;
import io.throughputoptimizer.core.calibrated.TriedReplica;
import io.throughputoptimizer.core.capacity.ScalableInstance.End;
import io.throughputoptimizer.core.capacity.ScalableInstance.Load;
import io.throughputoptimizer.core.load.SimulationResult;
import io.throughputoptimizer.core.load.Traffic;
import io.throughputoptimizer.core.load.TtftSimulations;
import io.throughputoptimizer.core.search.SearchMonitor;
import io.throughputoptimizer.core.workload.Phase;
import io.throughputoptimizer.fixture.BuiltIn;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Days of an autoscaler that keeps a number of requests in flight per instance, as KEDA with a HPA does: it looks
/// every
/// 15 s, adds instances at once, which serve after 300 s, and removes them when no look of the last 300 s wants them.
///
/// Arrivals are a Poisson process of a stored rate profile. Requests are spread evenly, and an instance with `n` of
/// them
/// completes `R(n)` a second with the TTFT and TPOT of the steady state at `n`.
class SimulatedDaysTest {
    private static final int DAY_S = 86_400;
    private static final int LOOK_S = 15;
    private static final int START_S = 300;
    private static final int STABLE_S = 300;
    private static final int MOST_INSTANCES = 500;
    private static final double TOLERANCE = 0.1;
    private static final double TTFT_MS = 1000;
    private static final double TPOT_MS = 30;
    private static final double GOAL = 0.95;

    private static final String REQUEST = """
            {"cost_model": "calibrated", "mode": "capacity", "model_id": "Qwen/Qwen3-32B", "devices": ["H100_SXM"],
             "num_devices": 64, "demand": {"requests_per_s": 12}, "headroom": 0.2, "instance_sizes": [2],
             "engine": {"backend": "vllm", "kv_cache_dtype": "fp8"}, "quantization": {"scheme": "FP8"},
             "search": {"tp_sizes": [2], "dp_sizes": [1]},
             "workload": {"input_length": 3500, "output_length": 1500}, "slo": {"ttft_ms": 1000, "tpot_ms": 30}}""";

    private static ScalableInstance instance;
    private static PricedReplicas priced;
    /// Loads by requests in flight.
    private static Load[] loads;

    @BeforeAll
    static void plan() {
        OptimizationRequest request = new ProblemReader(BuiltIn.CATALOGS, Long.MAX_VALUE)
                .accept(WireFormat.read(REQUEST, OptimizationRequest.class))
                .effective();
        CalibratedCapacityProblem problem = ((SearchQuestion.MeasuredCapacity)
                        new ProblemReader(BuiltIn.CATALOGS, Long.MAX_VALUE).question(request))
                .problem();
        TriedReplica replica = problem.instances()
                .filter(one -> one.phase() == Phase.AGGREGATION)
                .findFirst()
                .orElseThrow();
        instance = ScalableInstance.of(problem, replica, SearchMonitor.SILENT).orElseThrow();
        CalibratedProblem one = problem.measured().about(replica.device()).with(2);
        priced = PricedReplicas.of(one, replica.deployment(), new TtftSimulations(_ -> {}))
                .orElseThrow();
        loads = new Load[1025];
        for (int running = 1; running < loads.length; running++) {
            loads[running] = instance.at(running, End.PREDICTED).orElseThrow();
        }
    }

    /// The rate of each second of a day, between the stored ones in a straight line.
    private static double[] rates(String profile) throws IOException {
        try (InputStream stored = SimulatedDaysTest.class.getResourceAsStream("/autoscaling/rate-profiles.csv")) {
            List<String> lines = new String(Objects.requireNonNull(stored).readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
            int column = Arrays.asList(lines.getFirst().split(",")).indexOf(profile);
            double[] known = lines.stream()
                    .skip(1)
                    .mapToDouble(line -> Double.parseDouble(line.split(",")[column]))
                    .toArray();
            double[] rates = new double[DAY_S];
            double step = (double) DAY_S / known.length;
            for (int second = 0; second < DAY_S; second++) {
                int place = (int) (second / step);
                double share = second / step - place;
                rates[second] = known[place] * (1 - share) + known[Math.min(place + 1, known.length - 1)] * share;
            }
            return rates;
        }
    }

    /// @param kept share of the minutes within the limits
    private record Day(double kept, double instanceHours) {}

    /// @param least fewest instances of each second
    private static Day day(double[] rates, double threshold, int[] least) {
        Random random = new Random(1);
        double inFlight = rates[0] * 30;
        int wanted = Math.max(least[0], (int) Math.ceil(inFlight / threshold));
        int ready = wanted;
        Deque<int[]> starting = new ArrayDeque<>();
        Deque<Integer> looks = new ArrayDeque<>();
        int kept = 0;
        double instanceSeconds = 0;
        double tpot = 0;
        double ttft = 0;
        for (int second = 0; second < DAY_S; second++) {
            while (!starting.isEmpty() && starting.peekFirst()[0] <= second) {
                ready += starting.removeFirst()[1];
            }
            double each = inFlight / ready;
            double served = ready * rate(each);
            inFlight = Math.max(0, inFlight + poisson(random, rates[second]) - served);
            Load load = loads[(int) Math.clamp(Math.ceil(each), 1, loads.length - 1)];
            tpot += load.tpotMillis();
            ttft += load.steadyTtftMillis();
            instanceSeconds += wanted;
            if (second % 60 == 59) {
                kept += tpot / 60 <= TPOT_MS && ttft / 60 <= TTFT_MS ? 1 : 0;
                tpot = 0;
                ttft = 0;
            }
            if (second % LOOK_S == 0) {
                double ratio = inFlight / wanted / threshold;
                int asked = Math.abs(ratio - 1) <= TOLERANCE ? wanted : (int) Math.ceil(inFlight / threshold);
                looks.addLast(Math.clamp(asked, 1, MOST_INSTANCES));
                if (looks.size() > STABLE_S / LOOK_S) {
                    looks.removeFirst();
                }
                int next = asked > wanted
                        ? Math.min(asked, Math.max(2 * wanted, wanted + 4))
                        : Math.min(wanted, Collections.max(looks));
                next = Math.max(next, least[second]);
                if (next > wanted) {
                    starting.addLast(new int[] {second + START_S, next - wanted});
                }
                for (int gone = wanted - next; gone > 0; gone--) {
                    // Those that have not started yet go first.
                    if (starting.isEmpty()) {
                        ready--;
                    } else if (--starting.peekLast()[1] == 0) {
                        starting.removeLast();
                    }
                }
                wanted = next;
            }
        }
        return new Day(kept / (DAY_S / 60.0), instanceSeconds / 3600);
    }

    private static int[] constant(int instances) {
        int[] least = new int[DAY_S];
        Arrays.fill(least, instances);
        return least;
    }

    /// Instances of the greatest rate from now until a new instance serves.
    private static int[] schedule(double[] rates) {
        int[] least = new int[DAY_S];
        for (int second = 0; second < DAY_S; second++) {
            int from = second / START_S * START_S;
            double greatest = Arrays.stream(rates, from, Math.min(DAY_S, from + 2 * START_S + 1))
                    .max()
                    .orElseThrow();
            least[second] =
                    (int) ScalableInstance.replicas(greatest, instance.setting().headroom(), instance.requestsPerS());
        }
        return least;
    }

    private static double rate(double running) {
        if (running < 1) {
            return running * loads[1].requestsPerS();
        }
        int low = (int) Math.min(running, loads.length - 2);
        double share = Math.min(running - low, 1);
        return loads[low].requestsPerS() * (1 - share) + loads[low + 1].requestsPerS() * share;
    }

    private static int poisson(Random random, double mean) {
        double limit = Math.exp(-mean);
        double product = random.nextDouble();
        int count = 0;
        while (product > limit) {
            product *= random.nextDouble();
            count++;
        }
        return count;
    }

    /// Thresholds of requests in flight per instance that the plan and common defaults stand for.
    private static Map<String, Double> policies() {
        double full = Objects.requireNonNull(instance.setting().heldRequests());
        Map<String, Double> policies = new LinkedHashMap<>();
        policies.put("plan", (double) instance.target(End.PREDICTED).getAsLong());
        policies.put("16 running requests", 16.0);
        policies.put("saturation 0.7 of 100 requests", 70.0);
        policies.put("cache threshold 0.8, scale up at 0.85", 0.8 * 0.85 * full);
        return policies;
    }

    @ParameterizedTest
    @CsvSource({"workday", "flash_crowd", "batches", "jumps"})
    void thePlansThresholdKeepsTheLimits(String profile) throws IOException {
        double[] rates = rates(profile);
        Map<String, Day> days = new LinkedHashMap<>();
        List<String> lines = new ArrayList<>();
        policies().forEach((name, threshold) -> {
            days.put(name, day(rates, threshold, constant(1)));
            lines.add("| %s | %s (%.0f) | %.1f%% | %.0f |"
                    .formatted(profile, name, threshold, 100 * days.get(name).kept, days.get(name).instanceHours));
        });
        Day scheduled = day(rates, policies().get("plan"), schedule(rates));
        lines.add("| %s | plan and its schedule | %.1f%% | %.0f |"
                .formatted(profile, 100 * scheduled.kept, scheduled.instanceHours));
        System.out.println(String.join("\n", lines));

        assertThat(days.get("plan").kept).isGreaterThanOrEqualTo(profile.equals("jumps") ? 0.9 : GOAL);
        assertThat(scheduled.kept).isGreaterThanOrEqualTo(GOAL);
        assertThat(days.get("16 running requests").instanceHours).isGreaterThan(1.5 * days.get("plan").instanceHours);
        assertThat(days.get("cache threshold 0.8, scale up at 0.85").kept).isLessThan(GOAL);
    }

    /// Request by request, an instance at the load to aim at keeps the limits, at that of the default of the cache it
    /// does
    /// not.
    @Test
    void theSimulationOfRequestsAgrees() {
        SimulationResult plan = simulated(instance.target(End.PREDICTED).getAsLong());
        assertThat(plan.ttft().mean()).isLessThanOrEqualTo(TTFT_MS);
        assertThat(Objects.requireNonNull(plan.generation()).tpot().mean()).isLessThanOrEqualTo(TPOT_MS);
        long cache =
                (long) (0.8 * 0.85 * Objects.requireNonNull(instance.setting().heldRequests()));
        assertThat(Objects.requireNonNull(simulated(cache).generation()).tpot().mean())
                .isGreaterThan(TPOT_MS);
    }

    private static SimulationResult simulated(long running) {
        double perSecond = loads[(int) running].requestsPerS();
        return priced.simulate(priced.terms().traffic().openLoop(new Traffic.Rate(perSecond, 4000, 1), 1), () -> {});
    }
}
