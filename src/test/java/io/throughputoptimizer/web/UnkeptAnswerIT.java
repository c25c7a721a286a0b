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

/// What is asked with `keep=none` is answered as a job would be, and leaves nothing behind.
class UnkeptAnswerIT extends HttpTest {
    private static final String UNKEPT = "wait=30, return=representation, keep=none";

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
                .header("Preference-Applied", UNKEPT)
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
        String unkept = ask(PREFILL, mediaType).statusCode(200).extract().body().asString();
        assertThat(stored()).isEqualTo(before);

        assertThat(unkept).isEqualTo(answer(PREFILL, mediaType));
        before++;
    }

    @Test
    void aSearchThatIsTooLargeIsToBeSaved() {
        String large = PREFILL.replace(
                "\"mode\"", "\"search\": {\"batch_range\": [1, 40000], \"strategy\": \"exhaustive\"}, \"mode\"");

        ask(large, "application/json")
                .statusCode(422)
                .contentType("application/problem+json")
                .header("Preference-Applied", nullValue())
                .body("type", endsWith(":too-large-to-answer"))
                .body("detail", allOf(containsString("at most 25000"), containsString("without keep=none")));
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
                    .header("Prefer", UNKEPT)
                    .header("Idempotency-Key", "same-key")
                    .post(OPTIMIZATIONS)
                    .then()
                    .statusCode(200);
        }
    }

    private ValidatableResponse ask(String body, String mediaType) {
        return json(body)
                .accept(mediaType)
                .header("Prefer", UNKEPT)
                .post(OPTIMIZATIONS)
                .then();
    }

    private long stored() {
        return jdbc.sql("SELECT (SELECT COUNT(*) FROM optimization_job)"
                        + " + (SELECT COUNT(*) FROM scheduled_tasks WHERE task_name LIKE '%optimization%')")
                .query(Long.class)
                .single();
    }
}
