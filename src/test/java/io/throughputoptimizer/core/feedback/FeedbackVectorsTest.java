package io.throughputoptimizer.core.feedback;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.throughputoptimizer.core.feedback.FeedbackVectors.Case;
import io.throughputoptimizer.core.kernels.Bands.Band;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/// What rows teach against vectors that were computed apart from this code.
class FeedbackVectorsTest {
    private static final double RELATIVE = 1e-9;
    private static final Percentage EXACT = withinPercentage(100 * RELATIVE);

    static List<Case> cases() {
        return FeedbackVectors.cases();
    }

    @ParameterizedTest
    @MethodSource("cases")
    void whatIsLearntIsThatOfTheVector(Case vector) {
        CalibrationPosterior learnt = vector.learnt();

        JsonNode expected = vector.json().required("feedback");
        assertThat(learnt.scale()).isCloseTo(expected.required("scale").doubleValue(), EXACT);
        for (Parameter parameter : Parameter.values()) {
            String name = name(parameter);
            assertThat(learnt.parameter(parameter))
                    .as(name)
                    .isCloseTo(expected.at("/parameters/" + name).doubleValue(), within(RELATIVE));
        }
        assertThat(learnt.rejected())
                .extracting(one -> one.row() + " " + one.metric().name().toLowerCase(Locale.ROOT))
                .isEqualTo(expected.required("rejected")
                        .valueStream()
                        .map(one -> one.get(0).intValue() + " " + one.get(1).stringValue())
                        .toList());
    }

    @ParameterizedTest
    @MethodSource("cases")
    void figuresAndBandsAreThoseOfTheVector(Case vector) {
        CalibrationPosterior learnt = vector.learnt();

        IntStream.range(0, vector.wanted().size()).forEach(index -> {
            Prediction predicted = vector.wanted().get(index).predict(learnt);
            JsonNode expected = vector.expected().get(index);
            assertThat(predicted.figures().ofLaw().tpotMillis())
                    .isCloseTo(expected.required("plain_tpot").doubleValue(), EXACT);
            assertThat(predicted.figures().ofLaw().ttft().benchmarkMillis())
                    .isCloseTo(expected.required("plain_ttft").doubleValue(), EXACT);
            assertThat(predicted.tpotMillis())
                    .isCloseTo(expected.required("tpot").doubleValue(), EXACT);
            assertThat(predicted.ttftMillis())
                    .isCloseTo(expected.required("ttft").doubleValue(), EXACT);
            assertThat(predicted.tokensPerSecond())
                    .isCloseTo(expected.required("tokens").doubleValue(), EXACT);
            assertBand(predicted.tpotBand().orElseThrow(), expected.required("tpot_band"));
            assertBand(predicted.ttftBand().orElseThrow(), expected.required("ttft_band"));
            assertBand(predicted.tokensBand().orElseThrow(), expected.required("tokens_band"));
            assertThat(predicted.tpotBand().orElseThrow().basis())
                    .isEqualTo(expected.required("tpot_basis").stringValue());
            assertThat(predicted.ttftBand().orElseThrow().basis())
                    .isEqualTo(expected.required("ttft_basis").stringValue());
        });
    }

    private static String name(Parameter parameter) {
        return switch (parameter) {
            case DECODE -> "d";
            case PREFILL -> "p";
            case STEP_GAP -> "g";
            case PER_REQUEST -> "s";
            case COLLECTIVES -> "k";
            case EXPERTS -> "e";
            case FRONTEND -> "c";
            case TTFT -> "q";
        };
    }

    private static void assertBand(Band band, JsonNode expected) {
        assertThat(band.low()).isCloseTo(expected.get(0).doubleValue(), EXACT);
        assertThat(band.high().orElseThrow()).isCloseTo(expected.get(1).doubleValue(), EXACT);
    }
}
