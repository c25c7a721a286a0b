package io.throughputoptimizer.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.nullValue;

import io.restassured.response.Response;
import io.restassured.response.ValidatableResponse;
import io.throughputoptimizer.api.key.Role;
import io.throughputoptimizer.fixture.RawHttp;
import io.throughputoptimizer.security.KeyRing;
import java.io.IOException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.jdbc.core.simple.JdbcClient;

/// Who may do what once callers must show who they are.
class KeyAccessIT extends SecuredTest {
    private static final String NOBODYS_KEY = "tpo_0123456789abcdef_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

    @Autowired
    private JdbcClient jdbc;

    @LocalServerPort
    private int port;

    /// Which paths take one, [RoleTableIT] says.
    @Test
    void whoShowsNoKeyIsToldSo() {
        refused(api().get("/api/v1/models"), 401, "key-needed")
                .header("WWW-Authenticate", equalTo("Bearer realm=\"throughput-optimizer\""))
                .header("X-Content-Type-Options", equalTo("nosniff"))
                .header("Cache-Control", containsString("no-"))
                .header("Set-Cookie", nullValue());
        refused(json(PREFILL).post("/api/v1/optimizations"), 401, "key-needed");
    }

    @Test
    void oddHeadersConcernWhoReadsThem() throws IOException {
        RawHttp.Answer answer = new RawHttp(port, Duration.ofMinutes(5))
                .send(
                        "GET /swagger-ui/index.html HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nX-Odd: \u00ff\r\n\r\n");

        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"nonsense", NOBODYS_KEY, "tpo_", "a.b.c", "eyJhbGciOiJub25lIn0.e30."})
    void whatIsNoKeyIsRefused(String token) {
        refused(as(token).get("/api/v1/models"), 401, "invalid-key")
                .header("WWW-Authenticate", containsString("error=\"invalid_token\""));
    }

    @Test
    void aKeyWithAnotherSecretIsRefusedAsIfItWereUnknown() {
        String right = key(Role.READ);
        String wrong = right.substring(0, right.length() - 1) + (right.endsWith("A") ? "B" : "A");
        String unknown = as(NOBODYS_KEY).get("/api/v1/models").asString();

        as(right).get("/api/v1/models").then().statusCode(200);
        assertThat(refused(as(wrong).get("/api/v1/models"), 401, "invalid-key")
                        .extract()
                        .asString())
                .isEqualTo(unknown);
    }

    @Test
    void anotherSchemeIsNone() {
        refused(api().header("Authorization", "Basic dTpw").get("/api/v1/models"), 401, "key-needed");
        refused(api().header("Authorization", "Bearer").get("/api/v1/models"), 401, "invalid-key");
        refused(api().queryParam("access_token", key(Role.READ)).get("/api/v1/models"), 401, "key-needed");
    }

    @Test
    void aRevokedOrExpiredKeySaysSo() {
        KeyRing.Created created = keys().create(freshName(), EnumSet.of(Role.READ), null);
        String revoked = created.key().reveal();
        as(revoked).get("/api/v1/models").then().statusCode(200);
        assertThat(keys().revoke(created.entry().id()))
                .containsExactly(created.entry().id());
        refused(as(revoked).get("/api/v1/models"), 401, "invalid-key").body("detail", containsString("revoked"));

        String expired = keys().create(freshName(), EnumSet.of(Role.READ), Duration.ofMillis(1))
                .key()
                .reveal();
        refused(as(expired).get("/api/v1/models"), 401, "invalid-key").body("detail", containsString("expired"));
    }

    @Test
    void theDatabaseHasNoSecret() {
        String key = key(Role.SUBMIT);

        assertThat(jdbc.sql("SELECT * FROM api_key").query().listOfRows().toString())
                .contains(key.substring(4, 20))
                .doesNotContain(key.substring(21));
    }

    @Test
    void whoMayNotIsToldSo() {
        refused(jsonAs(key(Role.READ), "{}").post("/api/v1/optimizations"), 403, "role-needed")
                .header("WWW-Authenticate", containsString("error=\"insufficient_scope\""));
        jsonAs(key(Role.ADMIN), "{}").patch("/api/v1/optimizations").then().statusCode(405);
    }

    /// A key that takes the place of another one has the jobs of both; who may do what else, [RoleTableIT] says.
    @Test
    void jobsBelongToTheNameOfAKey() {
        String name = freshName();
        String mine = key(name, Role.SUBMIT);
        String replaced = key(name, Role.SUBMIT);
        String both = key(Role.READ, Role.SUBMIT);
        String path = finished(mine);
        String id = path.substring(path.lastIndexOf('/') + 1);

        for (String seeing : List.of(mine, replaced, key(Role.READ), both)) {
            as(seeing).get(OPTIMIZATIONS + "?limit=100").then().body("optimizations.id", hasItem(id));
        }
        as(key(Role.SUBMIT)).get(OPTIMIZATIONS + "?limit=100").then().body("optimizations.id", not(hasItem(id)));
        refused(as(both).delete(path), 403, "not-own-job");
        refused(as(both).post(path + "/cancel"), 403, "not-own-job");
        as(replaced).get(path).then().statusCode(200);
        as(replaced).delete(path).then().statusCode(204);
    }

    @Test
    void idempotencyKeysAreEachOwnersOwn() {
        String mine = key(Role.SUBMIT);
        String first = submit(mine, PREFILL);

        assertThat(submit(mine, PREFILL)).isEqualTo(first);
        assertThat(submit(key(Role.SUBMIT), PREFILL.replace("2000", "1500"))).isNotEqualTo(first);
        jsonAs(mine, PREFILL.replace("2000", "1500"))
                .header("Idempotency-Key", "the-same")
                .post(OPTIMIZATIONS)
                .then()
                .statusCode(422);
    }

    private String submit(String key, String body) {
        return jsonAs(key, body)
                .header("Idempotency-Key", "the-same")
                .post(OPTIMIZATIONS)
                .then()
                .statusCode(202)
                .extract()
                .path("id");
    }

    private String finished(String key) {
        return jsonAs(key, PREFILL)
                .header("Prefer", "wait=600")
                .post(OPTIMIZATIONS)
                .then()
                .statusCode(200)
                .extract()
                .header("Location");
    }

    private static ValidatableResponse refused(Response answer, int status, String kind) {
        return answer.then()
                .statusCode(status)
                .contentType("application/problem+json")
                .body("type", equalTo("/problems/" + kind))
                .body("status", equalTo(status));
    }
}
