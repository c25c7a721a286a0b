package io.throughputoptimizer.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.fixture.GatedSearch;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.TestPropertySource;
import tools.jackson.databind.json.JsonMapper;

/// A service that asks nobody for a key, called from two addresses: one takes all it can have of each kind of place,
/// and
/// the other is never refused.
@TestPropertySource(
        properties = {
            "optimizer.jobs.workers=1",
            "optimizer.jobs.queue-capacity=5",
            "optimizer.http.maximum-waiting=5",
            "optimizer.http.maximum-wait=30s",
            "optimizer.http.body-timeout=1h",
            "optimizer.http.keep-alive=200ms"
        })
@Import(GatedSearches.class)
class SharedPlacesIT extends HttpTest {
    private static final String TRACE = "/api/v1/length-distributions/from-trace";
    private static final int FOUR_FIFTHS = 4;

    private final HttpClient greedy = from("127.0.0.1");
    private final HttpClient other = from("127.0.0.2");

    @Autowired
    private GatedSearch search;

    @LocalServerPort
    private int port;

    private static HttpClient from(String address) {
        return HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .localAddress(InetAddress.ofLiteral(address))
                .executor(Executors.newVirtualThreadPerTaskExecutor())
                .build();
    }

    @AfterEach
    void endAll() throws Exception {
        for (String path : jobs()) {
            while (status(other, request(path).DELETE()) == 202) {
                Thread.onSpinWait();
            }
        }
        greedy.shutdownNow();
        other.shutdownNow();
        search.reset();
    }

    @Test
    void placesInTheQueue() throws Exception {
        submitAndAwaitStart();
        int taken = 0;
        HttpResponse<String> answer = post(greedy, PREFILL);
        while (answer.statusCode() == 202) {
            taken++;
            answer = post(greedy, PREFILL);
        }

        assertThat(taken).isEqualTo(FOUR_FIFTHS);
        assertThat(answer.statusCode()).isEqualTo(429);
        assertThat(answer.body()).contains("queue-full", "4 of them are this caller's");
        assertThat(post(other, PREFILL).statusCode()).isEqualTo(202);
    }

    @Test
    void eventStreams() throws Exception {
        String path = submitAndAwaitStart();
        List<InputStream> streams = new ArrayList<>();
        HttpResponse<InputStream> answer = follow(greedy, path);
        while (answer.statusCode() == 200) {
            streams.add(answer.body());
            answer = follow(greedy, path);
        }

        assertThat(streams).hasSize(FOUR_FIFTHS);
        assertThat(new String(answer.body().readAllBytes(), StandardCharsets.UTF_8))
                .contains("too-many-streams");
        HttpResponse<InputStream> others = follow(other, path);
        assertThat(others.statusCode()).isEqualTo(200);
        others.body().close();
        for (InputStream stream : streams) {
            stream.close();
        }
    }

    /// Whoever waits with too many requests gets its job at once, not finished.
    @Test
    void requestsThatWait() throws Exception {
        submitAndAwaitStart();
        List<CompletableFuture<HttpResponse<String>>> waiting = new ArrayList<>();
        HttpRequest wait = request(OPTIMIZATIONS)
                .header("Content-Type", "application/json")
                .header("Prefer", "wait=30")
                .header("Idempotency-Key", "one")
                .POST(BodyPublishers.ofString(PREFILL))
                .build();
        while (waiting.size() <= FOUR_FIFTHS) {
            waiting.add(greedy.sendAsync(wait, BodyHandlers.ofString()));
        }
        HttpResponse<String> unfinished = first(waiting);
        assertThat(unfinished.statusCode()).isEqualTo(202);
        assertThat(unfinished.headers().firstValue("Preference-Applied")).isEmpty();

        CompletableFuture<HttpResponse<String>> others = other.sendAsync(wait, BodyHandlers.ofString());
        while (!others.isDone()) {
            search.release();
            Thread.sleep(20);
        }
        assertThat(others.get().statusCode()).isEqualTo(200);
        assertThat(others.get().headers().firstValue("Preference-Applied")).isPresent();
    }

    @Test
    void tracesThatAreRead() throws Exception {
        List<RawExchange> drips = new ArrayList<>();
        List<CompletableFuture<String>> answers = new ArrayList<>();
        while (answers.size() < 9) {
            RawExchange drip = new RawExchange(port);
            drip.send("POST " + TRACE + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/csv\r\n"
                    + "Content-Length: 14\r\n\r\n100,10\n");
            drips.add(drip);
            answers.add(CompletableFuture.supplyAsync(() -> line(drip), Executors.newVirtualThreadPerTaskExecutor()));
        }
        assertThat(first(answers)).contains("429");

        HttpResponse<String> whole = other.send(
                request(TRACE)
                        .header("Content-Type", "text/csv")
                        .POST(BodyPublishers.ofString("100,10\n200,20\n"))
                        .build(),
                BodyHandlers.ofString());
        assertThat(whole.statusCode()).as(whole.body()).isEqualTo(200);
        for (int at = 0; at < drips.size(); at++) {
            if (!answers.get(at).isDone()) {
                drips.get(at).send("200,20\n");
            }
        }
        assertThat(answers.stream().map(CompletableFuture::join))
                .filteredOn(line -> line.contains("200"))
                .hasSize(6);
        for (RawExchange drip : drips) {
            drip.close();
        }
    }

    private static String line(RawExchange exchange) {
        try {
            return exchange.line();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static <T> T first(List<CompletableFuture<T>> answers) {
        CompletableFuture.anyOf(answers.toArray(CompletableFuture[]::new)).join();
        return answers.stream()
                .filter(CompletableFuture::isDone)
                .findFirst()
                .orElseThrow()
                .join();
    }

    private String submitAndAwaitStart() throws Exception {
        HttpResponse<String> submitted = post(greedy, PREFILL);
        search.awaitStart();
        return submitted.headers().firstValue("Location").orElseThrow();
    }

    private HttpResponse<String> post(HttpClient caller, String body) throws Exception {
        return caller.send(
                request(OPTIMIZATIONS)
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofString(body))
                        .build(),
                BodyHandlers.ofString());
    }

    private HttpResponse<InputStream> follow(HttpClient caller, String path) throws Exception {
        return caller.send(request(path + "/events").build(), BodyHandlers.ofInputStream());
    }

    private int status(HttpClient caller, HttpRequest.Builder request) throws Exception {
        return caller.send(request.build(), BodyHandlers.discarding()).statusCode();
    }

    private List<String> jobs() throws Exception {
        String list = other.send(request(OPTIMIZATIONS + "?limit=100").build(), BodyHandlers.ofString())
                .body();
        List<String> paths = new ArrayList<>();
        JsonMapper.shared()
                .readTree(list)
                .required("optimizations")
                .forEach(job ->
                        paths.add(OPTIMIZATIONS + "/" + job.required("id").asString()));
        return paths;
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path));
    }
}
