package io.throughputoptimizer.quota;

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

class CallerQuotaTest {
    private static final CallerId ANN = CallerId.ofOwner("key:ann");
    private static final CallerId BOB = CallerId.ofOwner("key:bob");

    @ParameterizedTest
    @CsvSource({"1, 1", "2, 1", "3, 2", "4, 3", "5, 4", "8, 6", "20, 16", "100, 80", "1000, 800"})
    void aCallerAloneGetsFourFifths(long all, long alone) {
        assertThat(takeAll(new CallerQuota(all), ANN)).isEqualTo(alone);
    }

    @Test
    void eachFurtherCallerGetsAsLargeAPartOfTheRest() {
        CallerQuota quota = new CallerQuota(1000);

        assertThat(IntStream.range(0, 6)
                        .mapToLong(number -> takeAll(quota, CallerId.ofOwner("key:" + number)))
                        .boxed())
                .containsExactly(800L, 160L, 32L, 6L, 1L, 1L);
        assertThat(quota.taken()).isEqualTo(1000);
    }

    @ParameterizedTest
    @ValueSource(longs = {2, 3, 4, 5, 7, 100})
    void aSecondCallerAlwaysFindsAPlace(long all) {
        CallerQuota quota = new CallerQuota(all);
        takeAll(quota, ANN);

        assertThat(quota.take(BOB)).isTrue();
    }

    @Test
    void anOwnerHoldsAtMostItsMaximumAndAnAddressItsShare() {
        assertThat(takeAll(new CallerQuota(100, 3), ANN)).isEqualTo(3);
        assertThat(takeAll(new CallerQuota(100, 3), CallerId.ofAddress("192.0.2.1")))
                .isEqualTo(80);
    }

    @Test
    void whatOneCallerGivesBackAnotherMayTake() {
        CallerQuota quota = new CallerQuota(100);
        takeAll(quota, ANN);
        takeAll(quota, BOB);

        for (int given = 0; given < 80; given++) {
            quota.giveBack(ANN);
            takeAll(quota, BOB);
        }

        assertThat(quota.held(BOB)).isEqualTo(80);
        assertThat(quota.taken()).isEqualTo(80);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void neverMoreThanAllIsTakenAndNothingIsLost(long seed) {
        Random random = new Random(seed);
        long all = 1 + random.nextLong(200);
        CallerQuota quota = new CallerQuota(all);
        long[] held = new long[7];
        for (int step = 0; step < 20_000; step++) {
            int who = random.nextInt(held.length);
            CallerId caller = CallerId.ofOwner("key:" + who);
            if (random.nextBoolean()) {
                held[who] += quota.take(caller) ? 1 : 0;
            } else if (held[who] > 0) {
                quota.giveBack(caller);
                held[who]--;
            }
            assertThat(quota.held(caller)).isEqualTo(held[who]);
            assertThat(quota.taken())
                    .isEqualTo(IntStream.range(0, held.length)
                            .mapToLong(at -> held[at])
                            .sum())
                    .isLessThanOrEqualTo(all);
        }
        for (int who = 0; who < held.length; who++) {
            for (long left = held[who]; left > 0; left--) {
                quota.giveBack(CallerId.ofOwner("key:" + who));
            }
        }

        assertThat(quota.taken()).isZero();
        assertThat(quota.callers()).isZero();
    }

    @Test
    void manyThreadsTakeNeverMoreThanAll() throws Exception {
        CallerQuota quota = new CallerQuota(10);
        AtomicLong most = new AtomicLong();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> all = new ArrayList<>();
            for (int number = 0; number < 50; number++) {
                CallerId caller = CallerId.ofOwner("key:" + number % 3);
                all.add(threads.submit(() -> {
                    for (int step = 0; step < 1_000; step++) {
                        if (quota.take(caller)) {
                            most.accumulateAndGet(quota.taken(), Math::max);
                            quota.giveBack(caller);
                        }
                    }
                }));
            }
            for (Future<?> one : all) {
                one.get();
            }
        }

        assertThat(most.get()).isPositive().isLessThanOrEqualTo(10);
        assertThat(quota.taken()).isZero();
        assertThat(quota.callers()).isZero();
    }

    @Test
    void nobodyGivesBackWhatHeHasNot() {
        CallerQuota quota = new CallerQuota(10);
        quota.take(ANN);

        assertThatIllegalStateException().isThrownBy(() -> quota.giveBack(BOB));
        assertThat(quota.taken()).isEqualTo(1);
    }

    private static long takeAll(CallerQuota quota, CallerId caller) {
        long taken = 0;
        while (quota.take(caller)) {
            taken++;
        }
        return taken;
    }
}
