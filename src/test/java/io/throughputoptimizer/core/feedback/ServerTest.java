package io.throughputoptimizer.core.feedback;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.throughputoptimizer.core.feedback.FeedbackVectors.Case;
import io.throughputoptimizer.core.kernels.BandBasis.Coverage;
import io.throughputoptimizer.core.kernels.Bands.Band;
import io.throughputoptimizer.core.kernels.CacheType;
import io.throughputoptimizer.core.kernels.CalibratedDeployment;
import io.throughputoptimizer.core.kernels.Precision;
import io.throughputoptimizer.core.kernels.Scheme;
import io.throughputoptimizer.core.kernels.StateType;
import io.throughputoptimizer.core.load.EngineSettings.Scheduling;
import io.throughputoptimizer.core.load.SpreadLengths;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.replica.RankLimits;
import io.throughputoptimizer.fixture.Silicon;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.assertj.core.data.Percentage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/// The vectors from requests alone: passes are priced, the law is asked, and what was learnt applied.
class ServerTest {
    private static final double RELATIVE = 1e-6;
    private static final Percentage NEAR = withinPercentage(100 * RELATIVE);

    static List<Case> cases() {
        return FeedbackVectors.cases();
    }

    @ParameterizedTest
    @MethodSource("cases")
    void rowsOfAServerArePredictedAsTheVectorSays(Case vector) {
        JsonNode group = vector.json().required("group");
        Server server = server(group);
        CalibrationPosterior learnt = server.learn(rows(server, vector.json().required("observed")));

        JsonNode taught = vector.json().required("feedback");
        assertThat(learnt.scale()).isCloseTo(taught.required("scale").doubleValue(), NEAR);
        assertThat(learnt.parameter(Parameter.STEP_GAP))
                .isCloseTo(taught.at("/parameters/g").doubleValue(), within(RELATIVE));
        List<ServedRow> wanted = rows(server, vector.json().required("wanted"));
        IntStream.range(0, wanted.size()).forEach(index -> {
            JsonNode expected = vector.expected().get(index);
            Prediction plain = server.predict(wanted.get(index), Coverage.NINE_TENTHS);
            assertThat(plain.tpotMillis())
                    .isCloseTo(expected.required("plain_tpot").doubleValue(), NEAR);
            assertThat(plain.ttftMillis())
                    .isCloseTo(expected.required("plain_ttft").doubleValue(), NEAR);
            Prediction corrected = server.predict(wanted.get(index), learnt, Coverage.NINE_TENTHS);
            assertThat(corrected.tpotMillis())
                    .isCloseTo(expected.required("tpot").doubleValue(), NEAR);
            assertThat(corrected.ttftMillis())
                    .isCloseTo(expected.required("ttft").doubleValue(), NEAR);
            assertThat(corrected.tokensPerSecond() / corrected.ranks())
                    .isCloseTo(expected.required("tokens").doubleValue(), NEAR);
            assertBand(corrected.tpotBand().orElseThrow(), expected, "tpot");
            assertBand(corrected.ttftBand().orElseThrow(), expected, "ttft");
        });
    }

    private static void assertBand(Band band, JsonNode expected, String metric) {
        assertThat(band.basis()).isEqualTo(expected.required(metric + "_basis").stringValue());
        JsonNode ends = expected.required(metric + "_band");
        assertThat(band.low()).isCloseTo(ends.get(0).doubleValue(), NEAR);
        assertThat(band.high().orElseThrow()).isCloseTo(ends.get(1).doubleValue(), NEAR);
    }

    private static Server server(JsonNode group) {
        ModelArchitecture model = Silicon.model(
                group.required("config").stringValue().replace("--", "/").replaceFirst("\\.json$", ""));
        return new Server(
                model,
                Silicon.calibration(group.required("device").stringValue()),
                Silicon.engine(group.required("backend").stringValue()).serving(model),
                new Precision(
                        Scheme.valueOf(group.required("scheme").stringValue()),
                        CacheType.valueOf(
                                group.required("kv_cache").stringValue().toUpperCase(Locale.ROOT)),
                        StateType.FLOAT32,
                        false),
                new RankLimits(
                        null,
                        Scheduling.NO_LIMIT,
                        group.required("poll_interval").intValue()));
    }

    private static List<ServedRow> rows(Server server, JsonNode rows) {
        return rows.valueStream().map(row -> row(server, row)).toList();
    }

    private static ServedRow row(Server server, JsonNode row) {
        return new ServedRow(
                CalibratedDeployment.layout(
                        server.model(),
                        row.at("/parallel/tp").intValue(),
                        row.at("/parallel/dp").intValue(),
                        row.at("/parallel/ep").intValue()),
                row.required("concurrency").intValue(),
                new SpreadLengths(
                        row.required("input_length").intValue(),
                        row.required("output_length").intValue(),
                        row.path("length_ratio").asDouble(1)),
                row.path("waves").asDouble(10),
                orAbsent(row, "tpot_ms"),
                orAbsent(row, "ttft_ms"));
    }

    private static @Nullable Double orAbsent(JsonNode row, String member) {
        return row.path(member).isNumber() ? (Double) row.required(member).doubleValue() : null;
    }
}
