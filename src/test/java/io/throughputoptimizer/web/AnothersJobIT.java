package io.throughputoptimizer.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.equalTo;

import io.throughputoptimizer.api.key.Role;
import io.throughputoptimizer.fixture.EveryNight;
import io.throughputoptimizer.fixture.GatedSearch;
import io.throughputoptimizer.fixture.RawHttp;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.context.TestPropertySource;

/// To who may not see it, another's job is as one that there is not: in status, headers and body, whatever is asked of
/// it and whether it runs, has ended or was removed.
@TestPropertySource(properties = "optimizer.security.requests-per-minute=0")
@GatedSearches
@EveryNight
class AnothersJobIT extends SecuredTest {
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    @Autowired
    private GatedSearch search;

    @LocalServerPort
    private int port;

    private String mine = "";
    private String others = "";
    private String running = "";
    private String finished = "";

    @BeforeEach
    void twoJobsOfAnother() {
        mine = key(Role.SUBMIT);
        others = key(Role.SUBMIT);
        finished = submit();
        search.awaitStart();
        search.release();
        as(others).get(OPTIMIZATIONS + "/" + finished + "/events").then().statusCode(200);
        running = submit();
        search.awaitStart();
    }

    @AfterEach
    void end() {
        as(others).post(OPTIMIZATIONS + "/" + running + "/cancel").then().statusCode(202);
        as(others).get(OPTIMIZATIONS + "/" + running + "/events").then().statusCode(200);
        search.reset();
    }

    private String submit() {
        return jsonAs(others, PREFILL)
                .post(OPTIMIZATIONS)
                .then()
                .statusCode(202)
                .extract()
                .path("id");
    }

    @ParameterizedTest
    @CsvSource({
        "GET,     '',                               ''",
        "GET,     '?include=all',                   ''",
        "GET,     '?points=nonsense',               ''",
        "HEAD,    '',                               ''",
        "OPTIONS, '',                               ''",
        "DELETE,  '',                               ''",
        "PATCH,   '',                               ''",
        "PUT,     '',                               ''",
        "POST,    '',                               ''",
        "GET,     '',                               'Accept: text/html'",
        "GET,     '',                               'If-None-Match: *'",
        "GET,     '',                               'If-Modified-Since: Thu, 01 Jan 2099 00:00:00 GMT'",
        "GET,     '',                               'Range: bytes=0-0'",
        "GET,     '',                               'Prefer: wait=1'",
        "GET,     '/',                              ''",
        "GET,     ';a=b',                           ''",
        "POST,    '/cancel',                        ''",
        "GET,     '/cancel',                        ''",
        "GET,     '/result',                        'Accept: application/json'",
        "GET,     '/result',                        'Accept: text/csv'",
        "GET,     '/result',                        'Accept: text/plain'",
        "HEAD,    '/result',                        ''",
        "GET,     '/curves',                        'Accept: text/plain'   ",
        "GET,     '/events',                        'Accept: text/event-stream'",
        "GET,     '/events',                        'Last-Event-ID: 1'",
        "HEAD,    '/events',                        ''",
        "GET,     '/launch',                        ''",
        "GET,     '/launch?engine=vllm',            'Accept: text/plain'",
        "GET,     '/launch?engine=nonsense&row=-1', ''",
        "GET,     '/launch/engines',                ''",
        "GET,     '/launch/manifests?engine=vllm',  ''",
        "GET,     '/shares',                        ''",
        "POST,    '/shares',                        ''",
        "DELETE,  '/shares/0123456789abcdef',       ''",
        "GET,     '/nothing',                       ''"
    })
    void isAsOneThatThereIsNot(String method, String part, String header) throws IOException {
        String missing = UUID.randomUUID().toString();
        String expected = answer(mine, method, missing, part, header);

        assertThat(expected).contains("HTTP/1.1 ").doesNotContain("HTTP/1.1 5");
        for (String id : List.of(running, finished)) {
            assertThat(answer(mine, method, id, part, header)).isEqualTo(expected);
            assertThat(answer(mine, method, id.toUpperCase(Locale.ROOT), part, header))
                    .isEqualTo(answer(mine, method, missing.toUpperCase(Locale.ROOT), part, header));
        }
    }

    @Test
    void isAsOneThatThereIsNotOnceItIsRemoved() throws IOException {
        String before = answer(mine, "GET", finished, "", "");

        as(others).delete(OPTIMIZATIONS + "/" + finished).then().statusCode(204);

        assertThat(answer(mine, "GET", finished, "", "")).isEqualTo(before);
        assertThat(answer(others, "GET", finished, "", "")).isEqualTo(before);
    }

    /// Also a page that begins at another's job says nothing of it.
    @Test
    void isInNoList() {
        for (String query : List.of("?limit=100", "?status=running", "?status=succeeded", "?cursor=" + running)) {
            as(mine).get(OPTIMIZATIONS + query).then().statusCode(200).body("optimizations", empty());
        }
    }

    @Test
    void isNotFoundByItsIdempotencyKey() {
        String known = keyed(others, PREFILL);
        search.awaitStart();
        String own = keyed(mine, PREFILL);
        search.awaitStart();

        assertThat(own).isNotEqualTo(known);
        assertThat(keyed(mine, PREFILL)).isEqualTo(own);
        assertThat(keyed(others, PREFILL)).isEqualTo(known);
        jsonAs(mine, PREFILL.replace("2000", "1500"))
                .header("Idempotency-Key", "one")
                .post(OPTIMIZATIONS)
                .then()
                .statusCode(422)
                .body("detail", equalTo(conflict(others)));
        for (String key : List.of(mine, others)) {
            as(key).delete(OPTIMIZATIONS + "/" + (key.equals(mine) ? own : known));
        }
    }

    private String conflict(String key) {
        return jsonAs(key, PREFILL.replace("2000", "1500"))
                .header("Idempotency-Key", "one")
                .post(OPTIMIZATIONS)
                .then()
                .statusCode(422)
                .extract()
                .path("detail");
    }

    private String keyed(String key, String body) {
        return jsonAs(key, body)
                .header("Idempotency-Key", "one")
                .post(OPTIMIZATIONS)
                .then()
                .statusCode(202)
                .extract()
                .path("id");
    }

    /// Everything but the time of day and the id that was asked for.
    private String answer(String key, String method, String id, String part, String header) throws IOException {
        String request = method + " " + OPTIMIZATIONS + "/" + id + part + " HTTP/1.1\r\nHost: localhost\r\n"
                + "Connection: close\r\nAuthorization: Bearer " + key + "\r\n"
                + (header.isEmpty() ? "" : header + "\r\n")
                + (method.startsWith("P") ? "Content-Length: 0\r\n\r\n" : "\r\n");
        RawHttp.Answer answer = new RawHttp(port, PATIENCE).send(request);
        return (answer.head().replaceFirst("\r\nDate: [^\r]*", "") + "\n\n" + answer.body()).replace(id, "ID");
    }
}
