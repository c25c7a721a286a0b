package io.throughputoptimizer.web;

import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.notNullValue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PageHeadersIT extends HttpTest {

    @ParameterizedTest
    @ValueSource(strings = {"/", "/index.html", "/favicon.svg", "/dashboard/main.js", "/vendor/uplot/uPlot.esm.js"})
    void thePageAndItsPartsAllowNothingFromOutside(String path) {
        api().get(path)
                .then()
                .statusCode(200)
                .header("Content-Security-Policy", containsString("default-src 'none'; script-src 'self'"))
                .header("Content-Security-Policy", not(containsString("unsafe")))
                .header("X-Content-Type-Options", equalTo("nosniff"))
                .header("Referrer-Policy", equalTo("no-referrer"));
    }

    @Test
    void partsOfThePageAreAskedForAgainSoThatVersionsNeverMix() {
        String modified = api().get("/dashboard/main.js")
                .then()
                .header("Cache-Control", equalTo("no-cache"))
                .header("Last-Modified", notNullValue())
                .extract()
                .header("Last-Modified");

        api().header("If-Modified-Since", modified)
                .get("/dashboard/main.js")
                .then()
                .statusCode(304);
    }
}
