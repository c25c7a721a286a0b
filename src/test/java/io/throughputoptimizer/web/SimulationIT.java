package io.throughputoptimizer.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.restassured.path.json.JsonPath;
import io.throughputoptimizer.fixture.RequestEditor;
import io.throughputoptimizer.fixture.Silicon;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class SimulationIT extends HttpTest {
    private static final String SIMULATIONS = "/api/v1/simulations";
    private static final Percentage EXACT = withinPercentage(1e-4);
    private static final double RATIO = 0.8;

    private static final String CLOSED = """
            {"model_id": "Qwen/Qwen3-32B", "device": "H100_SXM", "engine": {"backend": "vllm"},
             "quantization": {"scheme": "FP8"}, "parallel": {"tp": 2},
             "workload": {"input_length": 2000, "output_length": 500}, "traffic": {"concurrency": 32}}""";

    private static final String OPEN = RequestEditor.with(CLOSED, "/traffic", "{\"request_rate\": 1.5}");

    private static final String ASCEND = """
            {"model_id": "Qwen/Qwen3-32B", "device": "ATLAS_800_A2_376T_64G", "engine": {"backend": "vllm-ascend"},
             "quantization": {"scheme": "W8A8"}, "parallel": {"tp": 4},
             "workload": {"input_length": 2000, "output_length": 100}, "traffic": {"concurrency": 16}}""";

    static Stream<JsonNode> recorded() throws IOException {
        try (InputStream file = Silicon.resource("vectors-serving.json")) {
            return JsonMapper.shared().readTree(file).required("endToEnd").valueStream();
        }
    }

    @ParameterizedTest
    @MethodSource("recorded")
    void aClosedLoopGivesTheRecordedFigures(JsonNode vector) {
        JsonNode input = vector.required("input");
        JsonNode expected = vector.required("simulation");
        double ranks = input.required("attention_dp").doubleValue();

        JsonPath simulation = simulate(request(input));

        for (String statistic : List.of("mean", "p50", "p90", "p99")) {
            assertThat(simulation.getDouble("ttft_ms." + statistic))
                    .isCloseTo(expected.at("/ttft/" + statistic).doubleValue(), EXACT);
            assertThat(simulation.getDouble("tpot_ms." + statistic))
                    .isCloseTo(expected.at("/tpot/" + statistic).doubleValue(), EXACT);
        }
        assertThat(simulation.getDouble("itl_mean_ms"))
                .isCloseTo(expected.required("itlMean").doubleValue(), EXACT);
        assertThat(simulation.getDouble("tokens_per_s") / ranks)
                .isCloseTo(expected.required("outputTokensPerSecond").doubleValue(), EXACT);
        assertThat(simulation.getInt("evaluations"))
                .isEqualTo(expected.required("evaluations").intValue());
    }

    private static String request(JsonNode input) {
        return """
                {"model_id": "%s", "device": "%s", "engine": {"backend": %s, "kv_cache_dtype": %s},
                 "quantization": {"scheme": %s}, "parallel": {"tp": %d, "dp": %d, "ep": %d},
                 "workload": {"input_length": %d, "output_length": %d},
                 "traffic": {"concurrency": %d, "random_range_ratio": %s}}""".formatted(
                input.required("config").stringValue().replace("--", "/").replaceFirst("\\.json$", ""),
                Silicon.deviceOf(input.required("device").stringValue()),
                input.required("backend"),
                input.required("kv_cache"),
                input.required("scheme"),
                input.required("tp").intValue(),
                input.required("attention_dp").intValue(),
                input.required("moe_ep").intValue(),
                longest(input, "mean_isl"),
                longest(input, "mean_osl"),
                input.required("concurrency").intValue(),
                RATIO);
    }

    private static int longest(JsonNode input, String mean) {
        return (int) Math.rint(input.required(mean).doubleValue() / ((1 + RATIO) / 2));
    }

    @Test
    void replicasShareTheLoad() {
        JsonPath one = simulate(CLOSED);
        JsonPath two = simulate(with(with(CLOSED, "/num_devices", "4"), "/traffic/concurrency", "64"));

        assertThat(two.getInt("replicas")).isEqualTo(2);
        assertThat(two.getDouble("ttft_ms.p99")).isEqualTo(one.getDouble("ttft_ms.p99"));
        assertThat(two.getDouble("tokens_per_s")).isCloseTo(2 * one.getDouble("tokens_per_s"), within(1e-9));
        assertThat(two.getInt("requests")).isEqualTo(320).isEqualTo(one.getInt("requests"));
        assertThat(two.getDouble("timeline[40].running"))
                .isCloseTo(2 * one.getDouble("timeline[40].running"), within(1e-9));
    }

    @Test
    void theTimelineHoldsAllTokens() {
        JsonPath simulation = simulate(CLOSED);

        List<Double> rates = simulation.getList("timeline.tokens_per_s", Double.class);
        List<Double> starts = simulation.getList("timeline.start_ms", Double.class);
        List<Double> ends = simulation.getList("timeline.end_ms", Double.class);
        double tokens = IntStream.range(0, rates.size())
                .mapToDouble(part -> rates.get(part) * (ends.get(part) - starts.get(part)) / 1000)
                .sum();
        assertThat(tokens).isCloseTo(320 * 500, withinPercentage(1e-6));
        assertThat(simulation.getList("timeline")).hasSizeBetween(32, 128);
    }

    @Test
    void aSaturatedRateIsRefusedWithTheHighestThatIsNot() {
        String message = Objects.requireNonNull(
                refused(with(OPEN, "/traffic/request_rate", "1000")).get("detail"));

        assertThat(message).startsWith("traffic.request_rate is 1000.0: the deployment is saturated above ");
        String highest = message.replaceAll(".*above (\\S+) requests.*", "$1");
        assertThat(simulate(with(OPEN, "/traffic/request_rate", highest)).getInt("requests"))
                .isEqualTo(300);
    }

    @Test
    void anAscendDeviceHasRangesWithoutBands() {
        JsonPath simulation = simulate(ASCEND);

        assertThat(simulation.getDouble("tpot_ms.mean_range.high"))
                .isEqualTo(simulation.getDouble("tpot_ms.mean"))
                .isGreaterThan(simulation.getDouble("tpot_ms.mean_range.low"));
        assertThat(simulation.getDouble("tokens_per_s_range.low")).isEqualTo(simulation.getDouble("tokens_per_s"));
        assertThat(simulation.getMap("ttft_ms.mean_band")).isNull();
        assertThat(simulation.getList("flags", String.class)).contains("uncalibrated");
    }

    @Test
    void requestsOfOneTokenHaveNoTpot() {
        JsonPath simulation = simulate(with(CLOSED, "/workload/output_length", "1"));

        assertThat(simulation.getMap("tpot_ms")).isNull();
        assertThat(simulation.getDouble("tokens_per_s_band.high")).isPositive();
    }

    private String simulated(String body, String mediaType) {
        return json(body)
                .accept(mediaType)
                .post(SIMULATIONS)
                .then()
                .statusCode(200)
                .contentType(mediaType + ";charset=UTF-8")
                .extract()
                .asString();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            /device                         | null                                  | /device                         | is required. Name a device
            /device                         | "TEST_DEVICE"                         | /device                         | must be a calibrated device
            /engine/poll_interval           | 2                                     | /engine/poll_interval           | must be 1 for simulations
            /quantization                   | null                                  | /quantization/scheme            | is required with cost_model calibrated
            /num_devices                    | 0                                     | /num_devices                    | at least 1
            /parallel/tp                    | 0                                     | /parallel/tp                    | at least 1
            /parallel                       | {"tp": 2, "dp": 0}                    | /parallel/dp                    | at least 1
            /workload/prefix_cache_hit_rate | 0.5                                   | /workload/prefix_cache_hit_rate | must be 0 for simulations
            /workload                       | {"length_distribution": {"name": "builtin"}, "output_length": 9} | /workload/length_distribution | allow_beyond_context
            /traffic                        | null                                  | /traffic                        | exactly one of
            /traffic                        | {"request_rate": 1, "requests": 299}  | /traffic/requests               | at least 300
            /traffic/requests               | 400                                   | /traffic/requests               | waves does here
            /traffic/waves                  | 0.5                                   | /traffic/waves                  | at least 1
            /traffic/waves                  | 4000                                  | /traffic/waves                  | must be at most 3125
            /traffic/random_range_ratio           | 0                                     | /traffic/random_range_ratio           | greater than 0
            /traffic/random_range_ratio           | 1.1                                   | /traffic/random_range_ratio           | at most 1
            /traffic/think_ms               | -1                                    | /traffic/think_ms               | must be 0 or greater
            /percentiles/0                  | 49                                    | /percentiles/0                  | at least 50
            /percentiles/0                  | 99.5                                  | /percentiles/0                  | at most 99
            /band_coverage                  | 0.8                                   | /band_coverage                  | 0.5 or 0.9
            """)
    void aWrongMemberIsNamedWithWhatWouldDo(String member, String value, String pointer, String words) {
        Map<String, String> error = refused(with(CLOSED, member, value));

        assertThat(error.get("pointer")).isEqualTo(pointer);
        assertThat(error.get("detail")).contains(words);
    }

    @Test
    void moreStepsThanAreSimulatedAreRefused() {
        String slow = with(with(CLOSED, "/engine/max_batched_tokens", "16"), "/traffic/waves", "300");

        Map<String, String> error = refused(slow);
        assertThat(error.get("pointer")).isEqualTo("/traffic");
        assertThat(error.get("detail")).contains("at most 2000000 are simulated", "a larger engine.max_batched_tokens");
    }

    private static String with(String body, String member, String value) {
        return RequestEditor.with(body, member, value);
    }

    private JsonPath simulate(String body) {
        return json(body)
                .post(SIMULATIONS)
                .then()
                .statusCode(200)
                .contentType("application/json")
                .extract()
                .jsonPath();
    }

    private Map<String, String> refused(String body) {
        List<Map<String, String>> errors = json(body)
                .post(SIMULATIONS)
                .then()
                .statusCode(400)
                .contentType("application/problem+json")
                .extract()
                .jsonPath()
                .getList("errors");
        assertThat(errors).as(errors.toString()).hasSize(1);
        return errors.getFirst();
    }
}
