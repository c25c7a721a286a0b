package io.throughputoptimizer.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.allOf;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.endsWith;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasKey;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.nullValue;

import io.restassured.path.json.JsonPath;
import io.restassured.response.ValidatableResponse;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// Searches with `store=false` are answered as jobs are, and leave nothing behind.
class UnstoredAnswerIT extends HttpTest {
    private static final String WAIT = "wait=30";

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

    @Test
    void theAnswerIsTheJobWithoutAnId() {
        JsonPath answer = ask(PREFILL, "application/json")
                .statusCode(200)
                .header("Location", nullValue())
                .header("Preference-Applied", WAIT)
                .body("", not(hasKey("id")))
                .body("status", equalTo("succeeded"))
                .extract()
                .jsonPath();
        assertThat(stored()).isEqualTo(before);

        JsonPath job = json(PREFILL)
                .header("Prefer", "wait=600")
                .post(OPTIMIZATIONS)
                .then()
                .statusCode(200)
                .extract()
                .jsonPath();
        before++;
        assertThat(answer.getMap("result.devices[0]")).isEqualTo(job.getMap("result.devices[0]"));
        assertThat(answer.getMap("request")).isEqualTo(job.getMap("request"));
        assertThat(answer.getMap("asked")).isEqualTo(job.getMap("asked"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"text/plain", "text/csv"})
    void reportsAreThoseOfTheJob(String mediaType) {
        String unstored =
                ask(PREFILL, mediaType).statusCode(200).extract().body().asString();
        assertThat(stored()).isEqualTo(before);

        assertThat(unstored).isEqualTo(answer(PREFILL, mediaType));
        before++;
    }

    /// Searches that may have to try hundreds of thousands of batch sizes, and try a few.
    @ParameterizedTest
    @ValueSource(strings = {"""
                {"mode": "capacity", "num_devices": 256, "demand": {"requests_per_s": 50}}""", """
                {"mode": "pd_ratio", "num_devices": 16, "model_id": "deepseek-ai/DeepSeek-V3.1",
                 "pd_ratio": {"prefill_devices_per_instance": 8, "decode_devices_per_instance": 8}}""", """
                {"num_devices": 2, "slo": {"ttft_ms": 1, "tpot_ms": 1}, "explain": true}"""})
    void searchesThatEndSoonAreAnsweredWhateverTheyMightTry(String members) {
        ObjectNode question = (ObjectNode) JsonMapper.shared().readTree("""
                {"cost_model": "calibrated", "model_id": "Qwen/Qwen3-32B", "devices": ["H200_SXM"],
                 "engine": {"backend": "vllm"}, "quantization": {"scheme": "FP8"},
                 "workload": {"input_length": 2000, "output_length": 500}, "slo": {"ttft_ms": 1000, "tpot_ms": 40}}""");
        question.setAll((ObjectNode) JsonMapper.shared().readTree(members));

        ask(question.toString(), "application/json").statusCode(200).body("status", equalTo("succeeded"));
    }

    @Test
    void aSearchThatIsTooLargeIsToBeSaved() {
        ask(LARGE, "application/json")
                .statusCode(422)
                .contentType("application/problem+json")
                .header("Preference-Applied", nullValue())
                .body("type", endsWith("/too-large-to-answer"))
                .body("detail", allOf(containsString("3 s of processor time"), containsString("without store=false")));
    }

    @Test
    void whatIsWrongIsSaidAsOfJobs() {
        ask(PREFILL.replace("2000}", "-1}"), "text/plain")
                .statusCode(400)
                .contentType("application/problem+json")
                .body("errors[0].pointer", equalTo("/slo/ttft_ms"));
    }

    /// A key is for a job that there would be twice.
    @Test
    void anIdempotencyKeyMeansNothing() {
        for (String body : List.of(PREFILL, PREFILL.replace("1000", "1001"))) {
            json(body)
                    .header("Prefer", WAIT)
                    .header("Idempotency-Key", "same-key")
                    .post(OPTIMIZATIONS + "?store=false")
                    .then()
                    .statusCode(200);
        }
    }

    private ValidatableResponse ask(String body, String mediaType) {
        return json(body)
                .accept(mediaType)
                .header("Prefer", WAIT)
                .post(OPTIMIZATIONS + "?store=false")
                .then();
    }

    private long stored() {
        return jdbc.sql("SELECT (SELECT COUNT(*) FROM optimization_job)"
                        + " + (SELECT COUNT(*) FROM scheduled_tasks WHERE task_name LIKE '%optimization%')")
                .query(Long.class)
                .single();
    }
}
