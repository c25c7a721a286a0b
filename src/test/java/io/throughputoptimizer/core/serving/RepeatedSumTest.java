package io.throughputoptimizer.core.serving;

import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.fixture.Nightly;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RepeatedSumTest {

    static LongStream seeds() {
        return Nightly.seeds(50);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void equalsAddingOneByOneToTheLastBit(long seed) {
        Random random = new Random(seed);
        double sum = random.nextBoolean() ? 0 : random.nextDouble() * Math.scalb(1.0, random.nextInt(40) - 20);
        double term = random.nextDouble() * Math.scalb(1.0, random.nextInt(40) - 20);
        int count = random.nextInt(100_000);

        assertThat(RepeatedSum.add(sum, term, count)).isEqualTo(oneByOne(sum, term, count));
    }

    /// Terms of a few bits far below the sum's last bit but one, so that steps meet ties.
    @ParameterizedTest
    @MethodSource("seeds")
    void equalsAddingOneByOneWhenStepsMeetTies(long seed) {
        Random random = new Random(seed);
        double sum = Math.scalb(Math.rint(random.nextDouble() * 1000) + (1L << 52), -40);
        double term = Math.ulp(sum) * (random.nextInt(64) + 1) / 4;
        int count = random.nextInt(10_000);

        assertThat(RepeatedSum.add(sum, term, count)).isEqualTo(oneByOne(sum, term, count));
    }

    @Test
    void aSumCrossesPowersOfTwo() {
        assertThat(RepeatedSum.add(1 - Math.ulp(0.5), 0.1, 1000)).isEqualTo(oneByOne(1 - Math.ulp(0.5), 0.1, 1000));
    }

    @Test
    void nothingIsAddedNoTimes() {
        assertThat(RepeatedSum.add(5, 3, 0)).isEqualTo(5);
    }

    @Test
    void zeroAddsNothing() {
        assertThat(RepeatedSum.add(5, 0, Long.MAX_VALUE)).isEqualTo(5);
        assertThat(RepeatedSum.add(0, 0, Long.MAX_VALUE)).isZero();
    }

    @Test
    void infinityStays() {
        assertThat(RepeatedSum.add(1, Double.POSITIVE_INFINITY, 5)).isEqualTo(Double.POSITIVE_INFINITY);
    }

    private static double oneByOne(double sum, double term, int count) {
        double total = sum;
        for (int i = 0; i < count; i++) {
            total += term;
        }
        return total;
    }
}
