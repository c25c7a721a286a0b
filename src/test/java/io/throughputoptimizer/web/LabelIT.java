package io.throughputoptimizer.web;

import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.hasKey;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.not;

import io.restassured.response.ValidatableResponse;
import io.throughputoptimizer.api.key.Role;
import io.throughputoptimizer.fixture.EveryNight;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.test.context.TestPropertySource;

/// Names and stars of jobs, and lists that are searched by them.
@TestPropertySource(properties = "optimizer.security.requests-per-minute=0")
class LabelIT extends SecuredTest {
    private String ann = "";
    private String job = "";

    @BeforeEach
    void finish() {
        ann = key(Role.SUBMIT);
        job = submit(PREFILL);
    }

    private String submit(String question) {
        return jsonAs(ann, question)
                .header("Prefer", "wait=600")
                .post(OPTIMIZATIONS)
                .then()
                .statusCode(200)
                .extract()
                .header("Location");
    }

    private ValidatableResponse label(String body) {
        return jsonAs(ann, body).patch(job).then();
    }

    private ValidatableResponse listed(String query) {
        return as(ann).get(OPTIMIZATIONS + "?" + query).then().statusCode(200);
    }

    @Test
    void whatIsNamedAndMarkedStaysSoUntilItIsTakenBack() {
        as(ann).get(job).then().body("$", not(hasKey("name"))).body("$", not(hasKey("starred")));
        label("{\"name\": \" chat, 2027 聊天 \"}").statusCode(200).body("name", equalTo("chat, 2027 聊天"));
        label("{\"starred\": true}").body("name", equalTo("chat, 2027 聊天")).body("starred", equalTo(true));
        label("{}").body("starred", equalTo(true)).body("$", not(hasKey("result")));

        as(ann).get(job)
                .then()
                .body("name", equalTo("chat, 2027 聊天"))
                .body("starred", equalTo(true))
                .body("$", hasKey("result"));
        label("{\"starred\": false}").body("$", not(hasKey("starred")));
        label("{\"name\": \"\"}").body("$", not(hasKey("name")));
        as(ann).get(job).then().body("$", not(hasKey("name"))).body("$", not(hasKey("starred")));
    }

    @Test
    @EveryNight
    void listsAreSearchedByNameAndModelAndForStars() {
        String other = submit(PREFILL.replace("Qwen3-8B", "Qwen3-32B"));
        label("{\"name\": \"Chat 100% Ünlü_a!\", \"starred\": true}").statusCode(200);
        String id = job.substring(job.lastIndexOf('/') + 1);

        for (String words :
                new String[] {"", "qwen", "QWEN3-8b", "chat", "CHAT qwen3", "100% chat", "ünlü_", "a! 8b"}) {
            as(ann).queryParam("q", words).get(OPTIMIZATIONS).then().body("optimizations.id", hasItem(id));
        }
        for (String words : new String[] {"chat mixtral", "0%c", "h_t", "qwen3-32b chat", "!!", "'", "\\"}) {
            as(ann).queryParam("q", words).get(OPTIMIZATIONS).then().body("optimizations.id", not(hasItem(id)));
        }
        listed("starred=true")
                .body("optimizations.id", contains(id))
                .body("optimizations[0].name", equalTo("Chat 100% Ünlü_a!"));
        listed("starred=true&q=32b").body("optimizations", empty());
        listed("q=qwen&limit=1")
                .body("optimizations", hasSize(1))
                .body("optimizations.id", contains(other.substring(other.lastIndexOf('/') + 1)));
        String cursor = listed("q=qwen&limit=1").extract().path("next_cursor");
        listed("q=qwen&limit=1&cursor=" + cursor).body("optimizations.id", contains(id));
        as(key(Role.SUBMIT)).get(OPTIMIZATIONS + "?q=chat").then().body("optimizations", empty());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"name\": 5}                  | /name",
                "{\"name\": \"a\\nb\"}          | /name",
                "{\"name\": \"a\\u0000\"}       | /name",
                "{\"name\": \"\\u202eb\"}       | /name",
                "{\"name\": [\"a\"]}            | /name",
                "{\"starred\": \"yes\"}         | /starred",
                "{\"starred\": 1}               | /starred",
                "{\"title\": \"a\"}             | /title",
                "[]                             | ''"
            })
    void whatCannotBeIsRefusedByName(String body, String pointer) {
        label(body).statusCode(400).contentType("application/problem+json").body("errors[0].pointer", equalTo(pointer));
        as(ann).get(job).then().body("$", not(hasKey("name")));
    }

    @Test
    void nullsOfAMergePatchRemoveNameAndStar() {
        label("{\"name\": \"a\", \"starred\": true}").statusCode(200);
        label("{\"name\": null, \"starred\": null}").body("name", equalTo("a")).body("starred", equalTo(true));

        as(ann).contentType("application/merge-patch+json")
                .body("{\"name\": null, \"starred\": null}".getBytes(StandardCharsets.UTF_8))
                .patch(job)
                .then()
                .statusCode(200)
                .body("$", not(hasKey("name")))
                .body("$", not(hasKey("starred")));
    }

    @Test
    void namesEndAtTheirLongest() {
        label("{\"name\": \"" + "é".repeat(200) + "\"}").statusCode(200);
        label("{\"name\": \"" + "é".repeat(201) + "\"}").statusCode(400).body("errors[0].pointer", equalTo("/name"));
    }

    @Test
    void aSearchIsBounded() {
        as(ann).get(OPTIMIZATIONS + "?starred=yes")
                .then()
                .statusCode(400)
                .body("detail", containsString("must be true or false"));
        as(ann).queryParam("q", "a ".repeat(50)).get(OPTIMIZATIONS).then().statusCode(200);
        as(ann).queryParam("q", "a".repeat(101)).get(OPTIMIZATIONS).then().statusCode(400);
    }

    /// As for who would delete it.
    @Test
    void othersChangeNothing() {
        jsonAs(key(Role.SUBMIT), "{\"name\": \"b\"}").patch(job).then().statusCode(404);
        jsonAs(key(Role.READ), "{\"name\": \"b\"}").patch(job).then().statusCode(403);
        jsonAs(key(Role.READ, Role.SUBMIT), "{\"name\": \"b\"}")
                .patch(job)
                .then()
                .statusCode(403);
        json("{\"name\": \"b\"}").patch(job).then().statusCode(401);
        jsonAs(key(Role.ADMIN), "{\"name\": \"c\"}").patch(job).then().statusCode(200);
        as(ann).get(job).then().body("name", equalTo("c"));
    }
}
