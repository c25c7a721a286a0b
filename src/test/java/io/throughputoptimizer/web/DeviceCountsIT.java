package io.throughputoptimizer.web;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsInAnyOrder;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.everyItem;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.not;

import io.restassured.path.json.JsonPath;
import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.fixture.EveryNight;
import io.throughputoptimizer.fixture.Nightly;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Kinds of device of which there are different numbers.
class DeviceCountsIT extends HttpTest {
    private static final List<String> DEVICES = List.of("H100_SXM", "H200_SXM", "B200_SXM");
    private static final List<Integer> COUNTS = List.of(2, 4, 6, 8, 16);
    private static final int SEEDS = Nightly.isNow() ? 10 : 1;

    private static final Map<String, String> ANALYTIC =
            Map.of("aggregation", """
            "slo": {"ttft_ms": 3000, "tpot_ms": 50}, "serving": {"compile": true}""", "disaggregation", """
            "mode": "disaggregation", "slo": {"ttft_ms": 3000, "tpot_ms": 50}, "serving": {"compile": true}""", "pd_ratio", """
            "mode": "pd_ratio", "slo": {"ttft_ms": 3000, "tpot_ms": 50}, "serving": {"compile": true},
            "pd_ratio": {"prefill_devices_per_instance": 2, "decode_devices_per_instance": 4}""", "several sizes", """
            "mode": "pd_ratio", "slo": {"ttft_ms": 3000, "tpot_ms": 50}, "serving": {"compile": true},
            "pd_ratio": {"prefill_devices_per_instance": [1], "decode_devices_per_instance": [1],
                         "kv_transfer": {"gb_per_s": 25}}""", "capacity", """
            "mode": "capacity", "slo": {"ttft_ms": 3000, "tpot_ms": 50}, "serving": {"compile": true},
            "demand": {"requests_per_s": 12}""");

    private static final Map<String, String> CALIBRATED =
            Map.of("aggregation", """
            "slo": {"ttft_ms": 3000, "tpot_ms": 50}""", "pd_ratio", """
            "mode": "pd_ratio", "slo": {"ttft_ms": 3000, "tpot_ms": 50},
            "pd_ratio": {"prefill_devices_per_instance": 1, "decode_devices_per_instance": 1}""", "several sizes", """
            "mode": "pd_ratio", "slo": {"ttft_ms": 3000, "tpot_ms": 50},
            "pd_ratio": {"prefill_devices_per_instance": [1], "decode_devices_per_instance": [1],
                         "kv_transfer": {"gb_per_s": 25}}""", "capacity", """
            "mode": "capacity", "slo": {"ttft_ms": 3000, "tpot_ms": 50}, "demand": {"requests_per_s": 12},
            "instance_sizes": [1, 2]""");

    static Stream<Arguments> questions() {
        return Stream.iterate(0, seed -> seed < SEEDS, seed -> seed + 1)
                .flatMap(seed -> Stream.concat(
                        ANALYTIC.keySet().stream().map(name -> Arguments.of(seed, false, name)),
                        CALIBRATED.keySet().stream().map(name -> Arguments.of(seed, true, name))));
    }

    /// Whatever the mode, a kind of device is answered as if it were asked about alone with its number.
    @ParameterizedTest
    @MethodSource("questions")
    void eachKindIsAnsweredAsIfItWereAlone(int seed, boolean calibrated, String name) {
        Random random = new Random(100L * seed + name.hashCode());
        Map<String, Integer> counts = new LinkedHashMap<>();
        DEVICES.stream()
                .filter(device -> counts.size() + DEVICES.size() - DEVICES.indexOf(device) <= 2 || random.nextBoolean())
                .forEach(device -> counts.put(device, COUNTS.get(random.nextInt(COUNTS.size()))));
        String question = """
                {"model_id": "Qwen/Qwen3-8B", "workload": {"input_length": %d, "output_length": %d}, %s, %s}""".formatted(
                        200 + random.nextInt(3000),
                        50 + random.nextInt(500),
                        calibrated
                                ? """
                                  "cost_model": "calibrated", "engine": {"backend": "vllm"},
                                  "quantization": {"scheme": "FP8"}"""
                                : "\"cost_model\": \"analytic\", \"accounting\": \""
                                        + (random.nextBoolean() ? "documented" : "steady") + "\"",
                        (calibrated ? CALIBRATED : ANALYTIC).get(name));

        JsonPath together = optimize(about(question, counts))
                .body("request.num_devices", equalTo(counts))
                .body("request.devices", equalTo(List.copyOf(counts.keySet())))
                .extract()
                .jsonPath();

        List<String> devices = List.copyOf(counts.keySet());
        for (int index = 0; index < devices.size(); index++) {
            String device = devices.get(index);
            int count = requireNonNull(counts.get(device));
            JsonPath alone = optimize(about(question, device, count))
                    .body("request.num_devices", equalTo(count))
                    .extract()
                    .jsonPath();
            assertThat(together.<Object>get("result.devices[%d]".formatted(index)))
                    .isEqualTo(alone.get("result.devices[0]"));
            for (String list : List.of("rows", "shortfalls", "instances", "curve")) {
                assertThat(of(together, list, device)).as(list).isEqualTo(of(alone, list, device));
            }
        }
    }

    @EveryNight
    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"cost_model\": \"analytic\", \"search\": {\"tp_sizes\": [2, 4]}, \"serving\": {\"compile\": true},",
                "\"cost_model\": \"calibrated\", \"engine\": {\"backend\": \"vllm\"}, \"quantization\": {\"scheme\": \"FP8\"},"
            })
    void pairsOfTwoKindsTakeWhatThereIsOfEach(String costModel) {
        String question = """
            {"model_id": "Qwen/Qwen3-32B", "num_devices": {"H100_SXM": 10, "H200_SXM": 16}, "mode": "pd_ratio", %s
             "workload": {"input_length": 2048, "output_length": 512}, "slo": {"ttft_ms": 2000, "tpot_ms": 50},
             "pd_ratio": {"prefill_devices_per_instance": [2], "decode_devices_per_instance": [4],
                          "prefill_devices": "H100_SXM", "decode_devices": "H200_SXM"}, "explain": true}""".formatted(costModel);
        JsonPath answer = optimize(question)
                .body("result.devices.device", contains("H100_SXM + H200_SXM"))
                .body("result.devices.num_devices", contains(10))
                .body("result.devices.num_decode_devices", contains(16))
                .extract()
                .jsonPath();

        List<Map<String, Integer>> rows = answer.getList("result.devices[0].pd_ratio.rows");
        assertThat(rows).isNotEmpty().allSatisfy(row -> {
            assertThat(row.get("prefill_instances")).isBetween(1, 5);
            assertThat(row.get("decode_instances")).isBetween(1, 4);
        });
        List<Map<String, Object>> counts = answer.getList(
                "result.explanation.answers[0].sensitivities.change.findAll { it.lever == 'device_count' }");
        assertThat(counts)
                .isNotEmpty()
                .allSatisfy(
                        change -> assertThat(change.get("pointer")).isEqualTo("/num_devices/" + change.get("device")));
        assertThat(counts.stream().map(change -> change.get("device"))).contains("H100_SXM", "H200_SXM");
        for (Map<String, Object> change : counts) {
            String device = (String) change.get("device");
            int to = ((Number) requireNonNull(change.get("to"))).intValue();
            assertThat(answer.getInt(
                            "result.explanation.answers[0].sensitivities.find { it.change.device == '%s' && it.change.to == %d }.plan.devices_used"
                                    .formatted(device, to)))
                    .isEqualTo(optimize(question.replaceFirst(
                                            "\"%s\": \\d+".formatted(device), "\"%s\": %d".formatted(device, to))
                                    .replace(", \"explain\": true", ""))
                            .extract()
                            .jsonPath()
                            .getInt("result.devices[0].pd_ratio.best.devices_used"));
        }
        assertThat(report(answer.getString("id"), "text/plain")).contains("10 H100_SXM + 16 H200_SXM");
        assertThat(report(answer.getString("id"), "text/csv")).contains("num_decode_devices");
    }

    @Test
    void sizesThatOneKindHoldsAreTriedThere() {
        optimize("""
                {"cost_model": "analytic", "model_id": "Qwen/Qwen3-8B", "num_devices": {"H100_SXM": 8, "H200_SXM": 2}, "mode": "capacity",
                 "workload": {"input_length": 1000, "output_length": 300}, "slo": {"ttft_ms": 2000, "tpot_ms": 50},
                 "serving": {"compile": true}, "demand": {"requests_per_s": 5}, "instance_sizes": [1, 4]}""")
                .body(
                        "result.capacity.instances.findAll { it.device == 'H200_SXM' && it.devices_per_instance == 4 }"
                                + ".rejected",
                        everyItem(equalTo("2 devices are there")))
                .body(
                        "result.capacity.instances.findAll { it.device == 'H100_SXM' && it.devices_per_instance == 4 }"
                                + ".peak",
                        not(hasItem(equalTo(null))));
        optimize("""
                {"cost_model": "analytic", "model_id": "Qwen/Qwen3-8B", "num_devices": {"H100_SXM": 8, "H200_SXM": 4},
                 "workload": {"input_length": 1000, "output_length": 300}, "slo": {"tpot_ms": 50},
                 "serving": {"compile": true}, "search": {"tp_sizes": [4, 8]}}""")
                .body("result.devices[0].phases[0].rows.parallel.tp", containsInAnyOrder(4, 8))
                .body("result.devices[1].phases[0].rows.parallel.tp", contains(4));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    {"H100_SXM": 8}                                  | /num_devices              | has no value for H200_SXM
                    {"H100_SXM": 8, "H200_SXM": null}                | /num_devices              | has no value for H200_SXM
                    {"H100_SXM": 8, "H200_SXM": 0}                   | /num_devices/H200_SXM     | must be at least 1, got 0
                    {"H100_SXM": 8, "H200_SXM": 1000001}             | /num_devices/H200_SXM     | must be at most 1000000, got 1000001
                    {"H100_SXM": 8, "H200_SXM": 4, "B200_SXM": 2}    | /num_devices/B200_SXM     | is for a device that is not named in devices
                    {"H100_SXM": 8, "H200_SXM": 2000}                | /num_devices/H200_SXM     | is 2000: the grid of H200_SXM holds 1024 devices
                    {"H100_SXM": 8, "H200_SXM": 2.5}                 | /num_devices/H200_SXM     |
                    {"H100_SXM": 8, "H200_SXM": "4"}                 | /num_devices/H200_SXM     |
                    {}                                               | /num_devices              | must be a number, or an object with a number per device
                    [8, 4]                                           | /num_devices              |
                    """)
    void problemsNameTheCountAtFault(String counts, String pointer, String message) {
        json("""
                {"cost_model": "analytic", "model_id": "Qwen/Qwen3-8B", "devices": ["H100_SXM", "H200_SXM"], "num_devices": %s,
                 "workload": {"input_length": 1000, "output_length": 100}, "slo": {"tpot_ms": 50},
                 "serving": {"compile": true}}""".formatted(counts))
                .post(OPTIMIZATIONS)
                .then()
                .statusCode(400)
                .body("errors.pointer", contains(pointer))
                .body("errors[0].detail", containsString(message == null ? "" : message));
    }

    @Test
    void sizesThatNoKindHoldsAreRefused() {
        String question = """
                {"cost_model": "analytic", "model_id": "Qwen/Qwen3-8B", "num_devices": {"H100_SXM": 8, "H200_SXM": 4}, %s
                 "workload": {"input_length": 1000, "output_length": 100}, "slo": {"ttft_ms": 1000, "tpot_ms": 50}}""";
        refused(question.formatted("\"search\": {\"tp_sizes\": [4, 16]},"), "/search/tp_sizes/1");
        refused(
                question.formatted(
                        "\"mode\": \"capacity\", \"demand\": {\"requests_per_s\": 5}, \"instance_sizes\": [16],"),
                "/instance_sizes/0");
        refused(
                question.formatted("\"mode\": \"pd_ratio\", \"pd_ratio\": {\"prefill_devices_per_instance\": [2, 7],"
                        + " \"decode_devices_per_instance\": [2]},"),
                "/pd_ratio/prefill_devices_per_instance/1");
        refused(
                question.formatted("\"mode\": \"pd_ratio\", \"pd_ratio\": {\"prefill_devices_per_instance\": [2, 4],"
                        + " \"decode_devices_per_instance\": [4]},"),
                "/num_devices/H200_SXM");
    }

    private void refused(String question, String pointer) {
        json(question).post(OPTIMIZATIONS).then().statusCode(400).body("errors.pointer", hasItem(pointer));
    }

    /// Of a device; without the place among all of them.
    private static List<Map<String, Object>> of(JsonPath answer, String list, String device) {
        List<Map<String, Object>> all = answer.getList("result.capacity." + list);
        return all == null
                ? List.of()
                : all.stream()
                        .filter(one -> device.equals(one.get("device")))
                        .map(DeviceCountsIT::withoutRank)
                        .toList();
    }

    private static Map<String, Object> withoutRank(Map<String, Object> row) {
        Map<String, Object> other = new LinkedHashMap<>(row);
        other.remove("rank");
        return other;
    }

    private static String about(String question, Map<String, Integer> counts) {
        return question.replaceFirst("\\{", "{\"num_devices\": " + WireFormat.write(counts) + ", ");
    }

    private static String about(String question, String device, int count) {
        return question.replaceFirst("\\{", "{\"devices\": [\"%s\"], \"num_devices\": %d, ".formatted(device, count));
    }
}
