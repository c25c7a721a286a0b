package io.throughputoptimizer.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.test.context.TestPropertySource;

/// Two callers of a service: one takes all it can have of each kind of place, and the other is never refused.
@TestPropertySource(
        properties = {
            "optimizer.jobs.workers=1",
            "optimizer.jobs.queue-capacity=5",
            "optimizer.http.maximum-waiting=5",
            "optimizer.http.maximum-wait=30s",
            "server.tomcat.connection-timeout=1h",
            "optimizer.http.keep-alive=200ms",
            "optimizer.security.requests-per-minute=0"
        })
@Timeout(300)
abstract class SharedPlacesContract extends TwoCallersTest {
    private static final String TRACE = "/api/v1/length-distributions/from-trace";
    private static final String ESTIMATE = """
            {"model_id": "Qwen/Qwen3-8B", "device": "TEST_DEVICE",
             "pass": {"phase": "decode", "concurrency": 1, "query_len": 1, "seq_len": 100}}""";

    private static final int FOUR_FIFTHS = 4;
    private static final int LOOKED_UP_AT_ONCE = 3;
    /// Simulations asked for at once: many more than may wait. However fast they are worked off, more are asked
    /// for until one is refused.
    private static final int MORE_THAN_WAIT = 300;

    private static final int MANY_WAVES = 100;

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
        assertThat(retryAfter(answer)).isPositive();
        assertThat(post(other, PREFILL).statusCode()).isEqualTo(202);
    }

    /// Entries are looked up some at a time, so that as many of those before may still have their turn.
    @Test
    void workers() throws Exception {
        submitAndAwaitStart();
        for (int waiting = 0; waiting < FOUR_FIFTHS; waiting++) {
            assertThat(post(greedy, PREFILL).statusCode()).isEqualTo(202);
        }
        HttpResponse<String> submitted = post(other, PREFILL);
        assertThat(submitted.statusCode()).as(submitted.body()).isEqualTo(202);
        HttpRequest.Builder others =
                request(submitted.headers().firstValue("Location").orElseThrow());
        int turns = 0;
        do {
            search.release();
            search.awaitStart();
            turns++;
        } while (other.send(others).body().contains("\"queued\""));

        assertThat(turns).isLessThanOrEqualTo(LOOKED_UP_AT_ONCE + 1);
    }

    @Test
    void simulations() throws Exception {
        BlockingQueue<HttpResponse<String>> refusals = new LinkedBlockingQueue<>();
        Semaphore unanswered = new Semaphore(MORE_THAN_WAIT);
        while (refusals.isEmpty()) {
            unanswered.acquire();
            CompletableFuture<Void> _ = greedy.sendLater(simulation(MANY_WAVES))
                    .whenComplete((_, _) -> unanswered.release())
                    .thenAccept(answer -> {
                        if (answer.statusCode() != 200) {
                            refusals.add(answer);
                        }
                    });
        }
        HttpResponse<String> refused = refusals.take();
        assertThat(refused.statusCode()).isEqualTo(429);
        assertThat(refused.body()).contains("simulations-busy");
        assertThat(retryAfter(refused)).isPositive();

        HttpResponse<String> others = other.send(simulation(1));
        assertThat(others.statusCode()).as(others.body()).isEqualTo(200);
        assertThat(other.send(request("/actuator/health")).statusCode()).isEqualTo(200);
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
        assertThat(retryAfter(answer)).isPositive();
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
        HttpRequest.Builder wait = posted(OPTIMIZATIONS, PREFILL)
                .header("Prefer", "wait=30")
                .header("Idempotency-Key", UUID.randomUUID().toString());
        while (waiting.size() <= FOUR_FIFTHS) {
            waiting.add(greedy.sendLater(wait));
        }
        HttpResponse<String> unfinished = first(waiting);
        assertThat(unfinished.statusCode()).isEqualTo(202);
        assertThat(unfinished.headers().firstValue("Preference-Applied")).isEmpty();

        CompletableFuture<HttpResponse<String>> others = other.sendLater(wait);
        waiting.add(others);
        while (!waiting.stream().allMatch(CompletableFuture::isDone)) {
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
                    + lines(greedy.headers()) + "Content-Length: 14\r\n\r\n100,10\n");
            drips.add(drip);
            answers.add(CompletableFuture.supplyAsync(() -> line(drip), Executors.newVirtualThreadPerTaskExecutor()));
        }
        assertThat(first(answers)).contains("429");

        HttpResponse<String> whole = other.send(
                request(TRACE).header("Content-Type", "text/csv").POST(BodyPublishers.ofString("100,10\n200,20\n")));
        assertThat(whole.statusCode()).as(whole.body()).isEqualTo(200);
        assertThat(other.send(request("/actuator/health")).statusCode()).isEqualTo(200);
        assertThat(post(other, PREFILL).statusCode()).isEqualTo(202);
        assertThat(other.send(posted("/api/v1/estimates", ESTIMATE)).statusCode())
                .isEqualTo(200);
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

    private static String lines(Map<String, String> headers) {
        StringBuilder lines = new StringBuilder();
        headers.forEach(
                (name, value) -> lines.append(name).append(": ").append(value).append("\r\n"));
        return lines.toString();
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
}
