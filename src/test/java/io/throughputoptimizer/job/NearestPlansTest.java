package io.throughputoptimizer.job;

import static io.throughputoptimizer.job.ExplainedSearches.changed;
import static io.throughputoptimizer.job.ExplainedSearches.explained;
import static io.throughputoptimizer.job.ExplainedSearches.result;
import static io.throughputoptimizer.job.ExplainedSearches.tokens;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// Where nothing fits: what costs nothing to change goes before what has to be given up, and that before what has to be
/// bought.
class NearestPlansTest {
    private static final String LLAMA_70B = """
            {"model_id": "meta-llama/Llama-3.3-70B-Instruct", "devices": ["H100_SXM"], "num_devices": 1,
             "workload": {"input_length": 2000, "output_length": 300}, "slo": {"ttft_ms": 4000, "tpot_ms": 60},
             "serving": {"compile": true}, "quantization": {"linear": "DISABLED"}}""";
    private static final String LLAMA_405B = """
            {"model_id": "meta-llama/Meta-Llama-3.1-405B", "devices": ["H100_SXM"], "num_devices": 4,
             "workload": {"input_length": 2000, "output_length": 300}, "slo": {"ttft_ms": 8000, "tpot_ms": 40},
             "serving": {"compile": true}, "quantization": {"linear": "DISABLED"}}""";
    private static final String MEASURED_70B = """
            {"cost_model": "calibrated", "model_id": "meta-llama/Llama-3.3-70B-Instruct", "devices": ["H100_SXM"],
             "num_devices": 1, "engine": {"backend": "vllm"}, "quantization": {"scheme": "BF16"},
             "workload": {"input_length": 2000, "output_length": 300}, "slo": {"ttft_ms": 4000, "tpot_ms": 60}}""";
    private static final String NARROW = """
            {"model_id": "Qwen/Qwen3-32B", "devices": ["H100_SXM"], "num_devices": 8, "search": {"tp_sizes": [1]},
             "workload": {"input_length": 3500, "output_length": 500}, "slo": {"ttft_ms": 2000, "tpot_ms": 10},
             "serving": {"compile": true}}""";
    private static final String MEASURED_NARROW = """
            {"cost_model": "calibrated", "model_id": "Qwen/Qwen3-32B", "devices": ["H100_SXM"], "num_devices": 8,
             "engine": {"backend": "vllm"}, "quantization": {"scheme": "FP8"}, "search": {"tp_sizes": [1]},
             "workload": {"input_length": 3500, "output_length": 500}, "slo": {"ttft_ms": 2000, "tpot_ms": 10}}""";

    @Test
    void anotherNumberFormatGoesBeforeMemoryAndDevices() {
        JsonNode nearest = nearest(LLAMA_70B);

        assertThat(change(nearest, 0)).isEqualTo("linear_quantization DISABLED FP8");
        assertThat(nearest.valueStream().map(NearestPlansTest::words))
                .contains("linear_quantization DISABLED W4A8_DYNAMIC");
        assertThat(nearest.valueStream().map(NearestPlansTest::words).toList())
                .containsSubsequence(
                        "linear_quantization DISABLED W4A8_DYNAMIC",
                        "device_count 1.0 2.0",
                        "device H100_SXM B200_SXM");
        assertThatAllHold(LLAMA_70B);
    }

    @Test
    void fourBitsGoBeforeTwoThingsAtOnce() {
        assertThat(change(nearest(LLAMA_405B), 0)).isEqualTo("linear_quantization DISABLED W4A8_DYNAMIC");
        assertThatAllHold(LLAMA_405B);
    }

    @Test
    void measuredDevicesTryAnotherSchemeFirst() {
        assertThat(change(nearest(MEASURED_70B), 0)).isEqualTo("linear_quantization BF16 FP8");
        assertThatAllHold(MEASURED_70B);
    }

    @ParameterizedTest
    @ValueSource(strings = {NARROW, MEASURED_NARROW})
    void otherLayoutsGoBeforeLimits(String request) {
        JsonNode nearest = nearest(request);

        assertThat(nearest.valueStream().map(NearestPlansTest::words).toList())
                .containsSubsequence("tensor_parallel [1] []", "tpot_limit 10.0 " + limit(nearest));
        assertThatAllHold(request);
    }

    private static String limit(JsonNode nearest) {
        for (JsonNode one : nearest) {
            if (one.at("/changes/0/lever").asString().equals("tpot_limit")) {
                return one.at("/changes/0/to").toString();
            }
        }
        throw new AssertionError("no plan with another limit");
    }

    @ParameterizedTest
    @ValueSource(strings = {LLAMA_70B, LLAMA_405B, MEASURED_70B})
    void memoryIsThatOfADeviceThatExists(String request) {
        assertThat(nearest(request)
                        .valueStream()
                        .flatMap(one -> one.required("changes").valueStream())
                        .map(change -> change.required("lever").asString()))
                .doesNotContain("memory_size")
                .contains("device");
    }

    private static JsonNode nearest(String request) {
        return explained(read(request)).getFirst().required("nearest_feasible");
    }

    private static String change(JsonNode nearest, int place) {
        assertThat(nearest.size()).as("%s", nearest).isGreaterThan(place);
        return words(nearest.get(place));
    }

    private static String words(JsonNode one) {
        List<String> changes = one.required("changes")
                .valueStream()
                .map(change -> change.required("lever").asString() + " " + text(change.required("from")) + " "
                        + text(change.required("to")))
                .toList();
        return String.join(" and ", changes);
    }

    private static String text(JsonNode setting) {
        return setting.isString() ? setting.asString() : setting.toString();
    }

    private static void assertThatAllHold(String json) {
        ObjectNode request = read(json);
        for (JsonNode one : nearest(json)) {
            ObjectNode relaxed = request;
            for (JsonNode change : one.required("changes")) {
                relaxed = changed(relaxed, change);
            }
            JsonNode direct = result(relaxed).at("/devices/0/phases/0/best");
            assertThat(direct.isMissingNode()).as("%s", one).isFalse();
            assertThat(tokens(one.required("plan"))).isEqualTo(tokens(direct));
        }
    }

    private static ObjectNode read(String json) {
        return (ObjectNode) JsonMapper.shared().readTree(json);
    }
}
