package io.throughputoptimizer.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.lessThanOrEqualTo;
import static org.hamcrest.Matchers.nullValue;

import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import io.throughputoptimizer.fixture.RequestEditor;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Requests with long lists, texts and names cost no more than reading them, and their answers stay short.
class LongRequestIT extends HttpTest {
    private static final String ESTIMATES = "/api/v1/estimates";
    private static final int MANY = 20_000;
    private static final int LONGEST_ANSWER = 100_000;
    private static final String PASS = """
            {"model_id": "Qwen/Qwen3-8B", "device": "TEST_DEVICE", "num_devices": 8,
             "pass": {"phase": "prefill", "concurrency": 2, "query_len": 100, "seq_len": 100}}""";

    static Stream<Arguments> longLists() {
        return Stream.of(
                list(OPTIMIZATIONS, "/search/tp_sizes", "0"),
                list(OPTIMIZATIONS, "/search/ep_sizes", "null"),
                list(OPTIMIZATIONS, "/search/moe_dp_sizes", "1000001"),
                list(OPTIMIZATIONS, "/search/batch_range", "0"),
                list(OPTIMIZATIONS, "/devices", "\"\""),
                list(OPTIMIZATIONS, "/device_profiles", "{}"),
                list(OPTIMIZATIONS, "/serving/mtp_acceptance_rate", "7"),
                list(OPTIMIZATIONS, "/workload/length_distribution/bins", "{}"),
                list(ESTIMATES, "/pass/requests", "{}"),
                list(ESTIMATES, "/device_profile/interconnect/grid", "1"),
                list(ESTIMATES, "/device_profile/interconnect/links", "{}"),
                list(ESTIMATES, "/device_profile/effective/link_gb_per_s", "-1"),
                list(ESTIMATES, "/device_profile/effective/matrix_types_without_rate", "\"\""));
    }

    private static Arguments list(String path, String pointer, String element) {
        return Arguments.of(path, pointer, element);
    }

    @ParameterizedTest(name = "{1}")
    @MethodSource("longLists")
    void aListThatIsTooLongIsOneErrorAndNothingElseIsJudged(String path, String pointer, String element) {
        String request = RequestEditor.with(path.equals(ESTIMATES) ? PASS : PREFILL, pointer, list(element, MANY));

        json(request.replaceFirst("\"num_devices\": ?\\d", "\"num_devices\":0"))
                .post(path)
                .then()
                .statusCode(400)
                .body("errors", hasSize(1))
                .body("errors[0].pointer", equalTo(pointer))
                .body("errors[0].detail", containsString("has " + MANY + " elements: at most "))
                .body("more_errors", nullValue());
    }

    @Test
    void everyListThatIsTooLongIsNamed() {
        String request = RequestEditor.with(PREFILL, "/search/tp_sizes", list("0", MANY));
        request = RequestEditor.with(request, "/search/ep_sizes", list("0", MANY));

        json(request)
                .post(OPTIMIZATIONS)
                .then()
                .statusCode(400)
                .body("errors.pointer", equalTo(List.of("/search/ep_sizes", "/search/tp_sizes")));
    }

    @Test
    void aHundredErrorsAreListedAndTheAnswerSaysThatThereAreMore() {
        json(RequestEditor.with(PREFILL, "/search/tp_sizes", list("0", 1000)))
                .post(OPTIMIZATIONS)
                .then()
                .statusCode(400)
                .body("errors", hasSize(100))
                .body("more_errors", equalTo(true))
                .body(
                        "detail",
                        equalTo("search.tp_sizes[0] must be at least 1, got 0. See errors for at least 100 more."));
        json(RequestEditor.with(PREFILL, "/search/tp_sizes", list("0", 100)))
                .post(OPTIMIZATIONS)
                .then()
                .statusCode(400)
                .body("errors", hasSize(100))
                .body("more_errors", nullValue());
    }

    @Test
    void errorsBeyondTheFirstPieceOfAListKeepTheirIndex() {
        String sizes = "[" + "2,".repeat(250) + "0]";

        json(RequestEditor.with(PREFILL, "/search/tp_sizes", sizes))
                .post(OPTIMIZATIONS)
                .then()
                .statusCode(400)
                .body("errors.pointer", equalTo(List.of("/search/tp_sizes/250")));
    }

    static Stream<String> lengthyRequests() {
        String text = "x".repeat(900_000);
        String emoji = "\uD83D\uDE00".repeat(100_000);
        String deep = "[".repeat(400_000);
        return Stream.of(
                "{\"model_id\": \"" + text + "\"}",
                "{\"" + text + "\": 1}",
                "{\"" + "/~".repeat(200_000) + "\": 1}",
                "{\"devices\": [\"" + text + "\"]}",
                "{\"mode\": \"" + text + "\"}",
                "{\"mode\": \"y" + emoji + "\"}",
                "{\"" + emoji + "\": 1}",
                "{\"num_devices\": \"" + text + "\"}",
                "{\"num_devices\": " + "9".repeat(100_000) + "}",
                "{\"num_devices\": 1" + "0".repeat(900) + "}",
                "{\"num_devices\": 1e999999999}",
                "{\"model_config\": {\"a\": 1e999999999}}",
                "{\"model_config\": {\"a\": -1" + "0".repeat(900) + "}}",
                "{\"model_config\": {\"a\": " + deep,
                "{\"model_config\": {\"a\": " + "[".repeat(200) + "]".repeat(200) + "}}",
                "{\"model_config\": " + "{\"a\": ".repeat(200) + "1" + "}".repeat(200) + "}",
                "{\"model_config\": {\"a\": [" + "[],".repeat(300_000) + "[]]}}",
                "{\"model_config\": {\"model_type\": \"y" + emoji + "\"}}",
                "{\"model_config\": {\"model_type\": [" + "0,".repeat(40_000) + "0]}}",
                "{\"device_profiles\": [{\"name\": \"" + text + "\"}]}",
                "{\"device_profiles\": [{\"name\": \"y" + emoji + "\", \"vendor\": \"" + emoji + "\"}]}",
                "{\"device_profiles\": [" + "{},".repeat(63) + "{}]}",
                "{\"device_profiles\": ["
                        + ("{\"interconnect\": {\"links\": [" + "{},".repeat(999) + "{}]}},").repeat(63) + "{}]}",
                "{\"slo\": {\"ttft_ms\": \"" + text + "\"}}");
    }

    @ParameterizedTest
    @MethodSource("lengthyRequests")
    void whatALengthyRequestBreaksIsSaidShortly(String request) {
        for (RequestSpecification sent : List.of(json(complete(request)), yaml(complete(request)), json(request))) {
            Response answer = sent.post(OPTIMIZATIONS);

            answer.then().statusCode(400).contentType("application/problem+json");
            assertThat(answer.asByteArray().length).isLessThan(LONGEST_ANSWER);
            assertThat(answer.<String>path("detail"))
                    .hasSizeLessThanOrEqualTo(1000)
                    .doesNotContain("\uFFFD");
            answer.then().body("errors.size()", lessThanOrEqualTo(100));
            assertThat(answer.jsonPath().getList("errors.detail", String.class))
                    .allSatisfy(message -> assertThat(message).hasSizeLessThanOrEqualTo(500));
            assertThat(answer.jsonPath().getList("errors.pointer", String.class))
                    .allSatisfy(pointer -> assertThat(pointer).hasSizeLessThanOrEqualTo(200));
        }
    }

    @Test
    void aliasesOfYamlAreRefusedAtTheirPlace() {
        yaml("model_id: &name TEST_DEVICE\ndevices: [*name]\nworkload: {input_length: 9, output_length: 9}")
                .post(OPTIMIZATIONS)
                .then()
                .statusCode(400)
                .body("errors[0].pointer", equalTo("/devices/0"))
                .body("errors[0].detail", containsString("is an alias: each value must be written out"));
    }

    @Test
    void manyParametersAndLongOnesAreRefusedShortly() {
        for (String query : List.of("status=x&".repeat(700), "a=&".repeat(2_000), "limit=" + "1".repeat(7_000))) {
            Response answer = api().get(OPTIMIZATIONS + "?" + query);

            answer.then().statusCode(400).contentType("application/problem+json");
            assertThat(answer.asString()).hasSizeLessThan(2_000);
        }
    }

    /// With all that is needed besides, so that what is long is judged.
    private static String complete(String request) {
        return "{\"workload\": {\"input_length\": 9, \"output_length\": 9}, " + request.substring(1);
    }

    private static String list(String element, int length) {
        return "[" + String.join(",", Collections.nCopies(length, element)) + "]";
    }
}
