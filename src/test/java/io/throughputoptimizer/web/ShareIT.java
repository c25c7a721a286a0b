package io.throughputoptimizer.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.nullValue;

import io.restassured.response.Response;
import io.throughputoptimizer.api.key.Role;
import io.throughputoptimizer.fixture.GatedSearch;
import io.throughputoptimizer.web.description.ProblemExamples;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.context.TestPropertySource;
import tools.jackson.databind.json.JsonMapper;

/// What one caller may take of the service, and from which pages.
@TestPropertySource(
        properties = {
            "optimizer.security.requests-per-minute=60",
            "optimizer.security.maximum-streams=1",
            "optimizer.http.keep-alive=200ms",
            "optimizer.http.allowed-origins=https://portal.example"
        })
@GatedSearches
class ShareIT extends SecuredTest {
    private static final int A_MINUTE = 60;

    @Autowired
    private GatedSearch search;

    @LocalServerPort
    private int port;

    @Test
    void aCallerBeyondItsRequestsIsToldWhenToComeAgain() throws Exception {
        String name = freshName();
        String key = key(name, Role.READ);
        for (int request = 0; request < A_MINUTE; request++) {
            as(key).get("/api/v1/capabilities").then().statusCode(200);
        }

        Response refused = firstRefused(key(name, Role.SUBMIT));

        refused.then()
                .statusCode(429)
                .contentType("application/problem+json")
                .body("type", equalTo("/problems/rate-limited"));
        assertThat(JsonMapper.shared().readTree(refused.asString()))
                .isEqualTo(JsonMapper.shared().readTree(ProblemExamples.RATE_LIMITED));
        // One of so many a minute is saved up in a second.
        assertThat(refused.header("Retry-After")).isEqualTo("1");
        TimeUnit.SECONDS.sleep(1);
        as(key(name, Role.READ)).get("/api/v1/capabilities").then().statusCode(200);
        as(key(Role.READ)).get("/api/v1/capabilities").then().statusCode(200);
        api().get("/actuator/health").then().statusCode(200);
    }

    /// Tools are no exception to the limit, but agents read results, not statuses.
    @Test
    void aToolBeyondTheRequestsOfItsCallerNamesTheWait() {
        String name = freshName();
        String key = key(name, Role.SUBMIT);
        firstRefused(key(name, Role.READ));

        tools(key, "tools/list", "{}").then().statusCode(429).header("Retry-After", "1");
        tools(key, "tools/call", "{\"name\": \"list_devices\", \"arguments\": {\"q\": \"h100\"}}")
                .then()
                .statusCode(200)
                .body("result.isError", equalTo(true))
                .body("result.structuredContent.type", equalTo("/problems/rate-limited"))
                .body("result.structuredContent.retry_after_s", equalTo(1))
                .body("result.structuredContent.next.tool", equalTo("list_devices"))
                .body("result.content[0].text", containsString("Next: after 1 s, list_devices with {\"q\":\"h100\"}"));
    }

    private Response tools(String key, String method, String params) {
        return jsonAs(
                        key,
                        "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"" + method + "\", \"params\": " + params + "}")
                .post("/mcp");
    }

    /// On a busy machine some more are allowed before.
    private Response firstRefused(String key) {
        Response answer = as(key).get("/api/v1/capabilities");
        while (answer.statusCode() == 200) {
            answer = as(key).get("/api/v1/capabilities");
        }
        return answer;
    }

    @Test
    void aCallerBeyondItsStreamsIsRefusedAnother() throws Exception {
        String key = key(Role.SUBMIT);
        String path = jsonAs(key, PREFILL)
                .post(OPTIMIZATIONS)
                .then()
                .statusCode(202)
                .extract()
                .header("Location");
        search.awaitStart();
        try (HttpClient http = HttpClient.newHttpClient();
                InputStream stream = open(http, key, path)) {
            assertThat(stream.read()).isPositive();

            as(key).get(path + "/events")
                    .then()
                    .statusCode(429)
                    .header("Retry-After", equalTo("1"))
                    .body("type", equalTo("/problems/too-many-streams"));
            as(key(Role.READ)).get(path).then().statusCode(200);
            as(key).post(path + "/cancel").then().statusCode(202);
            stream.readAllBytes();
        }
        as(key).get(path + "/events").then().statusCode(200);
    }

    private InputStream open(HttpClient http, String key, String path) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path + "/events"))
                .header("Authorization", "Bearer " + key)
                .build();
        HttpResponse<InputStream> answer = http.send(request, BodyHandlers.ofInputStream());
        assertThat(answer.statusCode()).isEqualTo(200);
        return answer.body();
    }

    @Test
    void onlyPagesOfSitesThatAreSetMayCall() {
        api().header("Origin", "https://portal.example")
                .header("Access-Control-Request-Method", "POST")
                .header("Access-Control-Request-Headers", "authorization, content-type")
                .options(OPTIMIZATIONS)
                .then()
                .statusCode(200)
                .header("Access-Control-Allow-Origin", equalTo("https://portal.example"))
                .header("Access-Control-Allow-Credentials", nullValue())
                .header("Access-Control-Allow-Headers", containsString("authorization"));
        api().header("Origin", "https://other.example")
                .header("Access-Control-Request-Method", "POST")
                .options(OPTIMIZATIONS)
                .then()
                .statusCode(403)
                .header("Access-Control-Allow-Origin", nullValue());
        as(key(Role.READ))
                .header("Origin", "https://portal.example")
                .get("/api/v1/capabilities")
                .then()
                .statusCode(200)
                .header("Access-Control-Allow-Origin", equalTo("https://portal.example"));
        api().header("Origin", "https://portal.example")
                .get("/api/v1/capabilities")
                .then()
                .statusCode(401)
                .header("Access-Control-Allow-Origin", equalTo("https://portal.example"));
    }
}
