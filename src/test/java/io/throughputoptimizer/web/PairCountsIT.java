package io.throughputoptimizer.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.everyItem;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.hasItems;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.nullValue;

import io.restassured.path.json.JsonPath;
import io.restassured.response.ValidatableResponse;
import io.throughputoptimizer.fixture.EveryNight;
import io.throughputoptimizer.fixture.RequestEditor;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Prefill and decode instances of several sizes, on kinds of device of their own, with a transfer between them.
class PairCountsIT extends HttpTest {
    private static final String QUESTION = """
            {"model_id": "Qwen/Qwen3-32B", "devices": ["H100_SXM", "B200_SXM"], "num_devices": 16, "mode": "pd_ratio",
             "workload": {"input_length": 4096, "output_length": 500}, "slo": {"ttft_ms": 2000, "tpot_ms": 50},
             "search": {"tp_sizes": [2, 4, 8]}, "serving": {"compile": true},
             "pd_ratio": {"prefill_devices_per_instance": [2, 4], "decode_devices_per_instance": [4, 8],
                          "prefill_devices": "H100_SXM", "decode_devices": ["B200_SXM", "H100_SXM"],
                          "kv_transfer": {"gb_per_s": 25, "latency_ms": 5}}}""";

    private static final String MEASURED = """
            {"cost_model": "calibrated", "mode": "pd_ratio", "model_id": "Qwen/Qwen3-32B",
             "devices": ["H100_SXM", "H200_SXM"], "num_devices": 8,
             "workload": {"input_length": 2048, "output_length": 512}, "slo": {"ttft_ms": 2000, "tpot_ms": 30},
             "engine": {"backend": "vllm", "kv_cache": "fp8"}, "quantization": {"scheme": "FP8"},
             "pd_ratio": {"prefill_devices_per_instance": [1, 2], "decode_devices_per_instance": [2, 4],
                          "prefill_devices": "H100_SXM", "decode_devices": ["H200_SXM", "H100_SXM"],
                          "kv_transfer": {"gb_per_s": 25, "latency_ms": 5}}}""";

    private static final String PLAIN = """
            {"model_id": "Qwen/Qwen3-32B", "devices": ["H100_SXM"], "num_devices": 16, "mode": "pd_ratio",
             "workload": {"input_length": 4096, "output_length": 500}, "slo": {"ttft_ms": 2000, "tpot_ms": 50},
             "search": {"tp_sizes": [2, 4]}, "serving": {"compile": true},
             "pd_ratio": {"prefill_devices_per_instance": 4, "decode_devices_per_instance": 8}}""";

    @Test
    void eachPairOfKindsIsAnsweredAndTheBestAreCompared() {
        JsonPath result = optimize(QUESTION)
                .body("result.devices.device", contains("H100_SXM + B200_SXM", "H100_SXM"))
                .body("result.devices[0].pd_ratio.rows.device_p", everyItem(equalTo("H100_SXM")))
                .body("result.devices[0].pd_ratio.rows.device_d", everyItem(equalTo("B200_SXM")))
                .body("result.devices[1].pd_ratio.rows.device_d", everyItem(equalTo("H100_SXM")))
                .body("result.cross_hardware", hasSize(1))
                .body("result.cross_hardware[0].rows.rank", contains(1, 2))
                .body("request.pd_ratio.prefill_devices", equalTo("H100_SXM"))
                .extract()
                .jsonPath();

        for (int device = 0; device < 2; device++) {
            boolean shared = device == 1;
            List<Map<String, Number>> rows = result.getList("result.devices[%d].pd_ratio.rows".formatted(device));
            assertThat(rows).isNotEmpty().allSatisfy(row -> assertIsWhole(row, shared));
            assertThat(rows.stream().map(row -> number(row, "qps_per_device")))
                    .isSortedAccordingTo((one, other) -> Double.compare(other, one));
            assertThat(rows.stream().map(row -> row.get("num_devices_p"))).contains(2, 4);
        }
    }

    private static void assertIsWhole(Map<String, Number> row, boolean shared) {
        int prefill = (int) number(row, "prefill_instances");
        int decode = (int) number(row, "decode_instances");
        int prefillDevices = prefill * (int) number(row, "num_devices_p");
        int decodeDevices = decode * (int) number(row, "num_devices_d");
        assertThat(shared ? prefillDevices + decodeDevices : Math.max(prefillDevices, decodeDevices))
                .isLessThanOrEqualTo(16);
        assertThat(row.get("devices_used")).isEqualTo(prefillDevices + decodeDevices);
        double qps = Math.min(prefill * number(row, "p_qps"), decode * number(row, "d_qps"));
        assertThat(number(row, "qps")).isCloseTo(qps, within(1e-9));
        assertThat(number(row, "qps_per_device")).isCloseTo(qps / (int) number(row, "devices_used"), within(1e-9));
        assertThat(number(row, "tokens_per_s")).isCloseTo(qps * 500, within(1e-6));
        // 256 KiB a token: 4096 tokens are a GiB, which takes 40 ms.
        assertThat(number(row, "kv_transfer_gb")).isEqualTo(1);
        assertThat(number(row, "kv_transfer_ms")).isEqualTo(45);
        assertThat(number(row, "ttft_ms")).isEqualTo(number(row, "ttft_p") + 45).isLessThanOrEqualTo(2000);
        assertThat(number(row, "tpot_ms")).isEqualTo(number(row, "tpot_d")).isLessThanOrEqualTo(50);
    }

    /// The service is asked for the same cache in a pass.
    @Test
    void theTransferHasTheBytesOfAnEstimate() {
        for (String model : List.of("Qwen/Qwen3-8B", "deepseek-ai/DeepSeek-V3", "MiniMaxAI/MiniMax-M2")) {
            String question = PLAIN.replace("Qwen/Qwen3-32B", model)
                    .replace("H100_SXM", "B200_SXM")
                    .replace("\"num_devices\": 16", "\"num_devices\": 32")
                    .replace("instance\": 4", "instance\": 16")
                    .replace("instance\": 8}", "instance\": 16, \"kv_transfer\": {\"gb_per_s\": 10}}")
                    .replace("\"slo\": {\"ttft_ms\": 2000, \"tpot_ms\": 50},", "");
            JsonPath estimate = json("""
                            {"model_id": "%s", "device": "B200_SXM", "num_devices": 1, "compile": true,
                             "parallel": {"tp": 1},
                             "pass": {"phase": "decode", "concurrency": 1, "query_len": 1, "seq_len": 4096}}""".formatted(model))
                    .post("/api/v1/estimates")
                    .then()
                    .statusCode(200)
                    .extract()
                    .jsonPath();

            optimize(question)
                    .body(
                            "result.devices[0].pd_ratio.best.kv_transfer_gb.toDouble()",
                            equalTo(estimate.getDouble("memory.kv_cache_per_token_gb") * 4096));
        }
    }

    @Test
    void twoPlainSizesAreAnsweredAsEver() {
        JsonPath plain = optimize(PLAIN)
                .body("result.devices[0].pd_ratio.rows.qps_per_device", everyItem(nullValue()))
                .body("result.devices[0].pd_ratio.rows.devices_used", everyItem(nullValue()))
                .extract()
                .jsonPath();
        JsonPath listed = optimize(PLAIN.replace("instance\": 4", "instance\": [4]"))
                .extract()
                .jsonPath();

        assertThat(listed.<Object>get("result.devices")).isEqualTo(plain.get("result.devices"));
        assertThat(listed.<Object>get("request")).isEqualTo(plain.get("request"));
    }

    @Test
    void requestsOfUnequalLengthArePairedByTheirMeans() {
        String mixed = QUESTION.replace(
                        "\"input_length\": 4096, \"output_length\": 500",
                        "\"length_distribution\": {\"bins\": [{\"min_tokens\": 4000, \"max_tokens\": 4192, \"weight\": 1}]},"
                                + "\"output_distribution\": {\"bins\": ["
                                + "{\"min_tokens\": 150, \"max_tokens\": 250, \"weight\": 1},"
                                + "{\"min_tokens\": 550, \"max_tokens\": 650, \"weight\": 1}]}")
                .replace("\"mode\"", "\"accounting\": \"steady\", \"mode\"");

        JsonPath result = optimize(mixed).extract().jsonPath();

        assertThat(result.getDouble("result.devices[0].pd_ratio.best.kv_transfer_gb"))
                .isEqualTo(1);
        assertThat(result.getDouble("result.devices[0].pd_ratio.best.tokens_per_s"))
                .isCloseTo(400 * result.getDouble("result.devices[0].pd_ratio.best.qps"), within(1e-6));
    }

    @Test
    void textAndCsvSayWhatThePairIsOfAndWhatMoves() {
        assertThat(answer(QUESTION, "text/plain"))
                .contains("Prefill Devices Per Instance: 2, 4")
                .contains("KV Transfer: 25.0 GB/s, 5.0 ms")
                .contains("45.00 ms of it for 1.000 GB of KV cache")
                .contains("QPS/device (req/s)")
                .contains("H100_SXM + B200_SXM");
        List<String> csv = answer(QUESTION, "text/csv").lines().toList();
        assertThat(csv.getFirst())
                .contains(",device_p,device_d,devices_used,qps,qps/device,ttft,kv_transfer_ms,kv_transfer_gb,");
        assertThat(csv.subList(1, csv.size())).isNotEmpty().allMatch(line -> line.contains(",45.0,1.0,"));
        String without = QUESTION.replaceFirst(",\\s*\"kv_transfer\": \\{[^}]*}", "");
        assertThat(answer(without, "text/csv").lines().findFirst().orElseThrow())
                .contains(",device_p,device_d,devices_used,qps,qps/device,ttft,sustained_qps,devices_idle");
        assertThat(answer(without, "text/plain")).doesNotContain("KV transfer");
        assertThat(answer(PLAIN, "text/csv").lines().findFirst().orElseThrow())
                .contains(",accounting,", ",devices_idle,");
    }

    @Test
    void aPairIsStartedOnOneKindAndOnTwo() {
        String id = optimize(QUESTION).extract().path("id");

        api().get(OPTIMIZATIONS + "/" + id + "/launch?engine=vllm&device=H100_SXM")
                .then()
                .statusCode(200)
                .body("servers", hasSize(2));
        api().get(OPTIMIZATIONS + "/" + id + "/launch?engine=vllm")
                .then()
                .statusCode(200)
                .body("device", equalTo("H100_SXM + B200_SXM"))
                .body("servers.device", contains("H100_SXM", "B200_SXM"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/pd_ratio/prefill_devices | \"L40S\" | /pd_ratio/prefill_devices | is L40S: it must be named in devices",
                "/pd_ratio/decode_devices | [\"H100_SXM\", \"L40S\"] | /pd_ratio/decode_devices/1 | is L40S: it must be",
                "/pd_ratio/decode_devices | \"H100_SXM\" | /devices/1 | is B200_SXM: pd_ratio has neither prefill nor",
                "/pd_ratio/decode_devices_per_instance | [4, 32] | /pd_ratio/decode_devices_per_instance/1 | is 32: at most",
                "/pd_ratio/prefill_devices_per_instance | [2, 16] | /pd_ratio/prefill_devices_per_instance/1 | is 16: with",
                "/pd_ratio/prefill_devices_per_instance | [2, 3] | /pd_ratio/prefill_devices_per_instance/1 | is 3: no combi",
                "/pd_ratio/prefill_devices_per_instance | [] | /pd_ratio/prefill_devices_per_instance | has a wrong size",
                "/pd_ratio/prefill_devices_per_instance | 0 | /pd_ratio/prefill_devices_per_instance | at least 1 is needed",
                "/pd_ratio/kv_transfer | {} | /pd_ratio/kv_transfer/gb_per_s | is missing: a value is needed",
                "/pd_ratio/kv_transfer/gb_per_s | 0 | /pd_ratio/kv_transfer/gb_per_s | at least 0.000001 is needed",
                "/pd_ratio/kv_transfer/latency_ms | -1 | /pd_ratio/kv_transfer/latency_ms | at least 0 is needed",
                "/search/tp_sizes | [2, 64] | /search/tp_sizes/1 | is 64: at most the device count",
            })
    void whatCannotBeAskedIsRefusedAtItsMember(String member, String value, String pointer, String message) {
        assertThatItIsRefused(RequestEditor.with(QUESTION, member, value), pointer, message);
    }

    @Test
    @EveryNight
    void eachPairOfKindsIsExplained() {
        String answers = "result.explanation.answers";
        String id = optimize(RequestEditor.with(QUESTION, "/explain", "true"))
                .body(answers + ".device", contains("H100_SXM + B200_SXM", "H100_SXM"))
                .body(answers + ".aim", everyItem(equalTo("pd_ratio")))
                .body(answers + "[0].binding.phase", hasItems("prefill", "decode"))
                .body(answers + "[0].what_would_help.change.device", hasItems("H100_SXM", "B200_SXM"))
                .body(answers + "[1].what_would_help.change.device", everyItem(nullValue()))
                .body(answers + "[0].what_would_help.change.lever", hasItems("kv_transfer_rate", "device_count"))
                .body(answers + "[0].what_would_help.change.pointer", hasItem("/pd_ratio/kv_transfer/gb_per_s"))
                .body(answers + "[0].frontier.phase", contains("pd_ratio"))
                .body(answers + "[0].frontier[0].points.batch_size_p", everyItem(notNullValue()))
                .body(answers + "[0].frontier[0].points.within_slo", hasItems(true, false))
                .extract()
                .path("id");
        JsonPath result = api().get(OPTIMIZATIONS + "/" + id + "/result").jsonPath();
        for (int device = 0; device < 2; device++) {
            String best = "explanation.answers[%d].best.".formatted(device);
            String row = "devices[%d].pd_ratio.best.".formatted(device);
            assertThat(result.getDouble(best + "tokens_per_s_per_device"))
                    .isEqualTo(result.getDouble(row + "tokens_per_s_per_device"));
            assertThat(result.getDouble(best + "instances[0].ttft_ms")).isEqualTo(result.getDouble(row + "ttft_ms"));
            assertThat(result.getInt(best + "instances[1].count")).isEqualTo(result.getInt(row + "decode_instances"));
        }
        assertThat(report(id, "text/plain"))
                .contains(
                        "What binds - H100_SXM + B200_SXM, prefill",
                        ", beside the KV transfer of 45.0 ms",
                        "What would help - H100_SXM + B200_SXM, pd_ratio",
                        "memory_bandwidth of B200_SXM",
                        "pd_ratio (what the limit on each latency costs beside the other)");
        table(id, "sensitivities")
                .body(containsString("H100_SXM + B200_SXM,pd_ratio,kv_transfer_rate,25.0,27.5,GB/s,"));
        table(id, "frontier")
                .body(containsString("H100_SXM + B200_SXM,pd_ratio,"))
                .body(containsString(" feed "));
    }

    private ValidatableResponse table(String id, String table) {
        return api().accept("text/csv")
                .get(OPTIMIZATIONS + "/" + id + "/result?table=" + table)
                .then()
                .statusCode(200);
    }

    @Test
    void measuredPairsAreOfAllSizesAndKindsToo() {
        JsonPath result = optimize(MEASURED)
                .body("result.devices.device", contains("H100_SXM + H200_SXM", "H100_SXM"))
                .body("result.devices[0].pd_ratio.rows.device_d", everyItem(equalTo("H200_SXM")))
                .body("result.devices[1].pd_ratio.rows.device_d", everyItem(equalTo("H100_SXM")))
                .body("result.cross_hardware[0].rows.rank", contains(1, 2))
                .extract()
                .jsonPath();

        List<Map<String, Number>> rows = result.getList("result.devices[0].pd_ratio.rows");
        // Of the 2 x 2 sizes each has one layout, and one row in its best numbers.
        assertThat(rows).hasSize(4).allSatisfy(row -> {
            // 128 KiB a token in 8 bits: 2048 tokens are a quarter of a GiB.
            assertThat(number(row, "kv_transfer_gb")).isEqualTo(0.25);
            assertThat(number(row, "kv_transfer_ms")).isEqualTo(15);
            assertThat(number(row, "ttft_ms")).isLessThanOrEqualTo(2000);
            assertThat(number(row, "qps_per_device"))
                    .isCloseTo(number(row, "qps") / number(row, "devices_used"), within(1e-9));
        });
        assertThat(rows.stream().map(row -> number(row, "tokens_per_s_per_device")))
                .isSortedAccordingTo((one, other) -> Double.compare(other, one));
        assertThat(result.<Object>get("result.devices[0].pd_ratio.best.qps_per_device_band.low"))
                .isNull();
        assertThat(result.getDouble("result.devices[0].pd_ratio.best.qps_per_device_band.high"))
                .isGreaterThan(result.getDouble("result.devices[0].pd_ratio.best.qps_per_device"));
        assertThat(result.getDouble("result.devices[0].pd_ratio.best.ttft_ms_band.low"))
                .isGreaterThan(15);
        assertThat(answer(MEASURED, "text/plain"))
                .contains("15.00 ms of it for 0.250 GB of KV cache")
                .contains("H100_SXM + H200_SXM");
        assertThat(answer(MEASURED, "text/csv").lines().findFirst().orElseThrow())
                .contains(",device_p,device_d,kv_transfer_ms,kv_transfer_gb,");
    }

    @EveryNight
    @Test
    void eachMeasuredPairOfKindsIsExplained() {
        String answers = "explanation.answers";
        String id = optimize(RequestEditor.with(MEASURED, "/explain", "true"))
                .extract()
                .path("id");
        JsonPath result =
                api().get(OPTIMIZATIONS + "/" + id + "/result?points=true").jsonPath();
        assertThat(result.getList(answers + ".device")).containsExactly("H100_SXM + H200_SXM", "H100_SXM");
        assertThat(result.getList(answers + "[0].what_would_help.change.device"))
                .contains("H100_SXM", "H200_SXM");
        assertThat(result.getList(answers + "[0].what_would_help.change.lever")).contains("kv_transfer_rate");
        assertThat(result.getList(answers + "[1].what_would_help.change.device", String.class))
                .containsOnlyNulls();
        assertThat(result.getList(answers + "[0].frontier[0].points.within_slo"))
                .contains(true, false);
        for (int device = 0; device < 2; device++) {
            assertThat(result.getDouble(answers + "[%d].best.tokens_per_s_per_device".formatted(device)))
                    .isEqualTo(result.getDouble("devices[%d].pd_ratio.best.tokens_per_s_per_device".formatted(device)));
        }
        assertThat(report(id, "text/plain"))
                .contains(
                        "What binds - H100_SXM + H200_SXM, pd_ratio",
                        "memory_bandwidth of H200_SXM",
                        "pd_ratio (what the limit on each latency costs beside the other)");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/pd_ratio/prefill_devices | \"L40S\" | /pd_ratio/prefill_devices | is L40S: it must be named in devices",
                "/pd_ratio/decode_devices_per_instance | [2, 16] | /pd_ratio/decode_devices_per_instance/1 | is 16: at most",
                "/pd_ratio/decode_devices | \"H100_SXM\" | /devices/1 | is H200_SXM: pd_ratio has neither prefill nor",
                "/engine/backend | {\"H100_SXM\": \"vllm\", \"H200_SXM\": \"sglang\"} | /engine/backend | need the same",
            })
    void whatMeasuredPairsCannotBeAskedIsRefused(String member, String value, String pointer, String message) {
        assertThatItIsRefused(RequestEditor.with(MEASURED, member, value), pointer, message);
    }

    private void assertThatItIsRefused(String question, String pointer, String message) {
        json(question)
                .post(OPTIMIZATIONS)
                .then()
                .statusCode(400)
                .body("errors.pointer", contains(pointer))
                .body("errors[0].message", containsString(message));
    }

    private static double number(Map<String, Number> row, String member) {
        return Objects.requireNonNull(row.get(member)).doubleValue();
    }
}
