package io.throughputoptimizer.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.hasKey;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.nullValue;

import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;
import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.api.key.Role;
import io.throughputoptimizer.web.description.Examples;
import io.throughputoptimizer.web.description.ProblemExamples;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.json.JsonMapper;

/// Keys are made, listed and revoked while the service runs.
class KeyManagementIT extends SecuredTest {
    private static final String KEYS = "/api/v1/keys";

    @Test
    void aKeyIsMadeUsedListedAndRevoked() {
        String admin = key(Role.ADMIN);
        String name = freshName();
        JsonPath made = jsonAs(admin, Examples.text("key.json").replace("ann", name))
                .post(KEYS)
                .then()
                .statusCode(201)
                .header("Cache-Control", equalTo("no-store"))
                .body("name", equalTo(name))
                .body("roles", contains("submit"))
                .body("state", equalTo("valid"))
                .extract()
                .jsonPath();
        String id = made.getString("id");
        String key = made.getString("key");

        assertThat(key).startsWith("tpo_" + id + "_");
        assertThat(Instant.parse(made.getString("expires_at")))
                .isEqualTo(Instant.parse(made.getString("created_at")).plus(90, ChronoUnit.DAYS));
        as(key).get("/api/v1/models").then().statusCode(200);
        as(admin)
                .get(KEYS + "?limit=100")
                .then()
                .statusCode(200)
                .body(not(containsString(key)))
                .body("keys.find { it.id == '" + id + "' }.state", equalTo("valid"))
                .body("keys.find { it.id == '" + id + "' }.key", nullValue());
        as(admin).delete(KEYS + "/" + id).then().statusCode(204);
        as(admin).delete(KEYS + "/" + id).then().statusCode(204);
        as(key).get("/api/v1/models").then().statusCode(401);
        as(admin)
                .get(KEYS + "?limit=100")
                .then()
                .body("keys.find { it.id == '" + id + "' }.state", equalTo("revoked"))
                .body("keys.find { it.id == '" + id + "' }.revoked_at", notNullValue());
        as(admin).delete(KEYS + "/" + name).then().statusCode(404);
    }

    @Test
    void listsKeysInPages() {
        String admin = key(Role.ADMIN);
        key(Role.READ);
        JsonPath first = as(admin)
                .get(KEYS + "?limit=1")
                .then()
                .statusCode(200)
                .extract()
                .jsonPath();

        assertThat(first.getList("keys")).hasSize(1);
        as(admin)
                .queryParam("cursor", first.getString("next_cursor"))
                .get(KEYS + "?limit=100")
                .then()
                .statusCode(200)
                .body("keys.id", not(hasItem(first.getString("keys[0].id"))))
                .body("$", not(hasKey("next_cursor")));
        as(admin).get(KEYS + "?cursor=x").then().statusCode(400).body("errors[0].parameter", equalTo("cursor"));
        as(admin).get(KEYS + "?limit=101").then().statusCode(400).body("errors[0].parameter", equalTo("limit"));
    }

    @Test
    void aKeyIsAskedForInYaml() {
        as(key(Role.ADMIN))
                .contentType("application/yaml")
                .body("name: board\nroles: [read]\n".getBytes(StandardCharsets.UTF_8))
                .post(KEYS)
                .then()
                .statusCode(201)
                .body("name", equalTo("board"))
                .body("roles", contains("read"));
    }

    @Test
    void aKeyOfSeveralRolesAndAYear() {
        Response made = jsonAs(key(Role.ADMIN), "{\"name\": \"bob@example.com\", \"roles\": [\"read\", \"submit\"]}")
                .post(KEYS);

        made.then().statusCode(201).body("roles", contains("read", "submit"));
        assertThat(Instant.parse(made.path("expires_at")))
                .isEqualTo(Instant.parse(made.path("created_at")).plus(365, ChronoUnit.DAYS));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{} | /name",
                "{'name': 'a b'} | /name",
                "{'name': 'ann', 'roles': []} | /roles",
                "{'name': 'ann', 'roles': ['boss']} | /roles/0",
                "{'name': 'ann', 'roles': ['submit', null]} | /roles/1",
                "{'name': 'ann', 'expires_in_days': 0} | /expires_in_days",
                "{'name': 'ann', 'expires_in_days': 40000} | /expires_in_days",
                "{'name': 'ann', 'owner': 'bob'} | /owner"
            })
    void aKeyThatCannotBeIsRefused(String body, String pointer) {
        jsonAs(key(Role.ADMIN), body.replace('\'', '"'))
                .post(KEYS)
                .then()
                .statusCode(400)
                .body("errors[0].pointer", equalTo(pointer));
    }

    @Test
    void onlyAdminsManageKeys() {
        for (Role role : new Role[] {Role.READ, Role.SUBMIT}) {
            String key = key(role);
            jsonAs(key, Examples.text("key.json")).post(KEYS).then().statusCode(403);
            as(key).get(KEYS).then().statusCode(403);
            as(key).delete(KEYS + "/0123456789abcdef").then().statusCode(403);
        }
        api().get(KEYS).then().statusCode(401);
    }

    @Test
    void theExamplesOfRefusalsAreReal() {
        assertThat(JsonMapper.shared().readTree(api().get(KEYS).asString()))
                .isEqualTo(JsonMapper.shared().readTree(ProblemExamples.KEY_NEEDED));
        assertThat(JsonMapper.shared()
                        .readTree(jsonAs(key("ann", Role.READ), PREFILL)
                                .post(OPTIMIZATIONS)
                                .asString()))
                .isEqualTo(JsonMapper.shared().readTree(ProblemExamples.ROLE_NEEDED));
    }

    @Test
    void answersKeepTheirSchemas() {
        ApiDescription description = ApiDescription.of(api().get("/v3/api-docs").asString());
        String admin = key(Role.ADMIN);
        String made = jsonAs(admin, Examples.text("key.json")).post(KEYS).asString();

        assertThat(description.violations("Key", made)).isEmpty();
        assertThat(description.violations("KeyList", as(admin).get(KEYS).asString()))
                .isEmpty();
        assertThat(description.violations("KeyRequest", Examples.text("key.json")))
                .isEmpty();
        assertThat(WireFormat.name(Role.ADMIN)).isEqualTo("admin");
    }
}
