package io.throughputoptimizer.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.api.key.Role;
import io.throughputoptimizer.fixture.EveryNight;
import io.throughputoptimizer.fixture.GatedSearch;
import java.io.IOException;
import java.time.Duration;
import java.util.EnumSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.context.TestPropertySource;

/// Who follows no longer, or may not any more, holds no place of a stream. A silent stream says so seldom here that
/// nothing else can end it.
@TestPropertySource(properties = {"optimizer.security.maximum-streams=1", "optimizer.http.keep-alive=1h"})
@GatedSearches
@Timeout(600)
@EveryNight
class StreamEndIT extends SecuredTest {

    @Autowired
    private GatedSearch search;

    @LocalServerPort
    private int port;

    @Test
    void aHeadOfAStreamTakesNoPlace() throws IOException {
        String key = key(Role.SUBMIT);
        String events = submit(key) + "/events";
        for (int time = 0; time < 3; time++) {
            as(key).head(events).then().statusCode(200).header("Content-Type", "text/event-stream");
        }

        try (RawExchange stream = follow(key, events)) {
            assertThat(stream.line()).startsWith("HTTP/1.1 200");
            as(key).head(events.replace("-", "0")).then().statusCode(404);
        }
    }

    @Test
    void aStreamEndsSoonAfterItsKeyIsRevokedOrExpiresHoweverSeldomItSpeaks() throws IOException {
        String revoked = key(Role.READ);
        String events = submit(key(Role.SUBMIT)) + "/events";
        String expiring = keys().create(freshName(), EnumSet.of(Role.READ), Duration.ofSeconds(15))
                .key()
                .reveal();
        try (RawExchange first = follow(revoked, events);
                RawExchange second = follow(expiring, events)) {
            assertThat(first.line()).startsWith("HTTP/1.1 200");
            assertThat(second.line()).startsWith("HTTP/1.1 200");
            keys().revoke(revoked.substring(4, 20));

            assertThat(first.rest()).contains("event:progress").doesNotContain("event:finished");
            assertThat(second.rest()).contains("event:progress").doesNotContain("event:finished");
        }
        as(revoked).get(events).then().statusCode(401);
        as(expiring).get(events).then().statusCode(401);
    }

    private String submit(String key) {
        String path = jsonAs(key, PREFILL)
                .post(OPTIMIZATIONS)
                .then()
                .statusCode(202)
                .extract()
                .header("Location");
        search.awaitStart();
        return path;
    }

    private RawExchange follow(String key, String events) throws IOException {
        RawExchange stream = new RawExchange(port);
        stream.send("GET " + events + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Bearer "
                + key + "\r\n\r\n");
        return stream;
    }
}
