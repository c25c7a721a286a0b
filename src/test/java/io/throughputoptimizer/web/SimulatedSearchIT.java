package io.throughputoptimizer.web;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;
import static org.hamcrest.Matchers.closeTo;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.everyItem;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.lessThanOrEqualTo;
import static org.hamcrest.Matchers.matchesPattern;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.nullValue;

import io.restassured.path.json.JsonPath;
import io.restassured.response.ValidatableResponse;
import io.throughputoptimizer.fixture.RequestEditor;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Calibrated searches whose rows and limits are simulated, over HTTP.
class SimulatedSearchIT extends HttpTest {
    private static final String ROW = "result.devices[0].phases[0].rows[0].";
    private static final String SEARCH = """
            {"cost_model": "calibrated", "model_id": "Qwen/Qwen3-32B", "devices": ["H100_SXM"], "num_devices": 4,
             "workload": {"input_length": 1024, "output_length": 256}, "engine": {"backend": "vllm"},
             "traffic": {"length_ratio": 0.8}, "quantization": {"scheme": "FP8"},
             "slo": {"tpot_ms": 30, "ttft_ms": 2000}, "search": {"tp_sizes": [2, 4], "batch_range": [1, 64]}}""";

    @Test
    void rowsCarryPercentilesWithTheirBands() {
        String simulated = RequestEditor.with(SEARCH, "/percentiles", "true");
        String id = optimize(simulated)
                .body("request.percentiles", equalTo(true))
                .body("result.search.simulations", equalTo(2))
                .body(ROW + "simulation.ttft_ms.p99_band", notNullValue())
                .body(ROW + "simulation.tpot_ms.p50_band.high", greaterThan(0.0))
                .body(ROW + "simulation.tokens_per_s_band", notNullValue())
                .body(ROW + "simulation.requests", greaterThan(10))
                .extract()
                .path("id");
        assertThat(report(id, "text/plain")).contains("Simulated TTFT p99: ", "Simulated TPOT p50: ");
        assertThat(report(id, "text/csv")).contains("ttft_p99,ttft_p99_low,ttft_p99_high,tpot_p50");
    }

    @Test
    void aRowsSimulationIsThatOfItsConfiguration() {
        JsonPath row = optimize(RequestEditor.with(SEARCH, "/percentiles", "true"))
                .extract()
                .jsonPath();
        json("""
                {"model_id": "Qwen/Qwen3-32B", "device": "H100_SXM", "num_devices": 4, "engine": {"backend": "vllm"},
                 "workload": {"input_length": 1024, "output_length": 256}, "quantization": {"scheme": "FP8"},
                 "parallel": {"tp": %d}, "traffic": {"concurrency": %d, "length_ratio": 0.8}}""".formatted(row.getInt(ROW + "parallel.tp"), row.getInt(ROW + "concurrency")))
                .post("/api/v1/simulations")
                .then()
                .statusCode(200)
                .body("ttft_ms.p99", closeTo(row.getDouble(ROW + "simulation.ttft_ms.p99"), 1e-6))
                .body("tpot_ms.p90", closeTo(row.getDouble(ROW + "simulation.tpot_ms.p90"), 1e-6));
    }

    /// With equal lengths clients are staggered, and said to be; a simulation asks for the same by name.
    @Test
    void aRowOfEqualLengthsIsSimulatedWithStaggeredClients() {
        String equal = RequestEditor.with(RequestEditor.with(SEARCH, "/percentiles", "true"), "/traffic", "{}");
        JsonPath row = optimize(equal)
                .body(ROW + "simulation.stagger_ms", greaterThan(1000.0))
                .extract()
                .jsonPath();
        assertThat(report(row.getString("id"), "text/plain"))
                .contains("Simulated Clients: all at once, second requests spread over ");
        double p50 = row.getDouble(ROW + "simulation.ttft_ms.p50");
        simulate(row, "\"staggered\": true")
                .body("stagger_ms", closeTo(row.getDouble(ROW + "simulation.stagger_ms"), 1e-6))
                .body("ttft_ms.p50", closeTo(p50, 1e-6))
                .body("ttft_ms.p99", closeTo(row.getDouble(ROW + "simulation.ttft_ms.p99"), 1e-6))
                .body("tpot_ms.p90", closeTo(row.getDouble(ROW + "simulation.tpot_ms.p90"), 1e-6));
        simulate(row, "\"length_ratio\": 1").body("stagger_ms", nullValue()).body("ttft_ms.p50", greaterThan(2 * p50));
    }

    @Test
    void requestsThatComeAtARateAreNotStaggered() {
        optimize(RequestEditor.with(
                        RequestEditor.with(SEARCH, "/percentiles", "true"), "/traffic", "{\"request_rate\": 4}"))
                .body(ROW + "simulation.stagger_ms", nullValue());
    }

    private ValidatableResponse simulate(JsonPath row, String traffic) {
        return json("""
                {"model_id": "Qwen/Qwen3-32B", "device": "H100_SXM", "num_devices": 4, "engine": {"backend": "vllm"},
                 "workload": {"input_length": 1024, "output_length": 256}, "quantization": {"scheme": "FP8"},
                 "parallel": {"tp": %d}, "traffic": {"concurrency": %d, %s}}""".formatted(row.getInt(ROW + "parallel.tp"), row.getInt(ROW + "concurrency"), traffic))
                .post("/api/v1/simulations")
                .then()
                .statusCode(200);
    }

    /// What a limit on a percentile is held against is no artefact of requests in step.
    @Test
    void theMeanOfASimulationOfEqualLengthsIsNearThatOfTheLaw() {
        JsonPath answer = optimize("""
                        {"cost_model": "calibrated", "model_id": "deepseek-ai/DeepSeek-V3.1", "devices": ["H200_SXM"], "num_devices": 16,
                         "workload": {"input_length": 1346, "output_length": 295}, "slo": {"ttft_ms": 2000, "tpot_ms": 30, "percentile": 95},
                         "engine": {"backend": "sglang"}, "quantization": {"scheme": "FP8_BLOCK"}}""").extract().jsonPath();
        double law = answer.getDouble(ROW + "ttft_ms");
        assertThat(answer.getDouble(ROW + "simulation.ttft_ms.mean")).isCloseTo(law, withinPercentage(25));
        assertThat(answer.getDouble(ROW + "simulation.ttft_ms.p50")).isLessThan(law);
        assertThat(answer.getDouble(ROW + "simulation.ttft_ms.p99")).isGreaterThan(law);
    }

    @Test
    void aPercentileOfTheRequestsKeepsTheLimits() {
        double mean = optimize(SEARCH).extract().jsonPath().getDouble(ROW + "tokens_per_s");

        optimize(RequestEditor.with(SEARCH, "/slo/percentile", "95"))
                .body("request.slo.percentile", equalTo(95.0))
                .body("result.search.simulations", greaterThan(2))
                .body(ROW + "simulation.ttft_ms.others.percentile", contains(95.0))
                .body(
                        "result.devices[0].phases[0].rows.simulation.ttft_ms.others.ms.flatten()",
                        everyItem(lessThanOrEqualTo(2000.0)))
                .body(
                        "result.devices[0].phases[0].rows.simulation.tpot_ms.others.ms.flatten()",
                        everyItem(lessThanOrEqualTo(30.0)))
                .body(ROW + "tokens_per_s", lessThanOrEqualTo(mean));
    }

    @Test
    void thePercentileAskedForStandsBesideItsLimitInEveryForm() {
        String id = optimize(RequestEditor.with(SEARCH, "/slo/percentile", "95"))
                .body(ROW + "simulation.ttft_ms.others.limit_ms", contains(2000.0))
                .body(ROW + "simulation.tpot_ms.others.limit_ms", contains(30.0))
                .extract()
                .path("id");
        assertThat(report(id, "text/plain"))
                .contains(
                        "TTFT Limits: 2000.0 ms for 95 of 100 requests",
                        "TPOT Limits: 30.0 ms for 95 of 100 requests",
                        "TTFT p95 (ms)",
                        "TPOT p95 (ms)")
                .containsPattern("Simulated TTFT p95: .* \\(.*\\), limit 2000 ms")
                .containsPattern("Simulated TPOT p95: .* \\(.*\\), limit 30 ms");
        assertThat(report(id, "text/csv"))
                .contains(
                        "ttft_p90_high,ttft_p95,ttft_p95_low,ttft_p95_high,ttft_p95_limit,ttft_p99,", "tpot_p95_limit");
    }

    @Test
    void limitsOnOneOfTheUsualPercentilesHaveNoSecondColumn() {
        String id = optimize(RequestEditor.with(SEARCH, "/slo/percentile", "99"))
                .extract()
                .path("id");
        assertThat(report(id, "text/plain"))
                .contains("2000.0 ms for 99 of 100 requests", "TTFT p99 (ms)")
                .containsOnlyOnce("Simulated TTFT p99: ");
        assertThat(report(id, "text/csv")).containsOnlyOnce(",ttft_p99,").contains("ttft_p99_limit");
    }

    @Test
    void whatBreaksALimitOnAPercentileSaysWhichOne() {
        optimize(RequestEditor.with(RequestEditor.with(SEARCH, "/slo/percentile", "90"), "/slo/tpot_ms", "3"))
                .body(
                        "result.devices[0].phases[0].rejected.detail",
                        everyItem(matchesPattern("percentile 90 of TPOT [\\d.]+ ms exceeds 3 ms by [\\d.]+ ms")));
    }

    /// Whether a row stands in the table is for the simulation to say; its own figures are means of the law.
    @Test
    void aRowWhoseMeanBreaksALimitSaysWhichFigureCounts() {
        List<Map<String, Object>> rows = optimize("""
                        {"cost_model": "calibrated", "model_id": "deepseek-ai/DeepSeek-V3.1", "devices": ["H200_SXM"], "num_devices": 16,
                         "workload": {"input_length": 1346, "output_length": 295}, "slo": {"ttft_ms": 2000, "tpot_ms": 30, "percentile": 50},
                         "engine": {"backend": "sglang"}, "quantization": {"scheme": "FP8_BLOCK"}}""").extract().jsonPath().getList("result.devices[0].phases[0].rows");
        assertThat(rows).anyMatch(row -> ((Number) requireNonNull(row.get("tpot_ms"))).doubleValue() > 30);
        assertThat(rows).allSatisfy(row -> {
            boolean breaks = ((Number) requireNonNull(row.get("tpot_ms"))).doubleValue() > 30;
            assertThat(String.valueOf(row.get("warnings")).contains("ms is the law's mean"))
                    .isEqualTo(breaks);
        });
    }

    @Test
    void requestsComeAtARateAndLayoutsThatItSaturatesAreOut() {
        String atRate =
                RequestEditor.with(RequestEditor.with(SEARCH, "/percentiles", "true"), "/traffic/request_rate", "4");
        optimize(atRate)
                .body("request.traffic.request_rate", equalTo(4.0))
                .body(ROW + "simulation.requests", equalTo(300));

        optimize(RequestEditor.with(atRate, "/traffic/request_rate", "5000"))
                .body("result.devices[0].phases[0].best", nullValue())
                .body("result.devices[0].phases[0].rejected.reason", hasItem("rate"))
                .body("result.devices[0].phases[0].rejected[0].detail", containsString("saturate"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            /traffic/request_rate | 4     | /traffic/request_rate | percentiles
            /traffic/think_ms     | 10    | /traffic/think_ms     | percentiles
            /traffic/seed         | 7     | /traffic/seed         | request_rate
            /slo/percentile       | 99.5  | /slo/percentile       | 99
            /slo/percentile       | 49    | /slo/percentile       | 50
            /percentiles          | "yes" | /percentiles          | true
            """)
    void whatNobodySimulatesIsRefused(String pointer, String value, String named, String help) {
        refuse(RequestEditor.with(SEARCH, pointer, value), named, help);
    }

    @Test
    void whatNoSimulationKnowsIsRefused() {
        String simulated = RequestEditor.with(SEARCH, "/percentiles", "true");
        refuse(
                RequestEditor.with(simulated, "/workload/prefix_cache_hit_rate", "0.5"),
                "/workload/prefix_cache_hit_rate",
                "prefix");
        refuse(RequestEditor.with(simulated, "/engine/poll_interval", "4"), "/engine/poll_interval", "every step");
        refuse(RequestEditor.with(simulated, "/traffic/waves", "100000"), "/traffic/waves", "at most 100000");
        refuse(
                RequestEditor.with(
                        RequestEditor.with(simulated, "/traffic/request_rate", "4"), "/traffic/requests", "10"),
                "/traffic/requests",
                "300");
    }

    @Test
    void aWaveIsNeededBesideTheFirstThatIsLeftOut() {
        String settled = RequestEditor.with(
                RequestEditor.with(SEARCH, "/slo", "{\"ttft_ms\": 2000, \"ttft_basis\": \"settled\"}"),
                "/percentiles",
                "true");
        refuse(RequestEditor.with(settled, "/traffic/waves", "1.25"), "/traffic/waves", "first wave");
        String fewest = RequestEditor.with(
                RequestEditor.with(settled, "/traffic/waves", "1.5"), "/search/batch_range", "[1, 2]");
        optimize(fewest).body("status", equalTo("succeeded"));
    }

    @Test
    void theAnalyticCostModelKnowsNoPercentiles() {
        refuse(RequestEditor.with(PREFILL, "/percentiles", "true"), "/percentiles", "calibrated");
        refuse(RequestEditor.with(PREFILL, "/slo/percentile", "90"), "/slo/percentile", "calibrated");
    }

    private void refuse(String request, String pointer, String help) {
        json(request)
                .post(OPTIMIZATIONS)
                .then()
                .statusCode(400)
                .body("errors.pointer", contains(pointer))
                .body("errors[0].message", containsString(help));
    }
}
