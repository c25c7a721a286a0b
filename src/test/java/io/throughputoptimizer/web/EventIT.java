package io.throughputoptimizer.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.fixture.GatedSearch;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Iterator;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;

/// Progress as it happens.
@GatedSearches
class EventIT extends HttpTest {

    @Autowired
    private GatedSearch search;

    @LocalServerPort
    private int port;

    @Test
    void aStreamTellsProgressAndTheEnd() throws Exception {
        String id = submit();
        search.awaitStart();
        try (HttpClient http = HttpClient.newHttpClient();
                Stream<String> stream = follow(http, id)) {
            Iterator<String> lines = stream.iterator();
            assertThat(event(lines)).startsWith("event:progress\ndata:{\"id\":\"" + id);
            search.release();

            String last = event(lines);
            while (last.startsWith("event:progress\n")) {
                last = event(lines);
            }
            assertThat(last)
                    .isEqualTo("event:finished\ndata:{\"id\":\"" + id + "\",\"status\":\"succeeded\",\"progress\":"
                            + "{\"candidates_done\":1,\"candidates_total\":4,\"points\":1}}\n");
            assertThat(lines.hasNext()).isFalse();
        }
    }

    @Test
    void theStreamOfAFinishedJobTellsTheEndOnly() throws Exception {
        String id = submit();
        api().post(OPTIMIZATIONS + "/" + id + "/cancel").then().statusCode(202);
        try (HttpClient http = HttpClient.newHttpClient();
                Stream<String> stream = follow(http, id)) {
            List<String> events =
                    stream.filter(line -> line.startsWith("event:")).toList();
            assertThat(events.getLast()).isEqualTo("event:finished");
        }
    }

    @Test
    void anUnknownJobHasNoStream() {
        for (String id : List.of(UUID.randomUUID().toString(), "17")) {
            api().accept("text/event-stream")
                    .get(OPTIMIZATIONS + "/" + id + "/events")
                    .then()
                    .statusCode(404)
                    .contentType("application/problem+json");
        }
    }

    private String submit() {
        return json(PREFILL)
                .post(OPTIMIZATIONS)
                .then()
                .statusCode(202)
                .extract()
                .path("id");
    }

    private Stream<String> follow(HttpClient http, String id) throws Exception {
        URI events = URI.create("http://127.0.0.1:" + port + OPTIMIZATIONS + "/" + id + "/events");
        HttpResponse<Stream<String>> answer =
                http.send(HttpRequest.newBuilder(events).build(), HttpResponse.BodyHandlers.ofLines());
        assertThat(answer.headers().firstValue("Content-Type").orElseThrow()).startsWith("text/event-stream");
        assertThat(answer.headers().firstValue("Cache-Control")).contains("no-store");
        return answer.body();
    }

    /// The lines up to an empty one.
    private static String event(Iterator<String> lines) {
        StringBuilder event = new StringBuilder();
        for (String line = lines.next(); !line.isEmpty(); line = lines.next()) {
            event.append(line).append('\n');
        }
        return event.toString();
    }
}
