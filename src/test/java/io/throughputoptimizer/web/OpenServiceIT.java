package io.throughputoptimizer.web;

import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.nullValue;

import io.throughputoptimizer.web.description.Examples;
import org.junit.jupiter.api.Test;

/// A service on a loopback address without keys answers as if there were none.
class OpenServiceIT extends HttpTest {

    @Test
    void nobodyIsAskedWhoHeIs() {
        api().header("Authorization", "Bearer nonsense")
                .get("/api/v1/models")
                .then()
                .statusCode(200);
        api().get("/actuator/prometheus").then().statusCode(200);
        json(PREFILL).post(OPTIMIZATIONS).then().statusCode(202).header("Set-Cookie", nullValue());
    }

    @Test
    void nobodyMakesKeysOverHttp() {
        json(Examples.text("key.json"))
                .post("/api/v1/keys")
                .then()
                .statusCode(403)
                .body("type", equalTo("/problems/keys-unused"));
        api().get("/api/v1/keys").then().statusCode(403);
        api().delete("/api/v1/keys/0123456789abcdef").then().statusCode(403);
    }

    @Test
    void noOtherSiteMayReadAnswers() {
        api().header("Origin", "https://other.example")
                .get("/api/v1/models")
                .then()
                .statusCode(200)
                .header("Access-Control-Allow-Origin", nullValue());
        api().header("Origin", "https://other.example")
                .header("Access-Control-Request-Method", "DELETE")
                .options(OPTIMIZATIONS)
                .then()
                .header("Access-Control-Allow-Origin", nullValue());
    }
}
