package io.throughputoptimizer.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.everyItem;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.nullValue;

import io.restassured.path.json.JsonPath;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Checkpoints priced as they are quantized.
class CheckpointIT extends HttpTest {
    private static final String ESTIMATES = "/api/v1/estimates";
    private static final String PASS = """
            {"cost_model": "analytic", "model_id": "moonshotai/Kimi-K2.5", "device": "TEST_DEVICE", "num_devices": 32, "compile": true, "quantization": {QUANTIZATION},
             "pass": {"phase": "decode", "concurrency": 32, "query_len": 1, "seq_len": 4000}}""";
    private static final String SEARCH = """
            {"model_id": "moonshotai/Kimi-K2.5", "devices": ["TEST_DEVICE"], "num_devices": 32, "mode": "disaggregation", "slo": {"tpot_ms": 100},
             "workload": {"input_length": 3500, "output_length": 1500}, "quantization": {QUANTIZATION},
             "search": {"tp_sizes": [8], "batch_range": [1, 4]}, "serving": {"compile": true}}""";
    private static final String CHECKPOINT = "\"checkpoint\": true";
    private static final String SAME = "\"linear\": \"W4A8_DYNAMIC\", \"non_expert_linear\": \"DISABLED\"";

    @Test
    void aModelSaysHowItsCheckpointIsQuantized() {
        api().get("/api/v1/models/moonshotai/Kimi-K2.5")
                .then()
                .statusCode(200)
                .body("checkpoint_quantization.method", equalTo("compressed-tensors"))
                .body("checkpoint_quantization.linear", equalTo("W4A8_DYNAMIC"))
                .body("checkpoint_quantization.non_expert_linear", equalTo("DISABLED"))
                .body("checkpoint_quantization.attention", equalTo("DISABLED"))
                .body("checkpoint_quantization.differences", hasSize(2));
        api().get("/api/v1/models/Qwen/Qwen3-8B").then().statusCode(200).body("checkpoint_quantization", nullValue());
    }

    @Test
    void anEstimateOfACheckpointIsThatOfTheNearestScheme() {
        Map<String, Object> checkpoint = estimate(CHECKPOINT).getMap("");
        Map<String, Object> same = estimate(SAME).getMap("");

        assertThat(checkpoint.remove("checkpoint_quantization")).isNotNull();
        assertThat(checkpoint).isEqualTo(same);
        assertThat(estimate("").getMap("")).isNotEqualTo(same).doesNotContainKey("checkpoint_quantization");
    }

    @Test
    void aSearchFillsInWhatTheCheckpointSaysAndAnswersTheSameToWhatItFilledIn() {
        JsonPath answer = optimize(SEARCH.replace("QUANTIZATION", CHECKPOINT))
                .body("request.quantization.linear", equalTo("W4A8_DYNAMIC"))
                .body("request.quantization.non_expert_linear", equalTo("DISABLED"))
                .body("request.quantization.attention", equalTo("DISABLED"))
                .body("request.quantization.checkpoint", equalTo(true))
                .body("result.checkpoint_quantization.method", equalTo("compressed-tensors"))
                .body(
                        "result.devices[0].phases[0].rows.parallel.variant.non_expert_linear",
                        everyItem(equalTo("DISABLED")))
                .extract()
                .jsonPath();
        String rows = "result.devices[0].phases[0].rows";

        assertThat(optimize(SEARCH.replace("QUANTIZATION", SAME))
                        .body("result.checkpoint_quantization", nullValue())
                        .extract()
                        .jsonPath()
                        .getList(rows))
                .isNotEmpty()
                .isEqualTo(answer.getList(rows));
        assertThat(optimize(SEARCH.replace("QUANTIZATION", SAME + ", \"mxfp4_group_size\": 32, " + CHECKPOINT))
                        .extract()
                        .jsonPath()
                        .getList(rows))
                .isEqualTo(answer.getList(rows));
    }

    @Test
    void aReportSaysWhatIsOtherwise() {
        String report = answer(SEARCH.replace("QUANTIZATION", CHECKPOINT), "text/plain");

        assertThat(report)
                .contains("Quantize Linear action: W4A8_DYNAMIC")
                .contains("Quantize Non-expert Linear action: DISABLED")
                .contains(
                        "Checkpoint: compressed-tensors; INT4 in blocks of 32: the scale of each block is not counted");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            Qwen/Qwen3-32B       | "checkpoint": true                        | /quantization/checkpoint       | names no quantization of its own
            moonshotai/Kimi-K2.5 | "checkpoint": true, "linear": "FP8"       | /quantization/linear           | must not be set when quantization.checkpoint is true
            moonshotai/Kimi-K2.5 | "checkpoint": true, "mxfp4_group_size": 16 | /quantization/mxfp4_group_size | must not be set when quantization.checkpoint is true
            moonshotai/Kimi-K2.5 | "checkpoint": true, "non_expert_linear": "FP8" | /quantization/non_expert_linear | must not be set when quantization.checkpoint is true
            """)
    void whatDoesNotGoWithACheckpointIsRefused(String model, String quantization, String pointer, String message) {
        for (String path : new String[] {ESTIMATES, OPTIMIZATIONS}) {
            json((path.equals(ESTIMATES) ? PASS : SEARCH)
                            .replace("moonshotai/Kimi-K2.5", model)
                            .replace("QUANTIZATION", quantization))
                    .post(path)
                    .then()
                    .statusCode(400)
                    .body("errors.pointer", contains(pointer))
                    .body("errors[0].detail", containsString(message));
        }
    }

    private JsonPath estimate(String quantization) {
        return json(PASS.replace("QUANTIZATION", quantization))
                .post(ESTIMATES)
                .then()
                .statusCode(200)
                .extract()
                .jsonPath();
    }
}
