package io.throughputoptimizer.web;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.nullValue;

import io.restassured.path.json.JsonPath;
import io.restassured.response.ValidatableResponse;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// How few devices serve a demand, over HTTP.
class CapacityIT extends HttpTest {
    private static final String ROWS = "result.capacity.rows";
    private static final String SERVED = """
            "cost_model": "analytic", "model_id": "Qwen/Qwen3-32B", "devices": ["TEST_DEVICE"], "workload": {"input_length": 3500, "output_length": 1500},
            "slo": {"ttft_ms": 2000, "tpot_ms": 50}, "serving": {"compile": true}, "accounting": "documented\"""";
    private static final String CAPACITY = "{\"mode\": \"capacity\", " + SERVED + ", \"num_devices\": 64, %s}";
    private static final String DEMAND = "\"demand\": {\"requests_per_s\": 2.5}, \"headroom\": 0.2";

    private ValidatableResponse ask(String members) {
        return optimize(CAPACITY.formatted(members));
    }

    /// The devices are those that a planner would count from separate answers about one instance.
    @Test
    void instancesAreCountedFromTheSearchOfOne() {
        double tokens = optimize("{" + SERVED + ", \"num_devices\": 8}")
                .extract()
                .<Double>path("result.devices[0].phases[0].best.tokens_per_s");
        long count = (long) Math.ceil(2.5 * 1.2 * 1500 / tokens);

        JsonPath answer = ask(DEMAND + ", \"instance_sizes\": [8]").extract().jsonPath();
        Map<String, Object> row = answer.getMap(ROWS + ".find { it.deployment == 'aggregated' }");
        assertThat(row).containsEntry("num_devices", (int) (8 * count));
        double utilization = answer.getDouble(ROWS + ".find { it.deployment == 'aggregated' }.utilization");
        assertThat(utilization).isEqualTo(2.5 * 1500 / (count * tokens), within(1e-12));
    }

    /// One wave is all burst, which a settled TTFT leaves out: no request is left for a percentile.
    @Test
    void oneWaveOfSettledRequestsHasNoPercentiles() {
        optimize("""
                        {"cost_model": "calibrated", "mode": "capacity", "model_id": "Qwen/Qwen3-32B",
                         "devices": ["H200_SXM"], "num_devices": 64, "engine": {"backend": "vllm"},
                         "quantization": {"scheme": "FP8"}, "traffic": {"waves": 1},
                         "workload": {"input_length": 2000, "output_length": 500},
                         "slo": {"ttft_ms": 1000, "tpot_ms": 40, "ttft_basis": "settled"},
                         "demand": {"concurrency": 50}}""")
                .body("result.capacity.best.num_devices", greaterThan(0))
                .body("result.capacity.best.percentiles", nullValue());
    }

    /// Instances are counted by their most, however few requests their share is.
    @Test
    void countsAtTheMostSequencesOfTheEngineSaySo() {
        String bound =
                "vllm runs at most 1024 requests per rank by default; set batch_range to search larger batch sizes";
        String question = """
                {"cost_model": "calibrated", "mode": "capacity", "model_id": "Qwen/Qwen3-8B", "devices": ["H200_SXM"],
                 "num_devices": 16, "engine": {"backend": "vllm"}, "quantization": {"scheme": "FP8"},
                 "workload": {"input_length": 100, "output_length": 100}, "slo": {"ttft_ms": 60000, "tpot_ms": 500},
                 "instance_sizes": [1], "demand": {"requests_per_s": 400}}""";
        JsonPath answer = optimize(question).extract().jsonPath();
        List<Map<String, Object>> groups = answer.getList("result.capacity.rows.collectMany { it.instances }");

        assertThat(groups).extracting(group -> group.get("phase")).contains("aggregation", "decode");
        assertThat(groups).allSatisfy(group -> {
            boolean decodes = !"prefill".equals(group.get("phase"));
            assertThat(((Map<?, ?>) requireNonNull(group.get("load"))).get("warnings"))
                    .isEqualTo(decodes ? List.of(bound) : null);
        });
    }

    @Test
    void devicesThatDoNotHoldOneRequestWithTheHeadroomReachNoDemand() {
        String narrow = "\"search\": {\"batch_range\": [2]}, \"num_devices\": 4";
        optimize(CAPACITY.formatted("\"demand\": {\"concurrency\": 50000}, \"headroom\": 100")
                        .replace("\"num_devices\": 64", narrow))
                .body("status", equalTo("succeeded"))
                .body("result.capacity.shortfalls[0].reaches", empty());
    }
}
