package io.throughputoptimizer.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.everyItem;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.hasKey;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.nullValue;

import io.restassured.path.json.JsonPath;
import io.restassured.response.ValidatableResponse;
import io.throughputoptimizer.api.WireFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/// Outputs, and inputs that decode, of unequal length.
class UnequalLengthsIT extends HttpTest {
    private static final String ROW = "result.devices[0].phases[0].rows[0].";

    private static final String INPUTS = """
            "length_distribution": {"bins": [{"min_tokens": 200, "max_tokens": 1800, "weight": 3},
                                             {"min_tokens": 6000, "max_tokens": 10000, "weight": 1}]}""";
    private static final String OUTPUTS = """
            "output_distribution": {"bins": [{"min_tokens": 50, "max_tokens": 350, "weight": 4},
                                             {"min_tokens": 1000, "max_tokens": 2000, "weight": 1}]}""";

    /// Slots hold long outputs in proportion to 1 x 1500, short ones to 4 x 200.
    @Test
    void aDecodeRowSaysWhatTheBatchHolds() {
        optimize(question("disaggregation", INPUTS + ", " + OUTPUTS, "\"tpot_ms\": 50"))
                .body("result.devices[0].phases", hasSize(1))
                .body("result.devices[0].phases[0].phase", equalTo("decode"))
                .body(ROW + "num_input_tokens", equalTo("all"))
                .body(ROW + "input_length", nullValue())
                .body(ROW + "output_length", nullValue())
                .body(ROW + "omitted_ratio", nullValue())
                .body(ROW + "composition.num_input_tokens", contains(1000, 1000, 8000, 8000))
                .body(ROW + "composition.num_output_tokens", contains(200, 1500, 200, 1500))
                .body(ROW + "composition.context_tokens", contains(1101, 1751, 8101, 8751))
                .body(ROW + "composition.request_ratio", contains(0.261, 0.489, 0.087, 0.163));
    }

    private Map<String, Object> found(String question) {
        return optimize(question)
                .body("result.devices[0].phases.rows", everyItem(not(hasSize(0))))
                .extract()
                .path("result.devices[0]");
    }

    /// On measured devices, which price no images.
    ///
    /// @param more members, each with a comma before it
    private static String measured(String mode, String workload, String more) {
        return """
                {"model_id": "Qwen/Qwen3-8B", "devices": ["H100_SXM"], "num_devices": 4, "cost_model": "calibrated",
                 "mode": "%s", "engine": {"backend": "vllm"}, "quantization": {"scheme": "FP8"},
                 "traffic": {"waves": 20}, "slo": {"ttft_ms": 2000, "tpot_ms": 30}, "search": {"batch_range": [1, 64]},
                 "workload": {%s}%s}""".formatted(mode, workload, more);
    }

    static Stream<Arguments> measured() {
        String pairs = ", \"pd_ratio\": {\"prefill_devices_per_instance\": 2, \"decode_devices_per_instance\": 2}";
        String demand = ", \"demand\": {\"requests_per_s\": 20}";
        return Stream.of(INPUTS + ", \"output_length\": 300", INPUTS + ", " + OUTPUTS)
                .flatMap(workload -> Stream.of(
                        measured("aggregation", workload, ""),
                        measured("aggregation", workload, ", \"percentiles\": true"),
                        measured("pd_ratio", workload, pairs),
                        measured("capacity", workload, demand)
                                .replaceFirst("\"num_devices\": 4,", "")
                                .replaceFirst(", \"search\".*", ",")))
                .map(Arguments::of);
    }

    @ParameterizedTest
    @MethodSource("measured")
    void measuredDevicesServeThemToo(String question) {
        String id = optimize(question.replaceFirst(",\\s*$", ""))
                .body("status", equalTo("succeeded"))
                .extract()
                .path("id");

        assertThat(report(id, "text/plain")).contains("2 bins, 200 to 10000 tokens, mean 2750");
    }

    @Test
    void aMeasuredRowNamesNoLengthThatNotAllHave() {
        optimize(measured("aggregation", INPUTS + ", " + OUTPUTS, ", \"percentiles\": true"))
                .body(ROW + "input_length", nullValue())
                .body(ROW + "output_length", nullValue())
                .body(ROW + "effective_input_length", equalTo(2750))
                .body(ROW + "simulation.stagger_ms", nullValue())
                .body(ROW + "simulation.ttft_ms.p99", notNullValue());
    }

    @Test
    void aSingleBinIsAnsweredAsTheFixedLengthOnMeasuredDevices() {
        String fixed =
                measured("aggregation", "\"input_length\": 3500, \"output_length\": 1500", ", \"percentiles\": true");
        String bins = fixed.replace(
                        "\"input_length\": 3500",
                        "\"length_distribution\": {\"bins\": [{\"min_tokens\": 3000, \"max_tokens\": 4000, \"weight\": 2}]}")
                .replace(
                        "\"output_length\": 1500",
                        "\"output_distribution\": {\"bins\": [{\"min_tokens\": 1000, \"max_tokens\": 2000, \"weight\": 7}]}");

        assertThat(found(bins)).isEqualTo(found(fixed));
    }

    @Test
    void aSimulationRunsThem() {
        json("""
                {"model_id": "Qwen/Qwen3-8B", "device": "H100_SXM", "engine": {"backend": "vllm"},
                 "quantization": {"scheme": "FP8"}, "workload": {%s, %s}, "traffic": {"concurrency": 8}}""".formatted(INPUTS, OUTPUTS))
                .post("/api/v1/simulations")
                .then()
                .statusCode(200)
                .body("requests", equalTo(80))
                .body("stagger_ms", nullValue());
    }

    private static String replay(String requests, String traffic) {
        return """
                {"model_id": "Qwen/Qwen3-8B", "device": "H100_SXM", "engine": {"backend": "vllm"}, "num_devices": 2,
                 "parallel": {"tp": 1}, "quantization": {"scheme": "FP8"}, "workload": {"requests": %s}, "traffic": %s}""".formatted(requests, traffic);
    }

    /// Two replicas take them in turn, so that the first serves two of three.
    @Test
    void aSimulationReplaysRequestsAsTheyCame() {
        String times = replay("""
                {"input_tokens": [1000, 2000, 1000], "output_tokens": [50, 60, 70], "sent_ms": [1700000000000, 1700000000100,
                 1700000060000]}""", "{}");
        json(times)
                .post("/api/v1/simulations")
                .then()
                .statusCode(200)
                .body("requests", equalTo(2))
                .body("timeline[-1].end_ms", greaterThan(60_000.0));
        String text = json(times)
                .header("Accept", "text/plain")
                .post("/api/v1/simulations")
                .then()
                .statusCode(200)
                .extract()
                .asString();
        assertThat(text)
                .contains("3 requests, 1000 to 2000 tokens, mean 1333.3")
                .contains("3 requests, 50 to 70 tokens, mean 60.0")
                .contains("as they were sent");
    }

    @Test
    void aClosedLoopTakesRecordedLengthsInTurn() {
        json(replay("{\"input_tokens\": [1000, 2000], \"output_tokens\": [50, 60]}", "{\"concurrency\": 4}"))
                .post("/api/v1/simulations")
                .then()
                .statusCode(200)
                .body("requests", equalTo(20));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            value = {
                "{'input_tokens': [10, 20], 'output_tokens': [5]} | {'concurrency': 2} | /workload/requests/output_tokens | must have as many values as",
                "{'input_tokens': [10], 'output_tokens': [0]} | {'concurrency': 2} | /workload/requests/output_tokens/0 | at least 1",
                "{'output_tokens': [5]} | {'concurrency': 2} | /workload/requests/input_tokens | 1 to 20000 elements",
                "{'input_tokens': [9, 9], 'output_tokens': [5, 5], 'sent_ms': [5, 4]} | {} | /workload/requests/sent_ms/1 | must not be before the previous request",
                "{'input_tokens': [9], 'output_tokens': [5], 'sent_ms': [5, 6]} | {} | /workload/requests/sent_ms | must have as many values as",
                "{'input_tokens': [9], 'output_tokens': [5], 'sent_ms': [5]} | {'concurrency': 2} | /traffic | must not set concurrency or request_rate",
                "{'input_tokens': [9], 'output_tokens': [5]} | {} | /traffic | exactly one of",
                "{'input_tokens': [9], 'output_tokens': [5]}, 'input_length': 7 | {'concurrency': 2} | /workload/requests | must not be combined with input_length",
                "{'input_tokens': [50000], 'output_tokens': [5]} | {'concurrency': 2} | /workload/requests | allow_beyond_context",
                "{'input_tokens': [9], 'output_tokens': [5]} | {'concurrency': 2, 'random_range_ratio': 0.5} | /traffic/random_range_ratio | has its own lengths"
            })
    void recordedRequestsMustBeWhole(String requests, String traffic, String pointer, String message) {
        json(replay(requests, traffic).replace('\'', '"'))
                .post("/api/v1/simulations")
                .then()
                .statusCode(400)
                .body("errors.pointer", hasItem(pointer))
                .body("errors.detail", hasItem(containsString(message)));
    }

    /// In the order in which they were sent, as a simulation takes them.
    @Test
    void theRequestsOfATraceGoIntoASimulation() {
        String trace = "Timestamp,Request tokens,Response tokens\n9,3000,80\n5,700,20\n5.5,900,300\n";
        JsonPath read = fromTrace("requests=true", trace).extract().jsonPath();
        assertThat(read.<Object>get("recorded_requests.input_tokens")).isEqualTo(List.of(700, 900, 3000));
        assertThat(read.<Object>get("recorded_requests.output_tokens")).isEqualTo(List.of(20, 300, 80));
        assertThat(read.getList("recorded_requests.sent_ms", Double.class)).containsExactly(0.0, 500.0, 4000.0);
        String requests = WireFormat.write(read.<Object>get("recorded_requests"));
        json(replay(requests, "{}"))
                .post("/api/v1/simulations")
                .then()
                .statusCode(200)
                .body("requests", equalTo(2));

        fromTrace("requests=true", "10,5\n20,6\n")
                .body("recorded_requests.output_tokens", contains(5, 6))
                .body("recorded_requests", not(hasKey("sent_ms")));
        fromTrace("requests=true", "10,5\n".repeat(20_000)).body("recorded_requests.input_tokens", hasSize(20_000));
        fromTrace("requests=true", "10,5\n".repeat(20_001)).body("$", not(hasKey("recorded_requests")));
        fromTrace("requests=true", "10,5\n10,0\n").body("$", not(hasKey("recorded_requests")));
        fromTrace("requests=false", "10,5\n").body("$", not(hasKey("recorded_requests")));
    }

    private ValidatableResponse fromTrace(String query, String trace) {
        return api().contentType("text/csv")
                .body(trace)
                .post("/api/v1/length-distributions/from-trace?" + query)
                .then()
                .statusCode(200);
    }

    @Test
    void bothDistributionsOfATraceGoIntoASearch() {
        JsonPath trace = api().contentType("text/csv")
                .body("800,100\n1200,300\n9000,250\n1000,2000\n")
                .post("/api/v1/length-distributions/from-trace?bins=3")
                .then()
                .statusCode(200)
                .body("corrected_workload.output_length", nullValue())
                .extract()
                .jsonPath();
        assertThat(trace.<Object>get("corrected_workload.output_distribution"))
                .isEqualTo(trace.get("output.length_distribution"));

        String workload = WireFormat.write(trace.<Object>get("corrected_workload"));
        ValidatableResponse job = optimize(question("disaggregation", "", "\"tpot_ms\": 50")
                .replace("\"workload\": {}", "\"workload\": " + workload));

        job.body("status", equalTo("succeeded")).body(ROW + "composition.num_output_tokens", notNullValue());
    }

    private static String question(String mode, String workload, String limits) {
        String instances = mode.equals("pd_ratio")
                ? "\"pd_ratio\": {\"prefill_devices_per_instance\": 4, \"decode_devices_per_instance\": 4}, "
                : "";
        return """
                {"model_id": "Qwen/Qwen3-8B", "devices": ["ATLAS_800_A3_752T_128G_DIE"], "num_devices": 4,
                 "accounting": "steady", "mode": "%s", %s"workload": {%s}, "slo": {%s}, "serving": {"compile": true}}""".formatted(mode, instances, workload, limits);
    }
}
