package io.throughputoptimizer.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.startsWith;

import io.restassured.response.ValidatableResponse;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.web.server.LocalServerPort;

class SecurityHeadersIT extends HttpTest {
    private static final String DATA_POLICY = "default-src 'none'; frame-ancestors 'none'";

    @LocalServerPort
    private int port;

    @ParameterizedTest
    @ValueSource(strings = {"/", "/index.html", "/favicon.svg", "/dashboard/main.js", "/vendor/uplot/uPlot.esm.js"})
    void thePageAndItsPartsAllowNothingFromOutside(String path) {
        common(api().get(path).then().statusCode(200))
                .header("Content-Security-Policy", containsString("default-src 'none'; script-src 'self'"))
                .header("Content-Security-Policy", not(containsString("unsafe")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/swagger-ui/index.html", "/swagger-ui/swagger-ui.css", "/swagger-ui/swagger-ui-bundle.js"})
    void swaggerUiRunsNoScriptButItsOwn(String path) {
        common(api().get(path).then().statusCode(200))
                .header("Content-Security-Policy", containsString("default-src 'none'; script-src 'self'; style-src"))
                .header("Content-Security-Policy", containsString("frame-ancestors 'none'"));
    }

    @ParameterizedTest
    @CsvSource({
        "/api/v1/optimizations, 200, no-store",
        "/api/v1/optimizations/1, 404, no-store",
        "/api/v1/optimizations?limit=no, 400, no-store",
        "/api/v1/models, 200, no-cache",
        "/api/v1/models/none, 404, no-cache",
        "/api/v1/length-distributions/builtin, 200, no-cache",
        "/api/v1/capabilities, 200, no-cache",
        "/nothing, 404, no-store",
        "/v3/api-docs, 200, no-cache",
        "/v3/api-docs.yaml, 200, no-cache",
        "/v3/api-docs/nothing, 404, no-store",
        "/actuator/health, 200, no-store",
        "/actuator/prometheus, 200, no-store",
        "/actuator/nothing, 404, no-store",
    })
    void dataLoadsAndRunsNothing(String path, int status, String caching) {
        common(api().get(path).then().statusCode(status))
                .header("Content-Security-Policy", equalTo(DATA_POLICY))
                .header("Cache-Control", equalTo(caching));
    }

    @Test
    void everyMethodAndRefusalIsCovered() {
        common(json(PREFILL).post(OPTIMIZATIONS).then().statusCode(202));
        common(json("{").post(OPTIMIZATIONS).then().statusCode(400));
        common(api().contentType("text/html")
                .body("x")
                .post(OPTIMIZATIONS)
                .then()
                .statusCode(415));
        common(api().patch(OPTIMIZATIONS).then().statusCode(405));
        common(api().options(OPTIMIZATIONS).then());
        common(api().head("/dashboard/main.js").then().statusCode(200));
        common(api().redirects().follow(false).get("/swagger-ui.html").then().statusCode(302));
        common(api().get("/dashboard/none.js").then().statusCode(404));
        common(api().header("Prefer", "wait=0")
                .accept("text/html")
                .get(OPTIMIZATIONS + "/1")
                .then());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET /%ff%00 HTTP/1.1\r\nHost: localhost",
                "GET /a|b HTTP/1.1\r\nHost: localhost",
                "GET /../../etc/passwd HTTP/1.1\r\nHost: localhost",
                "GET / HTTP/1.1",
                "GET / HTTP/9.9\r\nHost: localhost",
                "TRACE / HTTP/1.1\r\nHost: localhost",
                "NONSENSE / HTTP/1.1\r\nHost: localhost",
                "POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: nonsense",
                "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: minus"
            })
    void whatTomcatRefusesByItselfIsCovered(String lines) throws IOException {
        assertThat(RawExchange.answer(port, lines))
                .containsPattern("^HTTP/1\\.1 [45]\\d\\d ")
                .contains("Content-Security-Policy: default-src 'none'")
                .contains("X-Content-Type-Options: nosniff")
                .contains("Referrer-Policy: no-referrer");
    }

    @Test
    void tooLongAHeaderIsCovered() throws IOException {
        assertThat(RawExchange.answer(port, "GET / HTTP/1.1", "Host: localhost", "X: " + "x".repeat(20_000)))
                .containsPattern("^HTTP/1\\.1 4\\d\\d ")
                .contains("X-Content-Type-Options: nosniff");
    }

    private static ValidatableResponse common(ValidatableResponse answer) {
        answer.extract()
                .headers()
                .asList()
                .forEach(header -> assertThat(answer.extract().headers().getValues(header.getName()))
                        .as(header.getName())
                        .filteredOn(_ -> !header.getName().equals("Vary"))
                        .hasSizeLessThan(2));
        return answer.header("Content-Security-Policy", containsString("default-src 'none'"))
                .header("X-Content-Type-Options", equalTo("nosniff"))
                .header("Referrer-Policy", equalTo("no-referrer"))
                .header("Cross-Origin-Opener-Policy", equalTo("same-origin"))
                .header("Cross-Origin-Resource-Policy", equalTo("same-origin"))
                .header("Cache-Control", notNullValue());
    }

    /// By what they hold: files of a jar all carry the same time.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "/index.html",
                "/favicon.svg",
                "/dashboard/main.js",
                "/vendor/uplot/uPlot.esm.js",
                "/help/first-plan.md"
            })
    void partsOfThePageAreAskedForAgainSoThatVersionsNeverMix(String part) {
        String tag = api().get(part)
                .then()
                .statusCode(200)
                .header("Cache-Control", equalTo("no-cache"))
                .header("ETag", startsWith("W/\""))
                .extract()
                .header("ETag");

        api().header("If-None-Match", tag).get(part).then().statusCode(304);
        api().header("If-None-Match", "W/\"of an earlier version\"")
                .header("If-Modified-Since", "Fri, 01 Jan 2100 00:00:00 GMT")
                .get(part)
                .then()
                .statusCode(200);
    }
}
