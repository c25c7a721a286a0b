package io.throughputoptimizer.core.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.throughputoptimizer.core.forward.AnalyticForwardEstimator;
import io.throughputoptimizer.core.forward.ForwardEstimator;
import io.throughputoptimizer.core.search.OptimizationResult.DeviceResult;
import io.throughputoptimizer.core.search.OptimizationResult.PdRatioResult;
import io.throughputoptimizer.core.search.ProblemOutline.SearchMode;
import io.throughputoptimizer.core.search.batch.BatchRange;
import io.throughputoptimizer.core.search.batch.BatchStrategy;
import io.throughputoptimizer.core.search.space.KvTransferLink;
import io.throughputoptimizer.core.search.space.Pairing;
import io.throughputoptimizer.core.search.space.Pairing.Instances;
import io.throughputoptimizer.core.serving.Accounting;
import io.throughputoptimizer.core.workload.Limits;
import io.throughputoptimizer.core.workload.OutputLengths;
import io.throughputoptimizer.core.workload.Phase;
import io.throughputoptimizer.core.workload.TtftBasis;
import io.throughputoptimizer.fixture.LinearEstimator;
import io.throughputoptimizer.fixture.Nightly;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Pairs under a limit on whole answers against all combinations of all batch sizes of both sides, by the formulas.
class EndToEndLatencyLimitTest {
    private static final int LARGEST = 24;
    private static final int DEVICES = 12;

    /// One batch size of one side, by the formulas.
    private record Tried(String label, double millis, double requestsPerS, double countedRequestsPerS, int devices) {}

    static LongStream seeds() {
        return Nightly.seeds(10);
    }

    private record Asked(
            ProblemBuilder problem,
            int outputTokens,
            @Nullable Double ttft,
            @Nullable Double tpot) {}

    private static Asked asked(Random random, Accounting accounting, Pairing pairing) {
        int output = 1 + random.nextInt(300);
        Double ttft = random.nextBoolean() ? 20.0 + random.nextInt(400) : null;
        Double tpot = random.nextBoolean() ? 2 + 4 * random.nextDouble() : null;
        ProblemBuilder problem = ProblemBuilder.problem()
                .mode(SearchMode.PD_RATIO)
                .lengths(200 + random.nextInt(2000), output)
                .accounting(accounting)
                .devices(DEVICES, "DEVICE")
                .instances(pairing);
        return new Asked(problem, output, ttft, tpot);
    }

    private static ForwardEstimator estimator(Random random) {
        return random.nextInt(8) == 0
                ? new AnalyticForwardEstimator()
                : new LinearEstimator(
                        new LinearEstimator.Latency(
                                1 + 20 * random.nextDouble(),
                                0.01 * random.nextDouble(),
                                1 + random.nextDouble(),
                                0.2 * random.nextDouble(),
                                0.00002 * random.nextDouble()),
                        Searches.ROOMY);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void aRatioIsTheBestOfAllCombinations(long seed) {
        Random random = new Random(seed);
        ForwardEstimator estimator = estimator(random);
        Accounting accounting = random.nextBoolean() ? Accounting.DOCUMENTED : Accounting.STEADY;
        Asked asked = asked(random, accounting, Pairing.of(2, 4));
        List<Tried> prefills = tried(estimator, asked, Phase.PREFILL);
        List<Tried> decodes = tried(estimator, asked, Phase.DECODE);
        double limit = limit(prefills, decodes, asked, random);

        Map<String, Double> best = new TreeMap<>();
        prefills.forEach(prefill -> decodes.stream()
                .filter(decode -> prefill.millis + (asked.outputTokens - 1) * decode.millis <= limit)
                .forEach(decode -> best.merge(
                        prefill.label + decode.label,
                        Math.min(prefill.requestsPerS, decode.requestsPerS),
                        Double::max)));

        PdRatioResult found = found(estimator, asked, limit);
        assertThat(found.rows())
                .hasSameSizeAs(best.values().stream()
                        .map(EndToEndLatencyLimitTest::shown)
                        .distinct()
                        .toList());
        assertThat(found.rows()).allSatisfy(row -> {
            assertThat(row.balancedRequestsPerS())
                    .isEqualTo(best.get(row.prefill().candidate().label()
                            + row.decode().candidate().label()));
            assertThat(row.requestLatencyMillis(OutputLengths.fixed(asked.outputTokens)))
                    .isEqualTo(row.prefill().latencyMillis()
                            + (asked.outputTokens - 1) * row.decode().latencyMillis())
                    .isLessThanOrEqualTo(limit);
        });
        assertThat(found.rows().stream()
                        .limit(1)
                        .map(PdRatioRow::balancedRequestsPerS)
                        .toList())
                .isEqualTo(best.values().stream().max(Comparator.naturalOrder()).stream()
                        .toList());
    }

    private static double shown(double requestsPerS) {
        return Math.rint(requestsPerS * 100) / 100;
    }

    /// Sides go by the fewest requests within a thousandth of their rate.
    @ParameterizedTest
    @MethodSource("seeds")
    void instancesInNumbersAreTheBestOfAllCombinations(long seed) {
        Random random = new Random(1000 + seed);
        ForwardEstimator estimator = estimator(random);
        Pairing pairing = new Pairing(
                new Instances(List.of(1, 2), List.of()),
                new Instances(List.of(2, 4), List.of()),
                random.nextBoolean() ? new KvTransferLink(1e9, 5 * random.nextDouble()) : null);
        Asked asked = asked(random, Accounting.STEADY, pairing);
        List<Tried> prefills = tried(estimator, asked, Phase.PREFILL);
        List<Tried> decodes = tried(estimator, asked, Phase.DECODE);
        double limit = limit(prefills, decodes, asked, random);
        PdRatioResult found = found(estimator, asked, limit);

        double best = 0;
        for (Tried prefill : prefills) {
            for (Tried decode : decodes) {
                if (prefill.millis + (asked.outputTokens - 1) * decode.millis <= limit) {
                    best = Math.max(best, perDevice(prefill, decode));
                }
            }
        }
        double most = found.rows().stream()
                .limit(1)
                .mapToDouble(EndToEndLatencyLimitTest::perDevice)
                .sum();
        assertThat(most).isCloseTo(best, within(0.001 * best));
        assertThat(found.rows()).allSatisfy(row -> {
            KvTransferLink.Handover handover =
                    Objects.requireNonNull(row.together()).handover();
            double transfer = handover == null ? 0 : handover.millis();
            assertThat(row.requestLatencyMillis(OutputLengths.fixed(asked.outputTokens)))
                    .isEqualTo(row.prefill().latencyMillis()
                            + transfer
                            + (asked.outputTokens - 1) * row.decode().latencyMillis())
                    .isLessThanOrEqualTo(limit);
        });
    }

    private static double perDevice(PdRatioRow row) {
        return Objects.requireNonNull(row.together()).requestsPerSPerDevice();
    }

    private static double perDevice(Tried prefill, Tried decode) {
        double best = 0;
        for (int p = 1; p * prefill.devices < DEVICES; p++) {
            for (int d = 1; p * prefill.devices + d * decode.devices <= DEVICES; d++) {
                best = Math.max(
                        best,
                        Math.min(p * prefill.countedRequestsPerS, d * decode.countedRequestsPerS)
                                / (p * prefill.devices + d * decode.devices));
            }
        }
        return best;
    }

    /// Somewhere between the fastest and the slowest answer.
    private static double limit(List<Tried> prefills, List<Tried> decodes, Asked asked, Random random) {
        return between(prefills, random) + (asked.outputTokens - 1) * between(decodes, random);
    }

    private static double between(List<Tried> tried, Random random) {
        double least = tried.stream().mapToDouble(Tried::millis).min().orElse(1);
        double most = tried.stream().mapToDouble(Tried::millis).max().orElse(1);
        return 0.9 * least + random.nextDouble() * (most - least);
    }

    private static PdRatioResult found(ForwardEstimator estimator, Asked asked, double limit) {
        DeviceResult device = Searches.onlyDevice(
                estimator,
                asked.problem
                        .limits(new Limits(asked.ttft, asked.tpot, TtftBasis.BENCHMARK, null, false, limit))
                        .batches(BatchStrategy.EXPONENTIAL, new BatchRange(1, LARGEST)));
        return Searches.ratio(device);
    }

    /// All batch sizes of all candidates of a side that keep its own limit, the transfer counted to TTFT.
    private static List<Tried> tried(ForwardEstimator estimator, Asked asked, Phase phase) {
        OptimizationProblem problem = asked.problem
                .limits(Limits.NONE)
                .batches(BatchStrategy.EXHAUSTIVE, new BatchRange(1, LARGEST))
                .listingRows()
                .build();
        PairCandidates sides = PairCandidates.of(problem, estimator);
        List<Tried> tried = new ArrayList<>();
        for (PhasePlan plan : PhasePlan.of(problem, "DEVICE")) {
            if (plan.phase() != phase) {
                continue;
            }
            problem.space(phase, plan.deviceCount())
                    .candidates(layout -> problem.candidate(problem.devices().getFirst(), layout))
                    .forEach(candidate -> {
                        CandidateRows rows = new Optimizer(estimator)
                                .rows(candidate, phase, Limits.NONE, SearchMonitor.SILENT, MemoryBudget.unlimited());
                        for (long batch = 1; batch <= LARGEST; batch++) {
                            ResultRow row = rows.at(batch).orElseThrow();
                            Double ttft = row.figures().ttftMillis();
                            Double tpot = row.figures().tpotMillis();
                            double millis = ttft == null ? Objects.requireNonNull(tpot) : ttft;
                            var handover = sides.handover(candidate);
                            double whole = ttft == null || handover == null ? millis : millis + handover.millis();
                            Double own = ttft == null ? asked.tpot : asked.ttft;
                            double requestsPerS = ttft == null
                                    ? row.concurrency() / (millis * Math.max(asked.outputTokens - 1, 1)) * 1000
                                    : row.concurrency() / millis * 1000;
                            if (own == null || whole <= own) {
                                tried.add(new Tried(
                                        candidate.label(),
                                        whole,
                                        requestsPerS,
                                        candidate.terms().accounting().isReference()
                                                ? requestsPerS
                                                : row.figures().sustainedRequestsPerS(),
                                        plan.deviceCount()));
                            }
                        }
                    });
        }
        return tried;
    }
}
