package io.throughputoptimizer.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.closeTo;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.hasItems;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.nullValue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CatalogIT extends HttpTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "/api/v1/devices",
                "/api/v1/devices/TEST_DEVICE",
                "/api/v1/models",
                "/api/v1/models/Qwen/Qwen3-32B",
                "/api/v1/length-distributions",
                "/api/v1/length-distributions/builtin",
                "/api/v1/capabilities"
            })
    void anUnchangedEntryIsNotSentAgain(String path) {
        String tag = api().get(path).then().statusCode(200).extract().header("ETag");

        assertThat(tag).isNotBlank();
        assertThat(api().header("If-None-Match", tag)
                        .get(path)
                        .then()
                        .statusCode(304)
                        .header("ETag", tag)
                        .extract()
                        .asString())
                .isEmpty();
        api().header("If-None-Match", "\"another\"").get(path).then().statusCode(200);
    }

    @Test
    void listsStrategiesWithTheDefaultFirst() {
        api().get("/api/v1/capabilities")
                .then()
                .body("strategies", contains("exponential", "binary", "linear_exponential", "exhaustive"))
                .body("autoscaling_formats", contains("keda", "hpa", "wva", "llm-d", "dynamo"));
    }

    @Test
    void aDeviceHasRawRatesItsGridAndEffectiveFigures() {
        api().get("/api/v1/devices/TEST_DEVICE")
                .then()
                .body("name", equalTo("TEST_DEVICE"))
                .body("compute.matrix_tflops.bf16", equalTo(353.9))
                .body("compute.efficiency", equalTo(0.7))
                .body("memory.capacity_gb", equalTo(64.0))
                .body("interconnect.grid", contains(256, 8))
                .body("interconnect.links", hasSize(2))
                .body("effective.matrix_tflops", closeTo(353.9 * 0.7, 1e-9))
                .body("effective.memory_tb_per_s", closeTo(1.6 * 0.6, 1e-9));
    }

    @Test
    void aDeviceHasItsCalibrationAndTheListSaysWhichHaveOne() {
        api().get("/api/v1/devices/H100_SXM")
                .then()
                .body("calibration.device", equalTo("h100_sxm"))
                .body("calibration.borrow_from", equalTo("h200_sxm"))
                .body("calibration.peaks.hbm_gib", equalTo(80.0))
                .body("calibration.versions.vllm", contains("0.24.0", "0.14.0"))
                .body("calibration.classes.gemm.fp8.trtllm_net.launch_us", equalTo(3.72));
        api().get("/api/v1/devices")
                .then()
                .body("calibrated", hasSize(10))
                .body("calibrated", hasItems("ATLAS_800_A2_376T_64G", "H100_SXM", "GB300"))
                .body("devices.find { it.name == 'H100_SXM' }.calibration", nullValue());
    }

    @Test
    void allDevicesAreListedAsTheyAreByThemselves() {
        List<Object> devices = api().get("/api/v1/devices").path("devices");
        Object device = api().get("/api/v1/devices/TEST_DEVICE").path("");

        assertThat(devices).hasSize(62).contains(device);
    }

    @Test
    void aModelHasItsArchitectureAndWhatIsSupported() {
        api().get("/api/v1/models/Qwen/Qwen3-32B")
                .then()
                .body("id", equalTo("Qwen/Qwen3-32B"))
                .body("model_type", equalTo("qwen3"))
                .body("parameters", equalTo(32_762_123_264L))
                .body("layers", equalTo(64))
                .body("hidden_size", equalTo(5120))
                .body("attention.kind", equalTo("grouped_query"))
                .body("attention.key_value_heads", equalTo(8))
                .body("feed_forward.intermediate_size", equalTo(25600))
                .body("supported.compile", contains(true, false))
                .body("supported.cost_models", contains("analytic", "calibrated"))
                .body("supported.linear", hasItem("MXFP4"));
    }

    @ParameterizedTest
    @CsvSource("moonshotai/Kimi-K3, calibrated")
    void aModelOfOneCostModelSaysWhich(String model, String costModel) {
        api().get("/api/v1/models/" + model)
                .then()
                .statusCode(200)
                .body("supported.cost_models", contains(costModel))
                .body("supported.linear", costModel.equals("analytic") ? hasItem("FP8") : empty());
    }

    @Test
    void aModelWithSlidingWindowsSaysWithWhichAccounting() {
        api().get("/api/v1/models/openai/gpt-oss-120b")
                .then()
                .statusCode(200)
                .body("supported.cost_models", contains("analytic", "calibrated"))
                .body("supported.compile", contains(true, false))
                .body("pricing[0].outcome", equalTo("flagged"))
                .body("pricing[0].flags", contains("steady"));
    }

    @Test
    void allModelsAreListedAsTheyAreByThemselves() {
        List<Object> models = api().get("/api/v1/models").path("models");
        Object model = api().get("/api/v1/models/meta-llama/Meta-Llama-3.1-8B").path("");

        assertThat(models).hasSize(102).contains(model);
    }

    @Test
    void aLengthDistributionMayBeSentBackAsItIs() {
        String bins = api().get("/api/v1/length-distributions/builtin")
                .then()
                .body("name", equalTo("builtin"))
                .body("bins", hasSize(35))
                .extract()
                .asString()
                .replaceFirst("\"name\":\"builtin\",", "");

        String request = """
                {"model_id": "Qwen/Qwen3-8B", "devices": ["TEST_DEVICE"], "num_devices": 2, "mode": "disaggregation", "slo": {"ttft_ms": 4000},
                 "allow_beyond_context": true, "workload": {"length_distribution": DISTRIBUTION, "output_length": 100}}""";
        Object named = optimize(request.replace("DISTRIBUTION", "{\"name\": \"builtin\"}"))
                .extract()
                .path("result.devices");
        Object sentBack =
                optimize(request.replace("DISTRIBUTION", bins)).extract().path("result.devices");

        assertThat(sentBack).isEqualTo(named);
    }

    @Test
    void lengthDistributionsAreListed() {
        api().get("/api/v1/length-distributions")
                .then()
                .body("length_distributions.name", contains("builtin"))
                .body("length_distributions[0].bins", hasSize(35));
    }

    @Test
    void unknownNamesAreAnsweredWithTheNearest() {
        api().get("/api/v1/devices/test_device").then().statusCode(404).body("detail", containsString("TEST_DEVICE"));
    }
}
