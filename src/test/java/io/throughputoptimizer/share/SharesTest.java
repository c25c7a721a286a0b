package io.throughputoptimizer.share;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SharesTest {
    private static final Sharer ANN = Sharer.ofOwner("key:ann");
    private static final Sharer BOB = Sharer.ofOwner("key:bob");
    private static final long MIB = 1 << 20;

    @ParameterizedTest
    @CsvSource({"1, 1", "2, 1", "3, 2", "4, 3", "5, 4", "8, 6", "20, 16", "100, 80", "1000, 800"})
    void aCallerAloneGetsFourFifths(long all, long alone) {
        assertThat(takeAll(new Shares(all), ANN)).isEqualTo(alone);
    }

    @Test
    void eachFurtherCallerGetsAsLargeAPartOfTheRest() {
        Shares shares = new Shares(1000);

        assertThat(IntStream.range(0, 6)
                        .mapToLong(number -> takeAll(shares, Sharer.ofOwner("key:" + number)))
                        .boxed())
                .containsExactly(800L, 160L, 32L, 6L, 1L, 1L);
        assertThat(shares.taken()).isEqualTo(1000);
    }

    @ParameterizedTest
    @ValueSource(longs = {2, 3, 4, 5, 7, 100})
    void aSecondCallerAlwaysFindsAPlace(long all) {
        Shares shares = new Shares(all);
        takeAll(shares, ANN);

        assertThat(shares.take(BOB)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(longs = {2, 3, 5, 64})
    void aSecondCallerAlwaysFindsTheBytesOfOneBodyHoweverTheyArrive(long bodies) {
        Random random = new Random(bodies);
        for (int round = 0; round < 200; round++) {
            Shares bytes = new Shares(bodies * MIB, MIB);
            for (int refused = 0; refused < 100; ) {
                refused += bytes.take(ANN, 1 + random.nextLong(MIB)) ? 0 : 1;
            }

            long left = MIB;
            while (left > 0) {
                long more = Math.min(left, 1 + random.nextLong(MIB / 4));
                assertThat(bytes.take(BOB, more)).isTrue();
                left -= more;
            }
        }
    }

    @Test
    void whatOneCallerGivesBackAnotherMayTake() {
        Shares shares = new Shares(100);
        takeAll(shares, ANN);
        takeAll(shares, BOB);

        for (int given = 0; given < 80; given++) {
            shares.giveBack(ANN);
            takeAll(shares, BOB);
        }

        assertThat(shares.held(BOB)).isEqualTo(80);
        assertThat(shares.taken()).isEqualTo(80);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void neverMoreThanAllIsTakenAndNothingIsLost(long seed) {
        Random random = new Random(seed);
        long all = 1 + random.nextLong(200);
        Shares shares = new Shares(all);
        long[] held = new long[7];
        for (int step = 0; step < 20_000; step++) {
            int who = random.nextInt(held.length);
            Sharer sharer = Sharer.ofOwner("key:" + who);
            long number = 1 + random.nextLong(5);
            if (random.nextBoolean()) {
                held[who] += shares.take(sharer, number) ? number : 0;
            } else if (held[who] >= number) {
                shares.giveBack(sharer, number);
                held[who] -= number;
            }
            assertThat(shares.held(sharer)).isEqualTo(held[who]);
            assertThat(shares.taken())
                    .isEqualTo(IntStream.range(0, held.length)
                            .mapToLong(at -> held[at])
                            .sum())
                    .isLessThanOrEqualTo(all);
        }
        for (int who = 0; who < held.length; who++) {
            if (held[who] > 0) {
                shares.giveBack(Sharer.ofOwner("key:" + who), held[who]);
            }
        }

        assertThat(shares.taken()).isZero();
        assertThat(shares.sharers()).isZero();
    }

    @Test
    void manyThreadsTakeNeverMoreThanAll() throws Exception {
        Shares shares = new Shares(10);
        AtomicLong most = new AtomicLong();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> all = new ArrayList<>();
            for (int number = 0; number < 50; number++) {
                Sharer sharer = Sharer.ofOwner("key:" + number % 3);
                all.add(threads.submit(() -> {
                    for (int step = 0; step < 1_000; step++) {
                        if (shares.take(sharer)) {
                            most.accumulateAndGet(shares.taken(), Math::max);
                            shares.giveBack(sharer);
                        }
                    }
                }));
            }
            for (Future<?> one : all) {
                one.get();
            }
        }

        assertThat(most.get()).isPositive().isLessThanOrEqualTo(10);
        assertThat(shares.taken()).isZero();
        assertThat(shares.sharers()).isZero();
    }

    @Test
    void nobodyGivesBackWhatHeHasNot() {
        Shares shares = new Shares(10);
        shares.take(ANN);

        assertThatIllegalStateException().isThrownBy(() -> shares.giveBack(BOB));
        assertThatIllegalStateException().isThrownBy(() -> shares.giveBack(ANN, 2));
        assertThat(shares.taken()).isEqualTo(1);
    }

    private static long takeAll(Shares shares, Sharer sharer) {
        long taken = 0;
        while (shares.take(sharer)) {
            taken++;
        }
        return taken;
    }
}
