package io.throughputoptimizer.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.fixture.EveryNight;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.test.context.TestPropertySource;

/// One caller who asks without end, and keeps nothing, takes neither threads nor jobs from another.
@TestPropertySource(
        properties = {
            "optimizer.jobs.workers=2",
            "optimizer.jobs.prompt-time=10s",
            "optimizer.http.maximum-waiting=10",
            "optimizer.security.requests-per-minute=0"
        })
@Timeout(300)
@EveryNight
class UnstoredSharesIT extends TwoCallersTest {
    private static final int FOUR_FIFTHS = 8;
    private int addresses;

    @Override
    Someone newcomer() {
        addresses++;
        return Someone.of("127.0.0." + addresses, Map.of());
    }

    @Test
    void anotherIsAnsweredAndItsJobsRun() throws Exception {
        List<CompletableFuture<HttpResponse<String>>> typed = new ArrayList<>();
        for (int question = 0; question <= FOUR_FIFTHS; question++) {
            typed.add(greedy.sendLater(unstored("wait=60")));
        }
        CompletableFuture.anyOf(typed.toArray(CompletableFuture[]::new)).join();
        HttpResponse<String> refused = typed.stream()
                .filter(CompletableFuture::isDone)
                .findFirst()
                .orElseThrow()
                .join();
        assertThat(refused.statusCode()).as(refused.body()).isEqualTo(429);
        assertThat(refused.body()).contains("searches-busy");
        assertThat(retryAfter(refused)).isPositive();

        search.awaitStart(); // of the greedy caller, who leaves the other thread free
        CompletableFuture<HttpResponse<String>> answered = other.sendLater(unstored("wait=60"));
        search.awaitStart();
        assertThat(post(other, PREFILL).statusCode()).isEqualTo(202);
        search.awaitStart(); // a worker is free for the job

        typed.add(answered);
        while (!typed.stream().allMatch(CompletableFuture::isDone)) {
            search.release();
            Thread.sleep(20);
        }
        assertThat(answered.get().statusCode()).as(answered.get().body()).isEqualTo(200);
        assertThat(typed.stream().filter(question -> question.join().statusCode() == 200))
                .hasSize(FOUR_FIFTHS + 1);
    }

    @Test
    void aSearchWhoseTimeIsOverIsToBeSavedAndLeavesItsThread() throws Exception {
        for (int question = 0; question < FOUR_FIFTHS; question++) {
            HttpResponse<String> late = greedy.send(unstored("wait=1"));

            assertThat(late.statusCode()).isEqualTo(422);
            assertThat(late.body()).contains("too-large-to-answer", "did not end within the 1 s", "Submit a job");
        }
    }

    private HttpRequest.Builder unstored(String preference) {
        return posted(OPTIMIZATIONS + "?store=false", PREFILL).header("Prefer", preference);
    }
}
