package io.throughputoptimizer.core.kernels;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.throughputoptimizer.core.kernels.BandBasis.Coverage;
import io.throughputoptimizer.core.kernels.Bands.Band;
import java.util.OptionalDouble;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BandsTest {
    private static final double TINY = 1e-9;

    @Test
    void bandsOfADenseModelAreThoseOfItsRows() {
        Bands bands = dense(Set.of());

        assertBand(bands.ofTpot(45.7).orElseThrow(), 45.7 * 0.89, 45.7 * 1.26, "tpot/dense");
        assertBand(bands.ofTtft(2000).orElseThrow(), 2000 * 0.77, 2000 * 1.84, "ttft/dense");
    }

    @Test
    void halfCoverageIsNarrower() {
        Bands bands = new Bands(Coverage.HALF, Set.of(), BandBasis.TPOT_MOE, BandBasis.TTFT_MOE);

        assertBand(bands.ofTpot(10).orElseThrow(), 9.0, 11.1, "tpot/moe");
        assertThat(Coverage.HALF.share()).isEqualTo(0.5);
    }

    @Test
    void aFlagSquaresTheEndsAndMoreSquareThemTwice() {
        assertBand(dense(Set.of(Flag.DEVICE)).ofTpot(1).orElseThrow(), 0.89 * 0.89, 1.26 * 1.26, "tpot/dense");
        double low = Math.pow(0.89, 4);
        double high = Math.pow(1.26, 4);
        assertBand(dense(Set.of(Flag.DEVICE, Flag.LAYOUT)).ofTpot(1).orElseThrow(), low, high, "tpot/dense");
        assertBand(
                dense(Set.of(Flag.DEVICE, Flag.LAYOUT, Flag.CAPACITY)).ofTpot(1).orElseThrow(),
                low,
                high,
                "tpot/dense");
    }

    @Test
    void otherStatisticsHaveTheBandOfTheMeanAndSaySo() {
        Bands bands = dense(Set.of());

        assertBand(bands.ofTpotStatistic(100).orElseThrow(), 89, 126, "tpot/dense of the mean");
        assertBand(bands.ofTtftStatistic(100).orElseThrow(), 77, 184, "ttft/dense of the mean");
    }

    @Test
    void whatIsUncalibratedHasNoBand() {
        Bands bands = dense(Set.of(Flag.UNCALIBRATED));

        assertThat(bands.ofTpot(1)).isEmpty();
        assertThat(bands.ofTtftStatistic(1)).isEmpty();
        assertThat(bands.ofThroughput(1, 1, 1)).isEmpty();
    }

    @Test
    void throughputIsHighestWhereBothTimesAreLowest() {
        Band band = dense(Set.of()).ofThroughput(500, 1000, 9000).orElseThrow();

        assertBand(band, 500 * 10_000 / (1840 + 9000 * 1.26), 500 * 10_000 / (770 + 8010.0), "ttft/dense, tpot/dense");
    }

    @Test
    void aFirstTokenWithoutAnEndLeavesThroughputWithoutALeast() {
        Bands bands = new Bands(
                Coverage.NINE_TENTHS, Set.of(), BandBasis.TPOT_DISAGGREGATED_NODES, BandBasis.TTFT_DISAGGREGATED);

        assertThat(bands.ofTtft(100).orElseThrow().high()).isEqualTo(OptionalDouble.empty());
        assertThat(bands.ofThroughput(500, 1000, 9000).orElseThrow().low()).isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "TPOT_DENSE, tpot/dense",
        "TPOT_MOE, tpot/moe",
        "TPOT_DISAGGREGATED_ONE_NODE, tpot/disaggregated_one_node",
        "TPOT_DISAGGREGATED_NODES, tpot/disaggregated_nodes",
        "TTFT_DENSE, ttft/dense",
        "TTFT_MOE, ttft/moe",
        "TTFT_MOE_OTHER, ttft/moe_other",
        "TTFT_DISAGGREGATED, ttft/disaggregated"
    })
    void basesAreNamedByFigureAndClass(BandBasis basis, String label) {
        assertThat(basis.label()).isEqualTo(label);
    }

    private static Bands dense(Set<Flag> flags) {
        return new Bands(Coverage.NINE_TENTHS, flags, BandBasis.TPOT_DENSE, BandBasis.TTFT_DENSE);
    }

    private static void assertBand(Band band, double low, double high, String basis) {
        assertThat(band.low()).isCloseTo(low, within(TINY * low));
        assertThat(band.high().orElseThrow()).isCloseTo(high, within(TINY * high));
        assertThat(band.basis()).isEqualTo(basis);
    }
}
