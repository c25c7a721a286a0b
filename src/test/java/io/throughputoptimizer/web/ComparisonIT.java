package io.throughputoptimizer.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.hasKey;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.startsWith;

import io.restassured.path.json.JsonPath;
import io.restassured.response.ValidatableResponse;
import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.web.description.Examples;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Comparisons of running servers with the best plans for their devices, over HTTP.
class ComparisonIT extends HttpTest {
    private static final String COMMAND =
            "vllm serve Qwen/Qwen3-32B-FP8 --tensor-parallel-size 8 --kv-cache-dtype fp8 --port 8000";

    @Test
    void comparesACommandAndMetrics() {
        JsonPath comparison =
                compare(Examples.text("comparison.json"), 200).extract().jsonPath();

        assertThat(comparison.getString("running.layout")).isEqualTo("TP=8 x 1");
        assertThat(comparison.getString("sentence")).contains("You run TP=8 x 1. TP=", "% more within your limits");
        double gain = comparison.getDouble("gain.requests_percent");
        assertThat(gain).isGreaterThan(5);
        assertThat(comparison.getDouble("gain.requests_percent_band.low")).isLessThan(gain);
        assertThat(comparison.getDouble("gain.requests_percent_band.high")).isGreaterThan(gain);
        assertThat(comparison.getDouble("now.tpot_ratio"))
                .isCloseTo(
                        comparison.getDouble("now.measured.tpot_ms") / comparison.getDouble("now.predicted.tpot_ms"),
                        within(1e-6));
        assertThat(comparison.getLong("now.predicted.concurrency")).isEqualTo(12);
        assertThat(comparison.getLong("fewer_devices.needed")).isLessThan(8);
        assertThat(comparison.getDouble("best.at_demand.tpot_ms"))
                .isLessThan(comparison.getDouble("best.most.tpot_ms"));
        assertThat(comparison.getDouble("corrected.running.tpot_ms")).isPositive();
    }

    @Test
    @SuppressWarnings("unchecked")
    void saysThatMeasuredLatenciesAreTheLimits() {
        Map<String, Object> request = WireFormat.read(Examples.text("comparison.json"), Map.class);
        request.remove("slo");

        compare(WireFormat.write(request), 200)
                .body("limits.from", equalTo("measured"))
                .body("sentence", containsString("more without being slower than today"));
    }

    @Test
    void readsAnAnswerOfMetricsAndALog() {
        Map<String, Object> traffic = api().contentType("text/plain")
                .body(Examples.text("server-metrics.txt"))
                .post(ServerController.METRICS)
                .jsonPath()
                .getMap("$");
        Map<String, Object> request = request(Map.of("log", Examples.text("engine-log.txt"), "scheme", "BF16"));
        request.remove("metrics");
        request.put("traffic", traffic);
        compare(WireFormat.write(request), 200)
                .body("running.layout", equalTo("TP=1 x 1"))
                .body("running.engine", startsWith("vllm 0.19.0"))
                .body("limits.from", equalTo("measured"));
    }

    @Test
    void writesText() {
        String text = api().contentType("application/json")
                .accept("text/plain")
                .body(Examples.text("comparison.json"))
                .post(ComparisonController.PATH)
                .then()
                .statusCode(200)
                .extract()
                .asString();

        assertThat(text.lines().skip(1))
                .anyMatch(line -> line.startsWith("Running   TP=8 x 1 on 8 devices, vllm 0.24.0, FP8"))
                .anyMatch(line -> line.startsWith("          measured   TTFT 489 ms   TPOT 22.5 ms"))
                .anyMatch(line -> line.startsWith("At most"))
                .anyMatch(line -> line.startsWith("Best      TP="));
    }

    @Test
    void namesTheHitRate() {
        String metrics = Examples.text("server-metrics.txt")
                + "vllm:prefix_cache_queries_total{engine=\"0\"} 1000\nvllm:prefix_cache_hits_total{engine=\"0\"} 400\n";
        Map<String, Object> request = request(Map.of("command", COMMAND));
        request.put("metrics", metrics);
        compare(WireFormat.write(request), 200)
                .body("sentence", containsString("the hit rate of 40%"))
                .body("$", not(hasKey("corrected")));
    }

    @Test
    void rejectsOtherRequests() {
        Map<String, Object> request = request(Map.of("command", "vllm serve m | tee log"));
        compare(WireFormat.write(request), 400).body("errors.pointer", hasItem("/running/command"));
        request.put("running", Map.of("command", COMMAND, "scheme", "FP9"));
        compare(WireFormat.write(request), 400);
        request.put("running", Map.of("instances", 2));
        compare(WireFormat.write(request), 400).body("errors.pointer", hasItem("/running"));
        request.put("running", Map.of("command", COMMAND));
        request.put("device", "NO_DEVICE");
        compare(WireFormat.write(request), 400).body("errors[0].pointer", startsWith("/device"));
        request.put("metrics", "nothing");
        compare(WireFormat.write(request), 400).body("errors.pointer", hasItem("/metrics"));
        request.remove("metrics");
        compare(WireFormat.write(request), 400).body("errors.pointer", hasItem("/traffic"));
    }

    private static Map<String, Object> request(Map<String, Object> running) {
        Map<String, Object> request = new LinkedHashMap<>();
        request.put("running", running);
        request.put("device", "H100_SXM");
        request.put("metrics", Examples.text("server-metrics.txt"));
        return request;
    }

    private ValidatableResponse compare(String body, int status) {
        return api().contentType("application/json")
                .body(body)
                .post(ComparisonController.PATH)
                .then()
                .statusCode(status);
    }
}
