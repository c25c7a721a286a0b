package io.throughputoptimizer.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.is;

import io.restassured.path.json.JsonPath;
import io.restassured.response.ValidatableResponse;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CurveIT extends HttpTest {

    @Test
    void seriesHoldEveryPointOfTheResultInOrder() {
        String location = submit(PREFILL);
        List<Map<String, ?>> points =
                api().get(location + "/result?include=all").path("devices[0].phases[0].points");

        JsonPath charts = curves(location, "application/json")
                .statusCode(200)
                .contentType("application/json")
                .body("title", contains("Prefill: throughput vs concurrency", "Prefill: throughput vs TTFT"))
                .body("x", contains("Concurrency", "TTFT (ms)"))
                .body("[1].y", equalTo("Throughput (token/s)"))
                .body("[1].series.label", contains("TP=1 | PP=1 | DP=2", "TP=2 | PP=1 | DP=1"))
                .extract()
                .jsonPath();

        assertThat(charts.getList("[1].series.collectMany { it.points }"))
                .containsExactlyInAnyOrderElementsOf(points.stream()
                        .map(point -> Map.of(
                                "x", point.get("ttft_ms"),
                                "y", point.get("tokens_per_s"),
                                "batch_size", point.get("batch_size"),
                                "concurrency", point.get("concurrency"),
                                "within_slo", point.get("within_slo")))
                        .toList())
                .anyMatch(point -> point.toString().contains("within_slo=false"));
        assertThat(charts.getList("[0].series[0].points.x", Double.class)).isSorted();
    }

    @Test
    void thePlotIsMadeOfCharacters() {
        String plot = curves(submit(PREFILL), "text/plain")
                .statusCode(200)
                .contentType("text/plain;charset=UTF-8")
                .extract()
                .asString();

        assertThat(plot).contains("  A  TP=1 | PP=1 | DP=2").matches("[\\x20-\\x7e\\n]+");
    }

    @Test
    void severalDevicesHaveNoCurves() {
        String location = submit(PREFILL.replace("\"TEST_DEVICE\"", "\"TEST_DEVICE\", \"ATLAS_350_425T_112G\""));

        curves(location, "application/json").statusCode(200).body("", is(empty()));
        curves(location, "text/plain").body(containsString("Curves are drawn for one kind of device"));
    }

    @ParameterizedTest
    @CsvSource({
        "'', application/json",
        "'image/avif,image/webp,image/svg+xml,image/*,*/*;q=0.8', application/json",
        "'text/*', text/plain;charset=UTF-8",
        "'text/html,application/xhtml+xml,*/*;q=0.8', application/json"
    })
    void theCallersPreferenceIsFollowed(String accept, String given) {
        String location = submit(PREFILL);

        (accept.isEmpty() ? api() : api().accept(accept))
                .get(location + "/curves")
                .then()
                .statusCode(200)
                .contentType(given);
    }

    @ParameterizedTest
    @ValueSource(strings = {"text/csv", "image/svg+xml"})
    void anUnknownFormatIsAProblem(String accept) {
        curves(submit(PREFILL), accept)
                .statusCode(406)
                .contentType("application/problem+json")
                .body("detail", equalTo("Acceptable representations: [application/json, text/plain]."));
    }

    @Test
    void anUnknownJobIsAProblem() {
        curves(OPTIMIZATIONS + "/00000000-0000-0000-0000-000000000000", "text/plain")
                .statusCode(404)
                .contentType("application/problem+json");
    }

    private String submit(String body) {
        return optimize(body).extract().header("Location");
    }

    private ValidatableResponse curves(String location, String accept) {
        return api().accept(accept).get(location + "/curves").then();
    }
}
