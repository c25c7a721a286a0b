package io.throughputoptimizer.core.serving;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DecimalsTest {

    @ParameterizedTest
    @CsvSource({
        // Ties in binary go to the even digit.
        "0.125, 2, 0.12",
        "0.375, 2, 0.38",
        // In binary a little less, and a little more, than a tie.
        "13777.955, 2, 13777.95",
        "45147.675, 2, 45147.68",
        "0.96, 3, 0.960",
        "64, 1, 64.0",
        "-0.001, 2, 0.00"
    })
    void roundsTheExactBinaryValueWithTiesToEven(double number, int decimals, String text) {
        assertThat(Decimals.fixed(number, decimals)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "9451.04 | 1 | 9,451.0",
                "0.125 | 2 | 0.12",
                "999.5 | 0 | 1,000",
                "-1234567.891 | 2 | -1,234,567.89",
                "Infinity | 1 | inf"
            })
    void separatesThousands(double number, int decimals, String text) {
        assertThat(Decimals.grouped(number, decimals)).isEqualTo(text);
    }

    @Test
    void exactTextReadsBackAsTheSameNumber() {
        Random random = new Random(6);
        for (int i = 0; i < 10_000; i++) {
            double number = random.nextGaussian() * Math.pow(10, random.nextInt(24) - 8.0);
            assertThat(Double.parseDouble(Decimals.exact(number))).isEqualTo(number);
        }
    }

    @ParameterizedTest
    @CsvSource({"50, 50.0", "10000000, 10000000.0", "0.0001, 0.0001", "49.787, 49.787", "Infinity, inf", "NaN, NaN"})
    void exactTextIsPlainAndHasADecimal(double number, String text) {
        assertThat(Decimals.exact(number)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({"50, 50", "193, 193", "49.787, 49.787", "1234567, 1234567", "Infinity, inf"})
    void shortestTextHasNoDecimalForWholeNumbers(double number, String text) {
        assertThat(Decimals.shortest(number)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({
        "35, 35",
        "137.2, 137.2",
        "12.599999999999998, 12.6",
        "17.123456789, 17.1235",
        "0.30000000000000004, 0.3",
        "0, 0",
        "1200000, 1200000",
        "1.5E-7, 1.5E-7",
        "2E300, 2E+300",
        "-Infinity, -inf"
    })
    void generalTextHasSixDigitsAtMost(double number, String text) {
        assertThat(Decimals.general(number)).isEqualTo(text);
    }
}
