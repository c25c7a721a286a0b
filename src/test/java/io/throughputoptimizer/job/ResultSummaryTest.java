package io.throughputoptimizer.job;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.api.job.JobAnswer;
import io.throughputoptimizer.api.job.JobAnswer.UsedDevices;
import io.throughputoptimizer.core.search.SearchMonitor;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// What lists say of results.
class ResultSummaryTest {
    private static final String CALIBRATED = """
            {"cost_model": "calibrated", "model_id": "Qwen/Qwen3-32B", "devices": %s, "num_devices": 16, %s
             "workload": {"input_length": 3500, "output_length": 1500}, "engine": {"backend": "vllm"},
             "quantization": {"scheme": "FP8"}, "slo": {"ttft_ms": 5000, "tpot_ms": %s}}""";

    private static final String PAIRS = """
            "mode": "pd_ratio", "pd_ratio": {"prefill_devices_per_instance": [4], "decode_devices_per_instance": [4]%s},""";

    private record Told(JsonNode result, JobAnswer answer) {
        static Told of(String request) {
            WrittenResult written = ExplainedSearches.SEARCH.apply(JobRequest.stored(request), SearchMonitor.SILENT);
            return new Told(JsonMapper.shared().readTree(written.json()), requireNonNull(written.answer()));
        }

        JsonNode at(String pointer) {
            return result.requiredAt(pointer);
        }
    }

    @Test
    void theBestRowOfTheLeadingDeviceIsTold() {
        Told told = Told.of(CALIBRATED.formatted("[\"A100_SXM\", \"H200_SXM\"]", "", 50));

        assertThat(told.at("/cross_hardware/0/rows/0/device").asString()).isEqualTo("H200_SXM");
        assertThat(told.at("/devices/1/device").asString()).isEqualTo("H200_SXM");
        JsonNode best = told.at("/devices/1/phases/0/best");
        assertThat(best.required("replicas").asInt()).isGreaterThan(1);
        assertThat(told.answer())
                .isEqualTo(new JobAnswer(
                        List.of(new UsedDevices("H200_SXM", 16)),
                        best.required("tokens_per_s").asDouble(),
                        best.required("requests_per_s").asDouble(),
                        null,
                        null));
    }

    @Test
    void pairsAreTheDevicesOfAllTheirInstances() {
        Told told = Told.of(CALIBRATED.formatted("[\"H200_SXM\"]", PAIRS.formatted(""), 50));
        JsonNode pair = told.at("/devices/0/pd_ratio/rows/0");

        assertThat(told.answer())
                .isEqualTo(new JobAnswer(
                        List.of(new UsedDevices(
                                "H200_SXM",
                                pair.required("prefill_instances").asLong()
                                                * pair.required("num_devices_p").asLong()
                                        + pair.required("decode_instances").asLong()
                                                * pair.required("num_devices_d").asLong())),
                        pair.required("tokens_per_s").asDouble(),
                        pair.required("requests_per_s").asDouble(),
                        null,
                        null));
    }

    @Test
    void devicesOfTwoKindsAreToldByKind() {
        Told told = Told.of(CALIBRATED.formatted(
                "[\"H100_SXM\", \"H200_SXM\"]",
                PAIRS.formatted(", \"prefill_devices\": [\"H100_SXM\"], \"decode_devices\": [\"H200_SXM\"]"),
                50));

        assertThat(told.answer().devices()).extracting(UsedDevices::device).containsExactly("H100_SXM", "H200_SXM");
        assertThat(told.answer().devices()).extracting(UsedDevices::count).allMatch(count -> count > 0);
    }

    @Test
    void theFewestDevicesAreTold() {
        String demand = "\"mode\": \"capacity\", \"demand\": {\"requests_per_s\": %s},"
                + " \"objective\": {\"name\": \"cost_per_million_tokens\", \"price_per_device_hour\": 4},";
        Told told = Told.of(CALIBRATED.formatted("[\"H200_SXM\"]", demand.formatted(2), 50));
        JsonNode best = told.at("/capacity/best");

        assertThat(told.answer())
                .isEqualTo(new JobAnswer(
                        List.of(new UsedDevices(
                                "H200_SXM", best.required("num_devices").asLong())),
                        best.required("tokens_per_s").asDouble(),
                        best.required("requests_per_s").asDouble(),
                        best.required("cost_per_hour").asDouble(),
                        null));
        assertThat(Told.of(CALIBRATED.formatted("[\"H200_SXM\"]", demand.formatted(1e6), 50))
                        .answer())
                .isEqualTo(new JobAnswer(List.of(), null, null, null, null));
    }

    @Test
    void whereNothingKeepsTheLimitsTheReasonIsTold() {
        Told told = Told.of(CALIBRATED.formatted("[\"H200_SXM\"]", "", 0.1));

        assertThat(told.answer()).isEqualTo(new JobAnswer(List.of(), null, null, null, "tpot"));
    }
}
