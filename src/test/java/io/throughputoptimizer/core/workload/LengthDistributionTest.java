package io.throughputoptimizer.core.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.throughputoptimizer.core.workload.LengthViolation.Position;
import io.throughputoptimizer.core.workload.LengthViolation.Rule;
import io.throughputoptimizer.fixture.OptimizerVectors;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

class LengthDistributionTest {

    static Stream<Arguments> validated() {
        return OptimizerVectors.arguments(OptimizerVectors.common("distribution_validation"));
    }

    @ParameterizedTest
    @MethodSource("validated")
    void soundBinsPassAndOthersNameTheFirstBinAtFault(JsonNode vector) {
        List<LengthBin> bins = OptimizerVectors.stream(vector.required("bins"))
                .map(bin -> new LengthBin(
                        bin.get(0).intValue(), bin.get(1).intValue(), bin.get(2).doubleValue()))
                .toList();

        if (vector.required("valid").booleanValue()) {
            assertThatCode(() -> new LengthDistribution(bins)).doesNotThrowAnyException();
        } else {
            Position position = violation(bins).bin();
            assertThat(position == null ? null : Integer.toString(position.sorted()))
                    .isEqualTo(vector.required("failing_bin").stringValue(null));
        }
    }

    static Stream<Arguments> brokenRules() {
        LengthBin sound = new LengthBin(0, 5, 1);
        return Stream.of(
                Arguments.of(List.of(), Rule.NO_BINS, "bins is empty: at least one length bin is needed"),
                Arguments.of(
                        List.of(new LengthBin(-1, -2, 0)),
                        Rule.NEGATIVE_LENGTH,
                        "bin 0 by min_tokens: min_tokens must be at least 0, got -1"),
                Arguments.of(
                        List.of(sound, new LengthBin(6, 6, 0)),
                        Rule.EMPTY_OR_INVERTED,
                        "bin 1 by min_tokens: max_tokens must be greater than min_tokens (6), got 6"),
                Arguments.of(
                        List.of(sound, new LengthBin(4, 9, Double.NaN)),
                        Rule.WEIGHT_NOT_POSITIVE,
                        "bin 1 by min_tokens: weight must be greater than 0, got NaN"),
                Arguments.of(
                        List.of(sound, new LengthBin(4, 9, Double.POSITIVE_INFINITY)),
                        Rule.WEIGHT_NOT_POSITIVE,
                        "bin 1 by min_tokens: weight must be greater than 0, got Infinity"),
                Arguments.of(
                        List.of(sound, new LengthBin(4, 9, 1)),
                        Rule.OVERLAP,
                        "bin 1 by min_tokens: min_tokens is 4, below max_tokens of the bin before, 5: bins must not"
                                + " overlap"));
    }

    @ParameterizedTest
    @MethodSource("brokenRules")
    void messageNamesFieldValueAndRule(List<LengthBin> bins, Rule rule, String message) {
        LengthViolation violation = violation(bins);

        assertThat(violation.rule()).isEqualTo(rule);
        assertThat(violation.message()).isEqualTo(message);
    }

    @Test
    void violationCarriesThePlaceInTheGivenOrderToo() {
        List<LengthBin> bins = List.of(new LengthBin(100, 200, 1), new LengthBin(0, 50, 1), new LengthBin(40, 60, 1));

        LengthViolation violation = violation(bins);

        assertThat(violation.bin()).isEqualTo(new Position(1, 2));
        assertThat(violation.rule().field()).isEqualTo("min_tokens");
    }

    @Test
    void binsKeepTheirGivenOrder() {
        List<LengthBin> bins = List.of(new LengthBin(5, 9, 1), new LengthBin(0, 5, 1));

        assertThat(new LengthDistribution(bins).bins()).isEqualTo(bins);
    }

    private static LengthViolation violation(List<LengthBin> bins) {
        return catchThrowableOfType(InvalidLengthDistributionException.class, () -> new LengthDistribution(bins))
                .violation();
    }
}
