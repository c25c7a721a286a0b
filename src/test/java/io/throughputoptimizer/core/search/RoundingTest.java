package io.throughputoptimizer.core.search;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RoundingTest {

    @ParameterizedTest
    @CsvSource({"49.9996, 50.0", "50.0004, 50.0", "0.0005, 0.0", "0.0015, 0.002", "2704.6520014424805, 2704.652"})
    void roundsToThousandthsHalfToEven(double value, double rounded) {
        assertThat(Rounding.toThousandths(value)).isEqualTo(rounded);
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "absent",
            value = {"absent, absent", "1.2345, 1.234"})
    void theAbsentStaysAbsent(Double value, Double rounded) {
        assertThat(Rounding.orAbsent(value)).isEqualTo(rounded);
    }
}
