package io.throughputoptimizer.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.allOf;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.endsWith;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.hasKey;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.startsWith;

import io.restassured.path.json.JsonPath;
import io.restassured.response.ValidatableResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.simple.JdbcClient;

/// A search that is not stored is started by the same commands as a job's row would be.
class UnstoredLaunchIT extends HttpTest {
    private static final String SILICON = """
            {"cost_model": "calibrated", "model_id": "Qwen/Qwen3-8B", "devices": ["H100_SXM"], "num_devices": 4,
             "engine": {"backend": "sglang"}, "quantization": {"scheme": "FP8"},
             "workload": {"input_length": 1000, "output_length": 200}, "slo": {"tpot_ms": 50}}""";

    private static final String ROOFLINE = """
            {"model_id": "Qwen/Qwen3-32B", "devices": ["ATLAS_800_A2_376T_64G"], "num_devices": 4, "slo": {"tpot_ms": 50},
             "workload": {"input_length": 3500, "output_length": 1500}, "serving": {"compile": true}}""";

    private static final String KINDS = """
            {"cost_model": "calibrated", "model_id": "Qwen/Qwen3-8B", "devices": ["H100_SXM", "B200_SXM"], "num_devices": 2,
             "engine": {"backend": "vllm"}, "quantization": {"scheme": "FP8"},
             "workload": {"input_length": 1000, "output_length": 200}, "slo": {"tpot_ms": 50}}""";

    private static final String CAPACITY = """
            {"cost_model": "calibrated", "mode": "capacity", "model_id": "Qwen/Qwen3-8B", "devices": ["H100_SXM"],
             "num_devices": 8, "demand": {"requests_per_s": 20}, "instance_sizes": [1], "engine": {"backend": "vllm"},
             "quantization": {"scheme": "FP8"}, "workload": {"input_length": 1000, "output_length": 200},
             "slo": {"tpot_ms": 50}}""";

    private static final String PAIR = """
            {"model_id": "Qwen/Qwen3-32B", "devices": ["ATLAS_800_A2_376T_64G"], "num_devices": 8, "mode": "pd_ratio",
             "workload": {"input_length": 3500, "output_length": 1500}, "slo": {"ttft_ms": 4000, "tpot_ms": 50},
             "serving": {"compile": true}, "search": {"tp_sizes": [4]},
             "pd_ratio": {"prefill_devices_per_instance": 4, "decode_devices_per_instance": 4}}""";

    /// Expert replicas, which no engine keeps as this layout wants them.
    private static final String NOWHERE = """
            {"cost_model": "analytic", "model_id": "Qwen/Qwen3-30B-A3B", "devices": ["H100_SXM"], "num_devices": 16, "slo": {"tpot_ms": 200},
             "workload": {"input_length": 3500, "output_length": 1500}, "serving": {"compile": true},
             "search": {"tp_sizes": [4], "ep_sizes": [4], "moe_dp_sizes": [4]}}""";

    @Autowired
    private JdbcClient jdbc;

    private long before;

    @BeforeEach
    void count() {
        before = stored();
    }

    @AfterEach
    void nothingIsKept() {
        assertThat(stored()).isEqualTo(before);
    }

    @ParameterizedTest
    @ValueSource(strings = {SILICON, ROOFLINE, KINDS, CAPACITY, PAIR})
    void theBestRowComesWithTheCommandsThatAJobHas(String question) {
        JsonPath answer = answer(question);
        String engine = answer.getString("launch.engine");
        String id = optimize(question).extract().path("id");
        before++;
        String device = answer.getList("result.devices").size() > 1
                ? "&device=" + answer.getString("result.cross_hardware[0].rows[0].device")
                : "";

        assertThat(answer.getString("launch.script"))
                .startsWith("# ")
                .isEqualTo(text(OPTIMIZATIONS + "/" + id + "/launch?engine=" + engine + device));
        assertThat(answer.getList("launch.engines"))
                .isEqualTo(api().get(OPTIMIZATIONS + "/" + id + "/launch/engines?rank=1" + device)
                        .jsonPath()
                        .getList("engines"));
    }

    @Test
    void theEngineIsThePlans() {
        assertThat(answer(SILICON).getString("launch.engine")).isEqualTo("sglang");
        assertThat(answer(ROOFLINE).getString("launch.engine")).isEqualTo("vllm-ascend");
    }

    /// Of several kinds of device the best row is that of the leader, which need not be the first that was named.
    @Test
    void theBestRowIsOfTheDeviceThatLeads() {
        JsonPath answer = answer(KINDS);

        assertThat(answer.getString("result.cross_hardware[0].rows[0].device")).isEqualTo("B200_SXM");
        assertThat(answer.getString("launch.script")).contains(" on B200_SXM, row 1, vllm ");
    }

    @Test
    void whatNoEngineRunsHasItsReasonsAndNoCommands() {
        json(NOWHERE)
                .header("Prefer", "wait=30")
                .post(OPTIMIZATIONS + "?store=false")
                .then()
                .statusCode(200)
                .body("launch", allOf(not(hasKey("script")), not(hasKey("engine"))))
                .body("launch.engines.refusal", hasItem(containsString("it keeps no replicas of all experts")));
        launch(NOWHERE, "engine=vllm")
                .statusCode(422)
                .body("type", endsWith("/cannot-launch"))
                .body("detail", containsString("it keeps no replicas of all experts"));
    }

    @Test
    void nothingIsStartedWhereNothingKeepsTheLimits() {
        String question = SILICON.replace("\"tpot_ms\": 50", "\"tpot_ms\": 0.01");
        assertThat(answer(question).getMap("")).doesNotContainKey("launch");

        launch(question, "engine=sglang")
                .statusCode(400)
                .body("errors[0].parameter", equalTo("rank"))
                .body("errors[0].detail", containsString("the result has no row of aggregation"));
    }

    @Test
    void aJobBringsNoCommands() {
        json(SILICON)
                .header("Prefer", "wait=600")
                .post(OPTIMIZATIONS)
                .then()
                .statusCode(200)
                .body("", not(hasKey("launch")));
        before++;
    }

    @Test
    void everyRowAndEngineCanBeAskedFor() {
        launch(SILICON, "engine=vllm&rank=2&benchmark=true")
                .statusCode(200)
                .body("rank", equalTo(2))
                .body("engine", equalTo("vllm"))
                .body("servers[0].command", startsWith("vllm serve"))
                .body("checks.tool", hasItem("vllm bench serve"));
        String script = json(SILICON)
                .accept("text/plain")
                .post("/api/v1/launch-scripts?engine=sglang")
                .then()
                .statusCode(200)
                .extract()
                .asString();
        assertThat(script).isEqualTo(answer(SILICON).getString("launch.script"));
    }

    @Test
    void theEngineIsThatOfTheRequestUnlessAnotherIsNamed() {
        launch(SILICON, "rank=1").statusCode(200).body("engine", equalTo("sglang"));
        launch(SILICON.replace("\"sglang\"", "{\"H100_SXM\": \"vllm\"}"), "rank=1")
                .statusCode(200)
                .body("engine", equalTo("vllm"));
        String job = json(SILICON)
                .header("Prefer", "wait=600")
                .post(OPTIMIZATIONS)
                .then()
                .extract()
                .path("id");
        api().get(OPTIMIZATIONS + "/" + job + "/launch").then().statusCode(200).body("engine", equalTo("sglang"));
        api().accept("application/yaml")
                .get(OPTIMIZATIONS + "/" + job + "/launch/manifests")
                .then()
                .statusCode(200)
                .body(containsString("sglang"));
        before++;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "engine=tgi | engine | must be one of vllm, vllm-ascend, sglang, trtllm, mindie, got \"tgi\"",
                "engine=vllm&rank=x | rank | must be a whole number from 1, got \"x\"",
                "engine=vllm&benchmark=1 | benchmark | must be true or false, got \"1\"",
                "engine=vllm&device=H100 | device | must be one of H100_SXM, got H100",
            })
    void aWrongParameterIsRefusedByName(String query, String parameter, String message) {
        launch(SILICON, query)
                .statusCode(400)
                .body("errors[0].parameter", equalTo(parameter))
                .body("errors[0].detail", containsString(message));
    }

    @Test
    void whatIsWrongWithTheQuestionIsSaidAsOfJobs() {
        launch(SILICON.replace("\"tpot_ms\": 50", "\"tpot_ms\": -1"), "engine=vllm")
                .statusCode(400)
                .body("errors[0].pointer", equalTo("/slo/tpot_ms"));
        launch(LARGE, "engine=vllm").statusCode(422).body("type", endsWith("/too-large-to-answer"));
    }

    private JsonPath answer(String question) {
        return json(question)
                .header("Prefer", "wait=30")
                .post(OPTIMIZATIONS + "?store=false")
                .then()
                .statusCode(200)
                .extract()
                .jsonPath();
    }

    private ValidatableResponse launch(String question, String query) {
        return json(question)
                .accept("application/json")
                .post("/api/v1/launch-scripts?" + query)
                .then();
    }

    private String text(String path) {
        return api().accept("text/plain")
                .get(path)
                .then()
                .statusCode(200)
                .extract()
                .asString();
    }

    private long stored() {
        return jdbc.sql("SELECT COUNT(*) FROM optimization_job")
                .query(Long.class)
                .single();
    }
}
