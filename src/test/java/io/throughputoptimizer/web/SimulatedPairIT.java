package io.throughputoptimizer.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import de.siegmar.fastcsv.reader.NamedCsvRecord;
import io.restassured.path.json.JsonPath;
import io.throughputoptimizer.fixture.RequestEditor;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SimulatedPairIT extends HttpTest {
    private static final String SIMULATIONS = "/api/v1/simulations";

    private static final String PAIR = """
            {"model_id": "Qwen/Qwen3-32B", "device": "H100_SXM", "engine": {"backend": "vllm"},
             "quantization": {"scheme": "FP8"},
             "pair": {"prefill": {"parallel": {"tp": 2}, "instances": 2},
                      "decode": {"parallel": {"tp": 4}, "device": "H200_SXM"},
                      "kv_transfer": {"gb_per_s": 25, "latency_ms": 2}},
             "workload": {"input_length": 3500, "output_length": 500}, "traffic": {"concurrency": 32}}""";

    /// One request at a time: its prompt and one step of decode are passes that estimates price, and its transfer is
    /// that of pairs in searches.
    @Test
    void oneRequestAtATimeWaitsForNobody() {
        JsonPath alone = simulate(with(PAIR, "/traffic", "{\"concurrency\": 1, \"waves\": 4}"));
        JsonPath row = optimize("""
                {"cost_model": "calibrated", "mode": "pd_ratio", "model_id": "Qwen/Qwen3-32B",
                 "devices": ["H100_SXM", "H200_SXM"], "num_devices": 8, "engine": {"backend": "vllm"},
                 "quantization": {"scheme": "FP8"}, "slo": {"tpot_ms": 50},
                 "pd_ratio": {"prefill_devices_per_instance": [2], "decode_devices_per_instance": [4],
                              "prefill_devices": ["H100_SXM"], "decode_devices": ["H200_SXM"],
                              "kv_transfer": {"gb_per_s": 25, "latency_ms": 2}},
                 "workload": {"input_length": 3500, "output_length": 500},
                 "search": {"tp_sizes": [2, 4], "dp_sizes": [1]}}""").extract().jsonPath();
        double transfer = alone.getDouble("pair.kv_transfer_ms");
        double prompt = latency(
                "H100_SXM", 2, "{\"phase\": \"prefill\", \"query_len\": 3500, \"seq_len\": 3500, \"concurrency\": 1}");
        double first = latency(
                "H200_SXM", 4, "{\"phase\": \"decode\", \"query_len\": 1, \"seq_len\": 3501, \"concurrency\": 1}");
        double middle = latency(
                "H200_SXM", 4, "{\"phase\": \"decode\", \"query_len\": 1, \"seq_len\": 3751, \"concurrency\": 1}");
        double frontend = alone.getDouble("engine.frontend_ms");

        assertThat(row.getList("result.devices.pd_ratio.rows.kv_transfer_ms.flatten()", Double.class))
                .isNotEmpty()
                .allSatisfy(one -> assertThat(one).isCloseTo(transfer, within(1e-9)));
        assertThat(alone.getDouble("ttft_ms.p99"))
                .isCloseTo(prompt + transfer + first + frontend, withinPercentage(1e-6));
        assertThat(alone.getDouble("tpot_ms.p50")).isCloseTo(middle, withinPercentage(1e-2));
        assertThat(alone.getDouble("e2e_latency_ms.p50"))
                .isCloseTo(
                        alone.getDouble("ttft_ms.p50") + 499 * alone.getDouble("tpot_ms.p50"), withinPercentage(1e-9));
        assertThat(alone.getDouble("pair.prefill.wait_ms")).isZero();
        assertThat(alone.getDouble("pair.decode.wait_ms")).isZero();
        assertThat(alone.getDouble("pair.decode.running")).isEqualTo(1);
    }

    private double latency(String device, int tp, String pass) {
        return json("""
                {"cost_model": "calibrated", "model_id": "Qwen/Qwen3-32B", "device": "%s",
                 "engine": {"backend": "vllm"}, "quantization": {"scheme": "FP8"}, "parallel": {"tp": %d},
                 "pass": %s}""".formatted(device, tp, pass))
                .post("/api/v1/estimates")
                .then()
                .statusCode(200)
                .extract()
                .jsonPath()
                .getDouble("latency_ms");
    }

    @Test
    void theAnswerSaysWhatBothSidesDid() {
        JsonPath simulation = simulate(PAIR);

        assertThat(simulation.getMap("parallel")).isNull();
        assertThat(simulation.getMap("").get("replicas")).isNull();
        assertThat(simulation.getString("pair.prefill.device")).isEqualTo("H100_SXM");
        assertThat(simulation.getString("pair.decode.device")).isEqualTo("H200_SXM");
        assertThat(simulation.getString("pair.prefill.parallel.label")).isEqualTo("TP=2 | PP=1 | DP=1");
        assertThat(simulation.getInt("pair.prefill.instances")).isEqualTo(2);
        assertThat(simulation.getInt("pair.decode.instances")).isEqualTo(1);
        assertThat(simulation.getInt("requests")).isEqualTo(320);
        assertThat(simulation.getString("ttft_ms.mean_band.basis")).isEqualTo("ttft/disaggregated");
        assertThat(simulation.getString("tpot_ms.mean_band.basis")).isEqualTo("tpot/disaggregated_one_node");
        assertThat(simulate(PAIR).getMap("")).isEqualTo(simulation.getMap(""));
        // A prefill rank that computes half of the prompts, each in what is left of its TTFT.
        double seconds = 320 * 500 / simulation.getDouble("tokens_per_s");
        double prompt = latency(
                "H100_SXM", 2, "{\"phase\": \"prefill\", \"query_len\": 3500, \"seq_len\": 3500, \"concurrency\": 1}");
        assertThat(simulation.getDouble("pair.prefill.busy"))
                .isCloseTo(160 * prompt / 1000 / seconds, withinPercentage(1e-6));
    }

    @Test
    void recordedRequestsComeAtTheirTimes() {
        String replay = with(with(PAIR, "/traffic", "{}"), "/workload", """
                {"requests": {"input_tokens": [812, 3120, 9400, 640], "output_tokens": [1, 95, 410, 120],
                              "sent_ms": [0, 140, 150, 90000]}}""");
        JsonPath simulation = simulate(replay);

        assertThat(simulation.getInt("requests")).isEqualTo(4);
        double end = Objects.requireNonNull(simulation.getList("timeline.end_ms", Double.class))
                .getLast();
        assertThat(end).isGreaterThan(90_000);
        assertThat(simulation.getDouble("tokens_per_s")).isCloseTo((1 + 95 + 410 + 120) / (end / 1000), within(1e-9));
    }

    @Test
    void aSaturatedRateIsRefusedWithTheHighestThatIsNot() {
        String message = Objects.requireNonNull(
                refused(with(PAIR, "/traffic", "{\"request_rate\": 1000}")).get("detail"));

        String highest = message.replaceAll(".*above (\\S+) requests.*", "$1");
        JsonPath most = simulate(with(PAIR, "/traffic", "{\"request_rate\": " + highest + "}"));
        assertThat(most.getInt("requests")).isEqualTo(300);
        assertThat(most.getDouble("pair.prefill.busy")).isGreaterThan(0.75);
    }

    @Test
    void tablesShowBothSides() {
        JsonPath simulation = simulate(PAIR);
        String text = reported("text/plain");

        assertThat(text.lines())
                .contains("    Devices: 8 H100_SXM + H200_SXM")
                .contains("    Prefill: 2 x TP=2 | PP=1 | DP=1 on H100_SXM")
                .contains("    Decode: 1 x TP=4 | PP=1 | DP=1 on H200_SXM")
                .contains("    KV Transfer: %.1f ms".formatted(simulation.getDouble("pair.kv_transfer_ms")))
                .contains("Statistics of 320 requests of all ranks:")
                .anyMatch(line -> line.contains("p99")
                        && line.contains("%.1f".formatted(simulation.getDouble("e2e_latency_ms.p99"))));
        NamedCsvRecord record = records(reported("text/csv")).getFirst();
        assertThat(record.getField("parallel_d")).isEqualTo("TP=4 | PP=1 | DP=1");
        assertThat(record.getField("prefill_instances")).isEqualTo("2");
        assertThat(Double.parseDouble(record.getField("e2e_latency_p90")))
                .isEqualTo(simulation.getDouble("e2e_latency_ms.p90"));
        assertThat(Double.parseDouble(record.getField("busy_d"))).isEqualTo(simulation.getDouble("pair.decode.busy"));
    }

    private String reported(String mediaType) {
        return json(PAIR)
                .accept(mediaType)
                .post(SIMULATIONS)
                .then()
                .statusCode(200)
                .extract()
                .asString();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            /pair/prefill                | null                    | /pair/prefill                | is required
            /pair/decode/instances       | 0                       | /pair/decode/instances       | at least 1
            /pair/decode/parallel/tp     | 3                       | /pair/decode/parallel        | 3
            /pair/decode/device          | "TEST_DEVICE"           | /pair/decode/device          | must be a calibrated device
            /pair/prefill/parallel/dcp   | 2                       | /pair/prefill/parallel/dcp   | requires cost_model analytic. Remove it. With calibrated, ranks that share the KV cache
            /pair/kv_transfer/gb_per_s   | 0                       | /pair/kv_transfer/gb_per_s   | at least
            /pair/decode                 | {"parallel": {"tp": 1, "dp": 8}, "instances": 129} | /pair/decode/instances | must be at most 128
            /pair/prefill/instances      | 1025                    | /pair/prefill/instances      | at most 1024
            /pair/bogus                  | 1                       | /pair/bogus                  | is not a known field
            /parallel                    | {"tp": 2}               | /parallel                    | must not be combined with pair
            /num_devices                 | 8                       | /num_devices                 | must not be combined with pair
            /engine/kv_tokens            | 3600                    | /pair/decode/parallel        | one request takes 3875
            /traffic/waves               | 4000                    | /traffic/waves               | must be at most 3125 with 32 requests per rank
            /traffic/request_rate        | 2                       | /traffic                     | exactly one of
            """)
    void aWrongMemberIsNamedWithWhatWouldDo(String member, String value, String pointer, String words) {
        Map<String, String> error = refused(with(PAIR, member, value));

        assertThat(error.get("pointer")).isEqualTo(pointer);
        assertThat(error.get("detail")).contains(words);
    }

    /// Turns of 100, 250 and 400 tokens, which find nothing, 100 and 250 of them.
    @Test
    void turnsFindThePromptBefore() {
        String turns = with(PAIR, "/workload", """
                {"conversation": {"turns": 3, "added_tokens": 100, "generated_tokens": 50, "think_time_s": 1}}""");
        JsonPath simulation = simulate(with(turns, "/traffic", "{\"concurrency\": 8, \"waves\": 300}"));

        assertThat(simulation.getInt("requests")).isEqualTo(2400);
        assertThat(simulation.getDouble("turns.turns_found")).isEqualTo(1);
        assertThat(simulation.getDouble("turns.hit_rate")).isCloseTo(350.0 / 750, withinPercentage(1));
        assertThat(simulation.getDouble("turns.context_tokens")).isCloseTo(250 + 25, withinPercentage(1));
        Map<String, String> error = refused(with(turns, "/traffic", "{\"request_rate\": 1}"));
        assertThat(error.get("pointer")).isEqualTo("/traffic/request_rate");
    }

    private static String with(String body, String member, String value) {
        return RequestEditor.with(body, member, value);
    }

    private JsonPath simulate(String body) {
        return json(body).post(SIMULATIONS).then().statusCode(200).extract().jsonPath();
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
