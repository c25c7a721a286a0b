package io.throughputoptimizer.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.everyItem;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.hasItem;

import io.restassured.path.json.JsonPath;
import io.throughputoptimizer.fixture.EveryNight;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Every question about each model that benchmarks of record run, on two devices.
class BenchmarkedModelsIT extends HttpTest {
    private static final List<String> DEVICES = List.of("B200_SXM", "B300_SXM");

    /// With the checkpoint that is served, and the devices of an instance.
    private static final String MODELS = """
            Qwen/Qwen3.5-397B-A17B,        FP8_BLOCK,     8
            Qwen/Qwen3.6-35B-A3B,          FP8_BLOCK,     2
            zai-org/GLM-5,                 FP8_BLOCK,     8
            deepseek-ai/DeepSeek-V4-Flash, FP8_MXFP4,     8
            deepseek-ai/DeepSeek-V3.2,     FP8_BLOCK,     8
            MiniMaxAI/MiniMax-M3,          FP8_BLOCK,     8
            moonshotai/Kimi-K3,            MXFP4_EXPERTS, 16
            openai/gpt-oss-120b,           MXFP4_EXPERTS, 2
            """;

    private static String calibrated(String model, String scheme, int devices, String more) {
        return question(model, devices, """
                "cost_model": "calibrated", %s, "quantization": {"scheme": "%s"}""".formatted(engine(model), scheme), more);
    }

    /// SGLang, with the size of the KV cache where no memory law covers the model.
    private static String engine(String model) {
        return model.equals("moonshotai/Kimi-K3")
                ? "\"engine\": {\"backend\": \"sglang\", \"kv_tokens\": 100000}"
                : "\"engine\": {\"backend\": \"sglang\"}";
    }

    /// As accounting `steady` prices it, which all of them have.
    private static String analytic(String model, int devices, String more) {
        return question(
                model,
                devices,
                "\"cost_model\": \"analytic\", \"accounting\": \"steady\", \"serving\": {\"compile\": true}, \"quantization\": {\"linear\": \"FP8\"}",
                more);
    }

    private static String question(String model, int devices, String costs, String more) {
        return """
                {"model_id": "%s", "devices": ["B200_SXM", "B300_SXM"], %s,
                 "workload": {"input_length": 4000, "output_length": 500},
                 "slo": {"ttft_ms": 20000, "tpot_ms": 100},
                 "search": {"tp_sizes": [%d], "batch_range": [1, 64]}, %s}""".formatted(model, costs, devices, more);
    }

    private static String explained(int devices) {
        return "\"num_devices\": " + devices + ", \"explain\": true";
    }

    private static String apart(int devices) {
        return """
                "mode": "pd_ratio", "num_devices": %d,
                "pd_ratio": {"prefill_devices_per_instance": %d, "decode_devices_per_instance": %d}""".formatted(4 * devices, devices, devices);
    }

    private static String demanded() {
        return "\"mode\": \"capacity\", \"num_devices\": 64, \"demand\": {\"concurrency\": 40}";
    }

    @ParameterizedTest
    @CsvSource(textBlock = MODELS)
    @EveryNight
    void aSearchIsExplainedAndItsBestIsStarted(String model, String scheme, int devices) {
        JsonPath search = optimize(calibrated(model, scheme, devices, explained(devices)))
                .extract()
                .jsonPath();

        for (int device = 0; device < DEVICES.size(); device++) {
            String best = "result.devices[" + device + "].phases[0].best.";
            assertThat(search.getDouble(best + "tpot_ms")).isPositive().isLessThanOrEqualTo(100);
            assertThat(search.getDouble(best + "tpot_ms_band.low")).isPositive();
            assertThat(search.getString(best + "tpot_ms_band.basis")).isEqualTo("tpot/moe");
            assertThat(search.getString(best + "ttft_ms_band.basis")).startsWith("ttft/moe");
        }
        assertThat(search.getList("result.explanation.answers")).isNotEmpty();
        for (String engine : List.of("sglang", "vllm")) {
            assertStarted(search, engine, engine.equals("vllm") ? "--tensor-parallel-size " : "--tp-size ", devices);
        }
    }

    @EveryNight
    @ParameterizedTest
    @CsvSource(textBlock = MODELS)
    void instancesApartAreStarted(String model, String scheme, int devices) {
        JsonPath search = optimize(calibrated(model, scheme, devices, apart(devices)))
                .extract()
                .jsonPath();

        for (int device = 0; device < DEVICES.size(); device++) {
            String best = "result.devices[" + device + "].pd_ratio.best.";
            assertThat(search.getDouble(best + "tpot_ms")).isPositive().isLessThanOrEqualTo(100);
            assertThat(search.getDouble(best + "ttft_ms")).isPositive().isLessThanOrEqualTo(20_000);
            assertThat(search.getInt(best + "num_devices_p")).isEqualTo(devices);
        }
        assertStarted(search, "sglang", "--tp-size ", devices);
    }

    @EveryNight
    @ParameterizedTest
    @CsvSource(textBlock = MODELS)
    void aDemandIsMetByAWholeNumberOfInstances(String model, String scheme, int devices) {
        JsonPath capacity = optimize(calibrated(model, scheme, devices, demanded()))
                .extract()
                .jsonPath();

        assertThat(capacity.getInt("result.capacity.best.num_devices")).isPositive();
        assertThat(capacity.getInt("result.capacity.best.num_devices") % devices)
                .isZero();
        assertThat(capacity.getList("result.capacity.rows.device")).containsAll(DEVICES);
    }

    @ParameterizedTest
    @CsvSource(textBlock = MODELS)
    void passesAreEstimated(String model, String scheme, int devices) {
        for (String device : DEVICES) {
            for (String pass : List.of(
                    "\"phase\": \"prefill\", \"concurrency\": 1, \"query_len\": 4000, \"seq_len\": 4000",
                    "\"phase\": \"decode\", \"concurrency\": 8, \"query_len\": 1, \"seq_len\": 4000")) {
                json("""
                        {"cost_model": "calibrated", "model_id": "%s", "device": "%s", "parallel": {"tp": %d},
                         %s, "quantization": {"scheme": "%s"}, "pass": {%s}}""".formatted(model, device, devices, engine(model), scheme, pass))
                        .post("/api/v1/estimates")
                        .then()
                        .statusCode(200)
                        .body("latency_ms_band.low", greaterThan(0.0))
                        .body("memory.total_gb", greaterThan(0.0))
                        .body("operators.total_us", everyItem(greaterThan(0.0)));
            }
        }
    }

    @ParameterizedTest
    @CsvSource(textBlock = MODELS)
    void aSimulationServesAll(String model, String scheme, int devices) {
        for (String device : DEVICES) {
            json("""
                    {"model_id": "%s", "device": "%s", %s,
                     "quantization": {"scheme": "%s"}, "parallel": {"tp": %d},
                     "workload": {"input_length": 1000, "output_length": 100},
                     "traffic": {"concurrency": 4, "waves": 3}}""".formatted(model, device, engine(model), scheme, devices))
                    .post("/api/v1/simulations")
                    .then()
                    .statusCode(200)
                    .body("tpot_ms.mean", greaterThan(0.0));
        }
    }

    @EveryNight
    @ParameterizedTest
    @ValueSource(
            strings = {
                "Qwen/Qwen3.5-397B-A17B",
                "zai-org/GLM-5",
                "deepseek-ai/DeepSeek-V4-Flash",
                "MiniMaxAI/MiniMax-M3",
                "openai/gpt-oss-120b"
            })
    void theAnalyticCostModelAnswersTheSame(String model) {
        JsonPath search = optimize(analytic(model, 8, explained(8))).extract().jsonPath();
        JsonPath pair = optimize(analytic(model, 8, apart(8))).extract().jsonPath();

        for (int device = 0; device < DEVICES.size(); device++) {
            assertThat(search.getDouble("result.devices[" + device + "].phases[0].best.tpot_ms"))
                    .isPositive()
                    .isLessThanOrEqualTo(100);
            assertThat(pair.getDouble("result.devices[" + device + "].pd_ratio.best.balanced_requests_per_s"))
                    .isPositive();
        }
        assertThat(search.getList("result.explanation.answers")).isNotEmpty();
        assertStarted(search, "sglang", "--tp-size ", 8);
        optimize(analytic(model, 8, demanded())).body("result.capacity.best.num_devices", greaterThan(0));
    }

    @Test
    void theModelThatOnlyOneOfThemPricesIsRefusedByTheOther() {
        json(analytic("moonshotai/Kimi-K3", 16, explained(16)))
                .post(OPTIMIZATIONS)
                .then()
                .statusCode(400)
                .body("errors[0].pointer", equalTo("/model_id"))
                .body("errors[0].detail", containsString("attention to residuals of kimi_k3"));
    }

    /// On each device.
    private void assertStarted(JsonPath search, String engine, String option, int devices) {
        for (String device : DEVICES) {
            api().accept("application/json")
                    .get(OPTIMIZATIONS + "/" + search.getString("id") + "/launch?engine=" + engine + "&device="
                            + device)
                    .then()
                    .statusCode(200)
                    .body("device", equalTo(device))
                    .body("servers.options.option", everyItem(hasItem(option + devices)));
        }
    }
}
