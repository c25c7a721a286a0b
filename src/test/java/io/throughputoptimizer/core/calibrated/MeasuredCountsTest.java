package io.throughputoptimizer.core.calibrated;

import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.core.calibrated.CalibratedProblem.CalibratedDemand;
import io.throughputoptimizer.core.deployment.ParallelLayout;
import io.throughputoptimizer.core.kernels.BandBasis.Coverage;
import io.throughputoptimizer.core.kernels.Precision;
import io.throughputoptimizer.core.kernels.Scheme;
import io.throughputoptimizer.core.load.ConcurrencySampling;
import io.throughputoptimizer.core.load.EngineSettings.Scheduling;
import io.throughputoptimizer.core.load.RankBatches;
import io.throughputoptimizer.core.load.SpreadLengths;
import io.throughputoptimizer.core.load.Traffic;
import io.throughputoptimizer.core.replica.RankLimits;
import io.throughputoptimizer.core.search.space.AvailableDevices;
import io.throughputoptimizer.core.search.space.Pairing;
import io.throughputoptimizer.core.search.space.Pairing.Instances;
import io.throughputoptimizer.core.search.space.Pairing.Kinds;
import io.throughputoptimizer.core.workload.Limits;
import io.throughputoptimizer.core.workload.TtftBasis;
import io.throughputoptimizer.fixture.Nightly;
import io.throughputoptimizer.fixture.Silicon;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What a search on measured devices tries is counted without being made.
class MeasuredCountsTest {
    private static final List<String> NAMES = List.of("H100_SXM", "H200_SXM", "B200_SXM");

    static LongStream seeds() {
        return Nightly.seeds(17);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void asManyLayoutsAreCountedAsThereAre(long seed) {
        Random random = new Random(seed);
        CalibratedProblem problem = problem(random, null);
        for (int devices : List.of(1, 7, 12, 60, 64)) {
            assertThat(problem.layoutsOf(devices))
                    .hasSize((int) problem.countOfLayouts(devices))
                    .doesNotHaveDuplicates()
                    .allMatch(layout -> devices % layout.deviceCount() == 0);
            assertThat(problem.instanceLayouts(devices))
                    .hasSize((int) problem.countOfInstanceLayouts(devices))
                    .containsExactlyElementsOf(problem.layoutsOf(devices).stream()
                            .filter(layout -> layout.deviceCount() == devices)
                            .toList());
        }
        assertThat(problem.candidates())
                .isEqualTo(problem.devices().stream()
                        .mapToLong(device -> problem.layouts(device).size())
                        .sum());
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void asManyPairsAreCountedAsThereAre(long seed) {
        Random random = new Random(seed);
        Pairing pairing = new Pairing(instances(random), instances(random), null);
        CalibratedProblem problem = problem(random, pairing);
        long pairs = 0;
        long inNumbers = 0;
        for (Kinds kinds : problem.kinds()) {
            for (int prefill : pairing.prefillSizes(kinds.prefill(), problem.available())) {
                for (int decode : pairing.decodeSizes(kinds.decode(), problem.available())) {
                    List<ParallelLayout> feeding = problem.instanceLayouts(prefill);
                    long layouts = (long) feeding.size()
                            * problem.instanceLayouts(decode).size();
                    pairs += layouts;
                    inNumbers += layouts
                            * problem.stock(kinds, prefill, decode).counts().size();
                }
            }
        }
        assertThat(problem.candidates()).isEqualTo(pairs);
        long tried = problem.scan().mostTried(problem.available().most());
        assertThat(problem.mostPoints()).isEqualTo(tried * inNumbers);
    }

    private static Instances instances(Random random) {
        List<Integer> sizes = random.ints(1 + random.nextInt(3), 1, 13).boxed().toList();
        Set<String> kinds = new HashSet<>();
        for (int kind = random.nextInt(4); kind > 0; kind--) {
            kinds.add(NAMES.get(random.nextInt(NAMES.size())));
        }
        return new Instances(sizes, List.copyOf(kinds));
    }

    /// With one request of a rank.
    private static CalibratedProblem problem(Random random, @Nullable Pairing pairing) {
        Map<String, Integer> available = new HashMap<>();
        List<CalibratedDevice> devices = new ArrayList<>();
        NAMES.forEach(name -> {
            available.put(name, 1 + random.nextInt(40));
            devices.add(device(name));
        });
        return new CalibratedProblem(
                Silicon.model(random.nextBoolean() ? "Qwen/Qwen3-32B" : "Qwen/Qwen3-30B-A3B"),
                devices,
                random.nextBoolean() ? AvailableDevices.byKind(available) : AvailableDevices.ofEach(36),
                pairing,
                new CalibratedSizes(sizes(random), sizes(random), sizes(random)),
                new CalibratedDemand(
                        new Traffic(new SpreadLengths(1024, 512, 1), 0, 10, 0, null),
                        new Limits(null, null, TtftBasis.BENCHMARK, null),
                        new RankBatches(1, 1),
                        false,
                        null),
                Coverage.NINE_TENTHS,
                ConcurrencySampling.EVERY_SUMMIT);
    }

    private static @Nullable List<Integer> sizes(Random random) {
        return switch (random.nextInt(3)) {
            case 0 -> null;
            case 1 -> List.of();
            default ->
                IntStream.range(0, 1 + random.nextInt(12))
                        .mapToObj(_ -> 1 + random.nextInt(12))
                        .toList();
        };
    }

    private static CalibratedDevice device(String name) {
        return new CalibratedDevice(
                name,
                Silicon.calibration(name.toLowerCase(Locale.ROOT)),
                Silicon.engine("vllm"),
                Precision.of(Scheme.FP8),
                new RankLimits(null, Scheduling.NO_LIMIT, 1),
                null);
    }
}
