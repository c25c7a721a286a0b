package io.throughputoptimizer.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.closeTo;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.lessThanOrEqualTo;

import io.restassured.response.Response;
import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.context.TestPropertySource;

/// Traces over HTTP.
@TestPropertySource(properties = "optimizer.http.maximum-trace=2MB")
class TraceIT extends HttpTest {
    private static final String VALUES = "text/csv";
    /// Inputs of 10, 20, ..., 1000 tokens, each a request; outputs of 7.
    private static final String TRACE =
            IntStream.rangeClosed(1, 100).mapToObj(i -> 10 * i + ",7").collect(Collectors.joining("\n"));

    @LocalServerPort
    private int port;

    @Test
    void aTraceBecomesAWorkloadThatIsSearchedAsItIs() {
        Response answer = post(TRACE, VALUES, "?bins=10");

        answer.then()
                .statusCode(200)
                .body("requests", equalTo(100))
                .body("input.shortest", equalTo(10))
                .body("input.longest", equalTo(1000))
                .body("input.quantiles.find { it.share == 0.5 }.tokens", equalTo(500))
                .body("input.quantiles.find { it.share == 0.99 }.tokens", equalTo(990))
                .body("input.mean.before", equalTo(505.0))
                .body("input.mean.after", equalTo(505.0))
                .body("input.second_moment.before", equalTo(338_350.0))
                .body("input.second_moment.loss", closeTo(-0.0029, 1e-4))
                .body(
                        "input.length_distribution.bins.weight",
                        contains(11.0, 11.0, 11.0, 11.0, 11.0, 11.0, 11.0, 11.0, 11.0, 1.0))
                .body("input.length_distribution.bins[1].min_tokens", equalTo(120))
                .body("output.length_distribution.bins", hasSize(1))
                .body("output.mean.loss", equalTo(0.0))
                .body("workload.output_length", equalTo(7));
        String text = answer.asString();
        String workload = text.substring(text.indexOf("\"workload\":") + 11, text.length() - 1);
        optimize("""
                {"model_id": "Qwen/Qwen3-8B", "devices": ["TEST_DEVICE"], "num_devices": 2, "mode": "disaggregation", "slo": {"ttft_ms": 4000},
                 "workload": %s}""".formatted(workload))
                .body("result.devices[0].phases[0].rows[0].composition.size()", lessThanOrEqualTo(10));
    }

    @Test
    void jsonLinesAreTheSame() {
        String lines =
                TRACE.replaceAll("(\\d+),(\\d+)", "{\"id\": \"x\", \"input_tokens\": $1, \"output_tokens\": $2}");

        assertThat(post(lines, "application/x-ndjson", "").asString())
                .isEqualTo(post(lines, "application/jsonl", "?binning=weight").asString())
                .isEqualTo(post(TRACE, VALUES, "?bins=32").asString());
    }

    /// Its rest is read all the same, so that clients that listen only afterwards hear it.
    @Test
    void aBrokenLineIsRefusedWithItsNumber() {
        String broken = TRACE + "\n3500,long\n" + (TRACE + "\n").repeat(1000);

        post(broken, VALUES, "")
                .then()
                .statusCode(400)
                .body("type", equalTo("/problems/invalid-request"))
                .body("errors.pointer", contains(""))
                .body(
                        "errors[0].detail",
                        containsString(
                                "line 101 must have a whole number from 0 to 999999 as output_tokens, got \"long\""));
        post(TRACE, VALUES, "").then().statusCode(200).body("requests", equalTo(100));
    }

    @ParameterizedTest
    @CsvSource({"?bins=65, bins", "?bins=many, bins"})
    void aWrongParameterIsRefused(String query, String parameter) {
        post(TRACE, VALUES, query)
                .then()
                .statusCode(400)
                .body("errors[0].parameter", equalTo(parameter))
                .body("errors[0].detail", containsString("must be a whole number from 1 to 64"));
    }

    /// Only traces may be longer than other bodies, and not for ever.
    @Test
    void aTraceHasALimitOfItsOwn() {
        String twoMegabytes = "1000,100\n".repeat(2 * 1024 * 1024 / 9);

        post(twoMegabytes, VALUES, "").then().statusCode(200).body("requests", equalTo(233_016));
        post(twoMegabytes + "1000,1000", VALUES, "").then().statusCode(413).body("detail", containsString("2097152"));
        json(" ".repeat(1024 * 1024 + 1)).post(OPTIMIZATIONS).then().statusCode(413);
    }

    @Test
    void otherFormsOfATraceAreRefusedByName() {
        post("{}", "application/xml", "").then().statusCode(415).body("detail", containsString(VALUES));
        api().contentType(VALUES)
                .header("Content-Encoding", "br")
                .body(TRACE.getBytes(StandardCharsets.UTF_8))
                .post(TraceController.PATH)
                .then()
                .statusCode(415)
                .header("Accept-Encoding", "identity");
        post("", VALUES, "")
                .then()
                .statusCode(400)
                .body("errors[0].detail", containsString("must have at least one request"));
    }

    private Response post(String trace, String contentType, String query) {
        return api().contentType(contentType)
                .body(trace.getBytes(StandardCharsets.UTF_8))
                .post(TraceController.PATH + query);
    }
}
