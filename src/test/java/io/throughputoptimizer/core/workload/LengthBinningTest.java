package io.throughputoptimizer.core.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.IntSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class LengthBinningTest {
    private static final long SEED = 17_2026;
    private static final int CASES = 300;

    /// Ten requests: the longest has a bin of its own, and so do the five of 7 tokens; 1 and 2 stand for their mean.
    @Test
    void equalWeightsByHand() {
        LengthCounts counts = counts(1, 2, 3, 7, 7, 7, 7, 7, 90, 100);

        assertThat(LengthBinning.EQUAL_WEIGHT.of(counts, 5).bins())
                .containsExactly(
                        new LengthBin(2, 3, 2),
                        new LengthBin(3, 4, 1),
                        new LengthBin(7, 8, 5),
                        new LengthBin(90, 91, 1),
                        new LengthBin(100, 101, 1));
        assertThat(LengthBinning.EQUAL_WEIGHT.of(counts, 1).bins()).containsExactly(new LengthBin(1, 100, 10));
    }

    /// 10, 20 and 90 have a mean of 40: the bin ends where 40 is its middle. 10, 80 and 90 have one of 60.
    @Test
    void aSkewedBinIsDrawnIn() {
        assertThat(LengthBinning.EQUAL_WEIGHT.of(counts(10, 20, 90, 500), 2).bins())
                .containsExactly(new LengthBin(10, 70, 3), new LengthBin(500, 501, 1));
        assertThat(LengthBinning.EQUAL_WEIGHT.of(counts(10, 80, 90, 500), 2).bins())
                .containsExactly(new LengthBin(30, 90, 3), new LengthBin(500, 501, 1));
    }

    /// Lengths 1 to 100 in five bins are 20 wide; two of them are empty.
    @Test
    void equalWidthsByHand() {
        LengthCounts counts = counts(1, 20, 21, 41, 60, 100);

        assertThat(LengthBinning.EQUAL_WIDTH.of(counts, 5).bins())
                .containsExactly(
                        new LengthBin(1, 21, 2),
                        new LengthBin(21, 41, 1),
                        new LengthBin(41, 61, 2),
                        new LengthBin(81, 100, 1));
    }

    @ParameterizedTest
    @EnumSource
    void aSingleLengthStandsForItself(LengthBinning binning) {
        LengthCounts counts = counts(3500, 3500, 3500);

        LengthDistribution bins = binning.of(counts, 64);

        assertThat(bins.bins()).containsExactly(new LengthBin(3500, 3501, 3));
        assertThat(LengthMoments.of(bins)).isEqualTo(new LengthMoments(3500, 3500.0 * 3500));
    }

    @ParameterizedTest
    @EnumSource
    void theLongestLengthHasABinThatRequestsTake(LengthBinning binning) {
        assertThat(binning.of(counts(1, LengthCounts.MOST_TOKENS), 64).bins())
                .allMatch(bin -> bin.maxTokens() <= 1_000_000)
                .hasSize(2);
    }

    /// A bin for each length loses nothing.
    @ParameterizedTest
    @EnumSource
    void enoughBinsLoseNothing(LengthBinning binning) {
        LengthCounts counts = counts(5, 6, 6, 8, 9, 12, 12, 12);

        assertThat(LengthMoments.of(binning.of(counts, 64))).isEqualTo(counts.moments());
    }

    @Test
    void equallyWideBinsHoldTheLengthsThatTheySay() {
        Random random = new Random(SEED);
        for (int i = 0; i < CASES; i++) {
            int[] lengths = lengths(random);
            int most = 1 + random.nextInt(64);

            LengthCounts counts = counts(lengths);

            List<LengthBin> bins = LengthBinning.EQUAL_WIDTH.of(counts, most).bins();

            assertThat(bins).hasSizeBetween(1, most);
            for (LengthBin bin : bins) {
                boolean ends = bin.equals(bins.getLast()) && bin.maxTokens() == counts.longest();
                assertThat(bin.weight())
                        .isEqualTo(Arrays.stream(lengths)
                                .filter(length -> length >= bin.minTokens()
                                        && (length < bin.maxTokens() || (ends && length == bin.maxTokens())))
                                .count());
            }
            assertThat(sum(bins)).isEqualTo(lengths.length);
        }
    }

    /// Bins hold no more than their share and what one length has; the mean is kept to half a token, which middles are
    /// rounded by, and what is lost of the square is the spread within bins.
    @Test
    void equallyHeavyBinsKeepTheMeanAndTheLongest() {
        Random random = new Random(SEED);
        for (int i = 0; i < CASES; i++) {
            int[] lengths = lengths(random);
            int most = 2 + random.nextInt(63);
            LengthCounts counts = counts(lengths);

            LengthDistribution distribution = LengthBinning.EQUAL_WEIGHT.of(counts, most);

            List<LengthBin> bins = distribution.bins();
            assertThat(bins).hasSizeBetween(1, most);
            assertThat(sum(bins)).isEqualTo(lengths.length);
            int heaviest = IntStream.rangeClosed(0, counts.longest())
                    .map(counts::of)
                    .max()
                    .orElseThrow();
            assertThat(bins).allMatch(bin -> bin.weight() <= (double) lengths.length / (most - 1) + heaviest);
            assertThat(bins.getLast().minTokens()).isEqualTo(counts.longest());
            LengthMoments before = counts.moments();
            LengthMoments after = LengthMoments.of(distribution);
            assertThat(after.mean()).isCloseTo(before.mean(), within(0.5));
            assertThat(after.second()).isLessThanOrEqualTo(before.second() + before.mean() + 1);
        }
    }

    private static double sum(List<LengthBin> bins) {
        return bins.stream().mapToDouble(LengthBin::weight).sum();
    }

    /// Lengths as requests have them, a few of them very long.
    @Test
    void aLongTailIsNotMadeHeavier() {
        Random random = new Random(SEED);
        LengthCounts counts = new LengthCounts();
        for (int request = 0; request < 200_000; request++) {
            counts.add((int) Math.max(1, Math.min(131_072, Math.exp(7 + random.nextGaussian()))));
        }

        LengthMoments exact = counts.moments();
        LengthMoments binned = LengthMoments.of(LengthBinning.EQUAL_WEIGHT.of(counts, 64));

        assertThat(exact.mean()).isCloseTo(Math.exp(7.5), within(20.0));
        assertThat(binned.mean()).isCloseTo(exact.mean(), within(0.5));
        assertThat(binned.second() / exact.second()).isBetween(0.9, 1.0);
    }

    @Test
    void quantilesAndMomentsAreThoseOfTheSortedLengths() {
        Random random = new Random(SEED);
        for (int i = 0; i < CASES; i++) {
            int[] lengths = lengths(random);
            LengthCounts counts = counts(lengths);
            int[] sorted = Arrays.stream(lengths).sorted().toArray();

            assertThat(counts.shortest()).isEqualTo(sorted[0]);
            assertThat(counts.longest()).isEqualTo(sorted[sorted.length - 1]);
            double share = 1 - random.nextDouble();
            assertThat(counts.quantile(share)).isEqualTo(sorted[(int) Math.ceil(share * sorted.length) - 1]);
            assertThat(counts.moments().mean())
                    .isCloseTo(Arrays.stream(lengths).average().orElseThrow(), within(1e-6));
            assertThat(counts.moments().second())
                    .isCloseTo(
                            Arrays.stream(lengths)
                                    .mapToDouble(length -> (double) length * length)
                                    .average()
                                    .orElseThrow(),
                            within(1e-3));
        }
    }

    @ParameterizedTest
    @CsvSource({"-1", "1000000"})
    void aLengthOutOfRangeIsNotCounted(int tokens) {
        assertThatThrownBy(() -> new LengthCounts().add(tokens))
                .hasMessage("length is " + tokens + ": a whole number from 0 to 999999 is needed");
    }

    @Test
    void nothingIsSaidOfNoRequests() {
        assertThatThrownBy(() -> new LengthCounts().moments()).hasMessage("no request was counted");
    }

    private static int[] lengths(Random random) {
        int most = 1 + random.nextInt(random.nextBoolean() ? 20 : 20_000);
        IntSupplier length = () -> random.nextInt(4) == 0 ? most : random.nextInt(most + 1);
        return IntStream.generate(length).limit(1 + random.nextInt(500)).toArray();
    }

    private static LengthCounts counts(int... lengths) {
        LengthCounts counts = new LengthCounts();
        Arrays.stream(lengths).forEach(counts::add);
        return counts;
    }
}
