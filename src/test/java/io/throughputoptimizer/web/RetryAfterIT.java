package io.throughputoptimizer.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.fixture.EveryNight;
import java.io.InputStream;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.test.context.TestPropertySource;

/// Whoever is turned away is told the truth: as many seconds later it is served, where the load is what it is told to
/// be.
@TestPropertySource(
        properties = {
            "optimizer.jobs.workers=1",
            "optimizer.jobs.queue-capacity=20",
            "optimizer.http.maximum-waiting=5",
            "optimizer.http.keep-alive=700ms",
            "optimizer.http.retry-after=1s",
            "server.tomcat.connection-timeout=1h"
        })
@Timeout(300)
@EveryNight
class RetryAfterIT extends TwoCallersTest {
    private static final String TRACE = "/api/v1/length-distributions/from-trace";
    private static final int SECONDS_OF_A_JOB = 30;

    /// More than simulations have places.
    private static final int MORE_THAN_WAIT = 300;

    private static int addresses;

    @Autowired
    private JdbcClient database;

    @Override
    Someone newcomer() {
        addresses++;
        return Someone.of("127.0.1." + addresses, Map.of());
    }

    /// Of twenty places sixteen are one caller's and three the other's: one more of the first has room once two of its
    /// own have moved on, and two of the other's meanwhile.
    @Test
    void aQueueHasAPlaceOnceSoManyJobsHaveEndedAsTakeSoLong() throws Exception {
        submitAndAwaitStart();
        search.release();
        submitAndAwaitStart();
        database.sql("UPDATE optimization_job SET started_at = DATEADD(SECOND, :seconds, finished_at)"
                        + " WHERE status = 'succeeded'")
                .param("seconds", -SECONDS_OF_A_JOB)
                .update();
        assertThat(fill(greedy)).isEqualTo(16);
        assertThat(fill(other)).isEqualTo(3);

        HttpResponse<String> refused = post(greedy, PREFILL);
        assertThat(refused.statusCode()).isEqualTo(429);
        long jobs = retryAfter(refused) / SECONDS_OF_A_JOB;
        for (int ended = 0; ended < jobs; ended++) {
            search.release();
            search.awaitStart();
        }
        assertThat(jobs).isEqualTo(4);
        assertThat(post(greedy, PREFILL).statusCode()).isEqualTo(202);
    }

    private int fill(Someone caller) throws Exception {
        int taken = 0;
        while (post(caller, PREFILL).statusCode() == 202) {
            taken++;
        }
        return taken;
    }

    @Test
    void aStreamHasAPlaceOnceThoseWhoLeftAreMissed() throws Exception {
        String job = submitAndAwaitStart();
        List<InputStream> streams = new ArrayList<>();
        HttpResponse<InputStream> answer = follow(greedy, job);
        while (answer.statusCode() == 200) {
            streams.add(answer.body());
            answer = follow(greedy, job);
        }
        for (InputStream stream : streams) {
            stream.close();
        }

        TimeUnit.SECONDS.sleep(retryAfter(answer));
        HttpResponse<InputStream> again = follow(greedy, job);
        assertThat(again.statusCode()).isEqualTo(200);
        search.release();
        again.body().readAllBytes();
    }

    /// How long simulations take nobody tells: who comes when told finds a place at last.
    @Test
    void aSimulationHasAPlaceOnceOneHasEnded() throws Exception {
        Semaphore unanswered = new Semaphore(MORE_THAN_WAIT);
        AtomicBoolean refused = new AtomicBoolean();
        while (!refused.get()) {
            unanswered.acquire();
            CompletableFuture<?> _ = greedy.sendLater(simulation(300)).whenComplete((answer, _) -> {
                refused.compareAndSet(false, answer != null && answer.statusCode() == 429);
                unanswered.release();
            });
        }

        HttpResponse<String> last = greedy.send(simulation(1));
        while (last.statusCode() == 429) {
            TimeUnit.SECONDS.sleep(retryAfter(last));
            last = greedy.send(simulation(1));
        }
        assertThat(last.statusCode()).as(last.body()).isEqualTo(200);
    }

    @Test
    void aTraceHasAPlaceOnceOthersHaveArrived() throws Exception {
        List<RawExchange> drips = new ArrayList<>();
        Someone same = Someone.of("127.0.0.1", Map.of());
        HttpRequest.Builder whole =
                request(TRACE).header("Content-Type", "text/csv").POST(BodyPublishers.ofString("100,10\n200,20\n"));
        HttpResponse<String> refused = same.send(whole);
        while (refused.statusCode() == 200) {
            // The whole one may have had the place of the one before.
            RawExchange drip = new RawExchange(port);
            drip.send("POST " + TRACE + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/csv\r\n"
                    + "Content-Length: 14\r\n\r\n100,10\n");
            drips.add(drip);
            refused = same.send(whole);
        }
        assertThat(refused.body()).contains("traces-busy");
        for (RawExchange drip : drips) {
            drip.send("200,20\n");
        }

        TimeUnit.SECONDS.sleep(retryAfter(refused));
        assertThat(same.send(whole).statusCode()).isEqualTo(200);
        for (RawExchange drip : drips) {
            drip.close();
        }
    }
}
