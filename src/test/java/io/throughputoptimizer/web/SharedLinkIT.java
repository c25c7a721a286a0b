package io.throughputoptimizer.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.endsWith;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasKey;
import static org.hamcrest.Matchers.matchesPattern;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.nullValue;

import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;
import io.restassured.response.ValidatableResponse;
import io.throughputoptimizer.api.key.Role;
import io.throughputoptimizer.security.ShareLinks;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.test.context.TestPropertySource;

/// A link shows one job to whoever has it, until it ends or is revoked, and opens nothing else.
@TestPropertySource(properties = "optimizer.security.requests-per-minute=0")
class SharedLinkIT extends SecuredTest {
    private static final String SHARED = "/api/v1/share";

    @Autowired
    private JdbcClient jdbc;

    private String ann = "";
    private String job = "";

    @BeforeEach
    void finish() {
        ann = key(Role.SUBMIT);
        job = submit(ann, PREFILL);
    }

    @Test
    void whoHasTheLinkReadsTheAnswerWithoutAKey() {
        JsonPath link = share(job, "{\"expires_in_days\": 7}").extract().jsonPath();
        JsonPath own = as(ann).get(job).jsonPath();

        JsonPath shown = open(link.getString("token"))
                .then()
                .statusCode(200)
                .header("Cache-Control", containsString("no-store"))
                .body("optimization", not(hasKey("id")))
                .extract()
                .jsonPath();
        assertThat(shown.getMap("optimization.result")).isEqualTo(own.getMap("result"));
        assertThat(shown.getMap("optimization.request")).isEqualTo(own.getMap("request"));
        assertThat(shown.getString("expires_at")).isEqualTo(link.getString("expires_at"));
        assertThat(Duration.between(
                        Instant.parse(link.getString("created_at")), Instant.parse(link.getString("expires_at"))))
                .isEqualTo(Duration.ofDays(7));
        assertThat(link.getString("path")).isEqualTo("/#/s/" + link.getString("token"));
        assertThat(shown.prettify()).doesNotContain(job.substring(job.lastIndexOf('/') + 1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"application/json", "text/csv", "text/plain"})
    void itsResultIsExportedAsTheOwnersIs(String mediaType) {
        String token = token(job);

        String exported = api().accept(mediaType)
                .header("Share-Token", token)
                .get(SHARED + "/result?include=all")
                .then()
                .statusCode(200)
                .extract()
                .asString();
        assertThat(exported)
                .isEqualTo(as(ann).accept(mediaType)
                        .get(job + "/result?include=all")
                        .asString());
    }

    @Test
    void aLinkShowsItsOwnJobAlone() {
        String other = submit(ann, PREFILL.replace("1000", "1001"));
        String token = token(other);

        open(token).then().statusCode(200).body("optimization.request.workload.input_length", equalTo(1001));
        for (String path : List.of(job, other, job + "/result", other + "/shares", OPTIMIZATIONS, "/api/v1/devices")) {
            api().header("Share-Token", token).get(path).then().statusCode(401);
            api().header("Authorization", "Bearer " + token).get(path).then().statusCode(401);
        }
        api().header("Share-Token", token)
                .get(SHARED + "?id=" + job.substring(job.lastIndexOf('/') + 1))
                .then()
                .statusCode(400);
        api().header("Share-Token", token).get(SHARED + job).then().statusCode(401);
    }

    @Test
    void nothingIsWrittenThroughALink() {
        String token = token(job);

        for (String path : List.of(SHARED, SHARED + "/result")) {
            for (String method : List.of("POST", "PUT", "PATCH", "DELETE")) {
                json("{}")
                        .header("Share-Token", token)
                        .request(method, path)
                        .then()
                        .statusCode(405);
            }
        }
        json(PREFILL).header("Share-Token", token).post(OPTIMIZATIONS).then().statusCode(401);
        json("{}").header("Share-Token", token).post(job + "/shares").then().statusCode(401);
        api().header("Share-Token", token).delete(job).then().statusCode(401);
        as(ann).get(job).then().statusCode(200);
    }

    /// In status, headers and body, so that nobody learns from an answer what there is.
    @Test
    void whatShowsNothingIsAnsweredAlike() {
        String ended = token(job);
        jdbc.sql("UPDATE optimization_share SET expires_at = :past WHERE id = :id")
                .param("past", Instant.now().minusSeconds(1).atOffset(ZoneOffset.UTC))
                .param("id", ended.substring(4, 20))
                .update();
        String revoked = token(job);
        as(ann).delete(job + "/shares/" + revoked.substring(4, 20)).then().statusCode(204);
        String live = token(job);
        String removed = token(submit(ann, PREFILL.replace("1000", "1002")));
        as(ann).delete(jobOf(removed)).then().statusCode(204);
        String expected = told(open("tps_0123456789abcdef_" + "A".repeat(43)));

        assertThat(expected).contains("404").contains("has expired, was revoked, or its optimization was deleted");
        for (String token : List.of(
                ended,
                revoked,
                removed,
                "",
                "nonsense",
                live.substring(0, 21) + "A".repeat(43),
                live.replace("tps_", "tpo_"),
                live + "A",
                live.toUpperCase(Locale.ROOT),
                ann,
                "tps_' OR '1'='1")) {
            assertThat(told(open(token))).as(token).isEqualTo(expected);
        }
        assertThat(told(api().get(SHARED))).isEqualTo(expected);
        open(live).then().statusCode(200);
    }

    @Test
    void theOwnerListsAndRevokesLinks() {
        String first = token(job);
        String second = token(job);

        as(ann).get(job + "/shares")
                .then()
                .statusCode(200)
                .body("shares.id", equalTo(List.of(first.substring(4, 20), second.substring(4, 20))))
                .body("shares.token", equalTo(Arrays.asList(null, null)))
                .body("shares[0].expires_at", notNullValue());
        as(ann).delete(job + "/shares/" + first.substring(4, 20)).then().statusCode(204);
        as(ann).delete(job + "/shares/" + first.substring(4, 20)).then().statusCode(404);
        as(ann).get(job + "/shares").then().body("shares.id", equalTo(List.of(second.substring(4, 20))));
        open(first).then().statusCode(404);
        open(second).then().statusCode(200);
    }

    @Test
    void aLinkIsRevokedOfItsOwnJobOnly() {
        String bob = key(Role.SUBMIT);
        String his = submit(bob, PREFILL);
        String token = token(job);

        as(bob).delete(his + "/shares/" + token.substring(4, 20)).then().statusCode(404);
        as(bob).delete(job + "/shares/" + token.substring(4, 20)).then().statusCode(404);
        open(token).then().statusCode(200);
    }

    @Test
    void ofATokenOnlyASaltedHashIsKept() {
        String token = token(job);

        List<@Nullable String> stored = jdbc.sql("SELECT id || ' ' || salt || ' ' || hash FROM optimization_share")
                .query(String.class)
                .list();
        assertThat(stored).isNotEmpty().noneMatch(row -> String.valueOf(row).contains(token.substring(21)));
    }

    @Test
    void aJobHasSoManyLinksAndNoMore() {
        for (int made = 0; made < ShareLinks.MOST; made++) {
            share(job, "{}");
        }
        jsonAs(ann, "{}")
                .post(job + "/shares")
                .then()
                .statusCode(409)
                .body("type", endsWith("/too-many-shares"))
                .body("detail", equalTo("The optimization has 20 links, the maximum. Revoke one first."));
    }

    @Test
    void whatHasNoResultIsNotShared() {
        String failed = submit(ann, PREFILL.replace("1000", "1003"));
        jdbc.sql("UPDATE optimization_job SET status = 'cancelled', result = NULL WHERE id = :id")
                .param("id", UUID.fromString(failed.substring(failed.lastIndexOf('/') + 1)))
                .update();

        jsonAs(ann, "{}").post(failed + "/shares").then().statusCode(409).body("type", endsWith("/no-result"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "366", "-1", "1.5", "\"a\""})
    void daysAreCheckedByName(String days) {
        jsonAs(ann, "{\"expires_in_days\": " + days + "}")
                .post(job + "/shares")
                .then()
                .statusCode(400)
                .body("errors[0].pointer", equalTo("/expires_in_days"));
    }

    /// Whether the id exists does not show in what a key of role submit is told about it.
    @Test
    void aRefusedJobSaysWhichRoleWouldSeeIt() {
        String bob = key(Role.SUBMIT);
        String missing = OPTIMIZATIONS + "/" + UUID.randomUUID();

        for (String path : List.of(job, missing)) {
            as(bob).get(path)
                    .then()
                    .statusCode(404)
                    .body(
                            "detail",
                            containsString("that your key can read: role submit reads its own, role read all."));
            api().get(path).then().statusCode(401).body("type", endsWith("/key-needed"));
        }
        as(key(Role.READ)).get(missing).then().body("detail", equalTo("There is no optimization of this id."));
    }

    private String submit(String key, String question) {
        return jsonAs(key, question)
                .header("Prefer", "wait=600")
                .post(OPTIMIZATIONS)
                .then()
                .statusCode(200)
                .extract()
                .header("Location");
    }

    private ValidatableResponse share(String path, String body) {
        return jsonAs(ann, body).post(path + "/shares").then().statusCode(201).body("token", not(nullValue()));
    }

    private String token(String path) {
        return share(path, "{}")
                .body("id", matchesPattern("[0-9a-f]{16}"))
                .extract()
                .path("token");
    }

    private String jobOf(String token) {
        return OPTIMIZATIONS + "/"
                + jdbc.sql("SELECT job_id FROM optimization_share WHERE id = :id")
                        .param("id", token.substring(4, 20))
                        .query(UUID.class)
                        .single();
    }

    private Response open(String token) {
        return api().header("Share-Token", token).get(SHARED);
    }

    private static String told(Response answer) {
        return answer.statusLine()
                + answer.headers().asList().stream()
                        .filter(header -> !header.getName().equals("Date"))
                        .toList()
                + answer.asString();
    }
}
