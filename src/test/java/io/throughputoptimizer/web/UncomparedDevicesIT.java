package io.throughputoptimizer.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItems;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.nullValue;

import io.restassured.path.json.JsonPath;
import io.throughputoptimizer.api.WireFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// What answers on devices say that nobody compared with silicon, and on those that go by the name of their chip.
class UncomparedDevicesIT extends HttpTest {
    private static final String SEARCH = """
            {"model_id": "Qwen/Qwen3-8B", "devices": ["H20"], "num_devices": 2, "mode": "disaggregation",
             "workload": {"input_length": 1000, "output_length": 100}, "slo": {"ttft_ms": 2000}}""";
    private static final String PASS = """
            {"model_id": "Qwen/Qwen3-8B", "device": "MI300X", "num_devices": 2, "quantization": {"linear": "FP8"},
             "pass": {"phase": "prefill", "concurrency": 2, "query_len": 1000, "seq_len": 1000}}""";
    private static final String OF_DATA_SHEETS =
            " is not compared with silicon: its figures are those of data sheets and estimates";
    private static final String OF_DEVICE = "result.devices[0].assumptions.findAll { it.about == 'device' }.text";

    @Test
    void aSearchSaysItOnceForEachDevice() {
        optimize(SEARCH).body(OF_DEVICE, contains("H20" + OF_DATA_SHEETS));
        optimize(SEARCH.replace("[\"H20\"]", "[\"H200_SXM\", \"MI355X\"]"))
                .body(OF_DEVICE, empty())
                .body(OF_DEVICE.replace("[0]", "[1]"), contains("MI355X" + OF_DATA_SHEETS));

        String text = answer(SEARCH, "text/plain");
        assertThat(text).containsOnlyOnce("not compared with silicon");
    }

    @Test
    void anEstimateWarns() {
        json(PASS)
                .post("/api/v1/estimates")
                .then()
                .statusCode(200)
                .body("warnings", contains("MI300X" + OF_DATA_SHEETS));
        json(PASS.replace("MI300X", "H200_SXM"))
                .post("/api/v1/estimates")
                .then()
                .statusCode(200)
                .body("warnings", nullValue());
    }

    /// The document that comes out goes in again, and says the same.
    @Test
    void aProfileOfOnesOwnMaySayItToo() {
        Object profile = api().get("/api/v1/devices/H20").path("");
        Map<String, Object> mine = new LinkedHashMap<>(JsonPath.from(SEARCH).getMap(""));
        mine.put("device_profiles", List.of(profile));

        json(WireFormat.write(mine))
                .header("Prefer", "wait=600")
                .post(OPTIMIZATIONS)
                .then()
                .statusCode(200)
                .body(OF_DEVICE, contains("H20" + OF_DATA_SHEETS));
    }

    @Test
    void aChipIsFoundByItsNameAndTheAnswerSaysWhatIsCountedAsOne() {
        JsonPath chip = optimize(SEARCH.replace("H20", "910C"))
                .body("result.devices[0].device", equalTo("910C"))
                .body(
                        OF_DEVICE,
                        contains("910C stands for ATLAS_800_A3_752T_128G_DIE: one of the two dies of an Ascend 910C:"
                                + " each counts as a device"))
                .extract()
                .jsonPath();
        JsonPath die = optimize(SEARCH.replace("H20", "ATLAS_800_A3_752T_128G_DIE"))
                .body(OF_DEVICE, empty())
                .extract()
                .jsonPath();

        String best = "result.devices[0].phases[0].best.tokens_per_s";
        assertThat(chip.getDouble(best)).isEqualTo(die.getDouble(best));
        api().get("/api/v1/devices/910C")
                .then()
                .statusCode(200)
                .body("name", equalTo("ATLAS_800_A3_752T_128G_DIE"))
                .body("aliases.name", contains("910C"));
    }

    @Test
    void aMeasuredChipIsPricedByItsKernels() {
        String measured = """
                {"cost_model": "calibrated", "model_id": "Qwen/Qwen3-8B", "devices": ["910B2"], "num_devices": 2,
                 "engine": {"backend": "vllm-ascend"}, "quantization": {"scheme": "W8A8"},
                 "search": {"batch_range": [8, 8]}, "workload": {"input_length": 1000, "output_length": 100}}""";

        JsonPath chip = optimize(measured).extract().jsonPath();
        JsonPath device = optimize(measured.replace("910B2", "ATLAS_800_A2_376T_64G"))
                .extract()
                .jsonPath();

        String best = "result.devices[0].phases[0].best.tokens_per_s";
        assertThat(chip.getDouble(best)).isEqualTo(device.getDouble(best));
        assertThat(chip.getList(OF_DEVICE)).hasSize(1);
        json(measured.replace("910B2", "910B4"))
                .post(OPTIMIZATIONS)
                .then()
                .statusCode(400)
                .body("errors[0].detail", containsString("must be a calibrated device, got 910B4"));
    }

    /// Cards without measured kernels are not supported by cost model calibrated; auto selects the analytic one.
    @Test
    void aCardIsPlannedByTheAnalyticModelOnly() {
        String card = SEARCH.replace("H20", "RTX_3090").replace("disaggregation", "aggregation");
        optimize(card).body("request.cost_model", equalTo("analytic"));
        json(card.replace("{\"model_id\"", "{\"cost_model\": \"calibrated\", \"model_id\""))
                .post(OPTIMIZATIONS)
                .then()
                .statusCode(400)
                .body("errors[0].detail", containsString("must be a calibrated device, got RTX_3090"));

        for (String quantization : List.of("FP8", "MXFP4")) {
            String pass = PASS.replace("MI300X", "RTX_3090").replace("FP8", quantization);
            json(pass)
                    .post("/api/v1/estimates")
                    .then()
                    .statusCode(200)
                    .body("warnings", contains("RTX_3090" + OF_DATA_SHEETS));
        }
    }

    @Test
    void theListFlagsThem() {
        api().get("/api/v1/devices")
                .then()
                .body(
                        "devices.findAll { it.compared_with_silicon == false }.name",
                        hasItems(
                                "H20",
                                "RTX_4090",
                                "ARC_PRO_B60",
                                "RTX_5090",
                                "MI355X",
                                "GAUDI3",
                                "TPU_V7",
                                "TRAINIUM2",
                                "ATLAS_950_486T_144G"))
                .body("devices.find { it.name == 'H100_SXM' }.compared_with_silicon", nullValue())
                .body("calibrated", not(hasItems("H20")));
    }

    /// An H100 has too little memory for it; devices of its maker with more are told, those of data sheets are not.
    @Test
    void anExplanationAdvisesNone() {
        String explained = """
                {"cost_model": "analytic", "model_id": "meta-llama/Llama-3.3-70B-Instruct", "devices": ["H100_SXM"], "num_devices": 1, "explain": true,
                 "workload": {"input_length": 2000, "output_length": 300}, "slo": {"ttft_ms": 4000, "tpot_ms": 60},
                 "quantization": {"linear": "DISABLED"}}""";

        String told = answer(explained, "application/json");
        assertThat(told).contains("B200_SXM").doesNotContain("DGX_SPARK", "compared with silicon");
    }
}
