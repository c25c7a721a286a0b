package io.throughputoptimizer.core.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.throughputoptimizer.core.deployment.ParallelLayout;
import io.throughputoptimizer.core.search.PairCounts.Weights;
import io.throughputoptimizer.core.search.PdRatioRow.Side;
import io.throughputoptimizer.core.search.space.AvailableDevices;
import io.throughputoptimizer.core.search.space.Pairing.Kinds;
import io.throughputoptimizer.fixture.Nightly;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PairCountsTest {
    private static final Kinds ONE = new Kinds("A", "A");
    private static final Kinds TWO = new Kinds("A", "B");
    private static final Weights DEVICES = new Weights(2, 4);

    static LongStream seeds() {
        return Nightly.seeds(50);
    }

    /// All numbers that the devices hold, tried one by one.
    @ParameterizedTest
    @MethodSource("seeds")
    void theBestNumbersAreThoseOfAllNumbers(long seed) {
        Random random = new Random(seed);
        PairCounts pair = new PairCounts(
                side(1 << random.nextInt(4), rate(random)),
                side(1 + random.nextInt(6), rate(random)),
                random.nextBoolean() ? ONE : TWO,
                available(random));
        Weights weights = random.nextBoolean()
                ? new Weights(pair.prefill().deviceCount(), pair.decode().deviceCount())
                : new Weights(rate(random), rate(random));
        List<InstanceCounts> all = all(pair);

        Optional<InstanceCounts> efficient = pair.most(weights);
        Optional<InstanceCounts> fast = pair.most();

        assertThat(efficient.isPresent()).isEqualTo(!all.isEmpty());
        assertThat(fast.isPresent()).isEqualTo(!all.isEmpty());
        if (!all.isEmpty()) {
            double best = all.stream()
                    .mapToDouble(counts -> pair.rate(counts, weights))
                    .max()
                    .orElseThrow();
            assertThat(pair.rate(efficient.orElseThrow(), weights)).isCloseTo(best, within(best * 1e-14));
            assertThat(all).contains(efficient.orElseThrow()).contains(fast.orElseThrow());
            double most = all.stream().mapToDouble(pair::requestsPerS).max().orElseThrow();
            assertThat(pair.requestsPerS(fast.orElseThrow())).isEqualTo(most);
            assertThat(used(pair, fast.orElseThrow()))
                    .isEqualTo(all.stream()
                            .filter(counts -> pair.requestsPerS(counts) == most)
                            .map(counts -> used(pair, counts))
                            .min(Comparator.naturalOrder())
                            .orElseThrow());
        }
    }

    @Test
    void multiplesOfTheBestNumbersTakeAllTheDevicesTheyCan() {
        // Two prefill instances of 2 feed one decode instance of 4: 8 devices, and 8 more of the 19.
        PairCounts pair = new PairCounts(side(2, 3), side(4, 6), ONE, AvailableDevices.ofEach(19));

        assertThat(pair.most(DEVICES)).contains(new InstanceCounts(4, 2));
    }

    @Test
    void twoKindsOfDeviceDoNotShareTheirNumber() {
        PairCounts pair = new PairCounts(side(2, 3), side(4, 6), TWO, AvailableDevices.ofEach(16));

        // 8 prefill instances would feed the 4 decode instances on the 16 devices of their own.
        assertThat(pair.most(DEVICES)).contains(new InstanceCounts(8, 4));
    }

    @Test
    void eachKindHasItsOwnNumber() {
        PairCounts pair =
                new PairCounts(side(2, 3), side(4, 6), TWO, AvailableDevices.byKind(Map.of("A", 10, "B", 16)));

        // 5 prefill instances on 10 devices would feed 2.5 of the 4 decode instances.
        assertThat(pair.most(DEVICES)).contains(new InstanceCounts(4, 2));
        assertThat(pair.most()).contains(new InstanceCounts(5, 3));
    }

    @Test
    void ratesFarApartAreFoundAtOnce() {
        PairCounts pair = new PairCounts(side(1, 1e-3), side(1, 998), ONE, AvailableDevices.ofEach(1_000_000));

        assertThat(pair.most(DEVICES)).contains(new InstanceCounts(998_000, 1));
    }

    @Test
    void devicesThatHoldNoPairHaveNoNumbers() {
        PairCounts pair = new PairCounts(side(2, 3), side(4, 6), ONE, AvailableDevices.ofEach(5));

        assertThat(pair.most(DEVICES)).isEmpty();
        assertThat(pair.most()).isEmpty();
    }

    private static List<InstanceCounts> all(PairCounts pair) {
        return IntStream.rangeClosed(1, pair.available().most())
                .boxed()
                .flatMap(prefill -> IntStream.rangeClosed(1, pair.available().most())
                        .filter(decode -> pair.fits(prefill, decode))
                        .mapToObj(decode -> new InstanceCounts(prefill, decode)))
                .toList();
    }

    private static int used(PairCounts pair, InstanceCounts counts) {
        return counts.prefill() * pair.prefill().deviceCount()
                + counts.decode() * pair.decode().deviceCount();
    }

    private static AvailableDevices available(Random random) {
        int count = 1 + random.nextInt(70);
        return random.nextBoolean()
                ? AvailableDevices.ofEach(count)
                : AvailableDevices.byKind(Map.of("A", count, "B", 1 + random.nextInt(70)));
    }

    /// Often whole, so that numbers can balance exactly.
    private static double rate(Random random) {
        return random.nextBoolean() ? 1 + random.nextInt(8) : 0.05 + 20 * random.nextDouble();
    }

    private static Side side(int devices, double requestsPerS) {
        return new Side(Candidates.of(ParallelLayout.dense(1, devices)), 1, devices, 1, requestsPerS);
    }
}
