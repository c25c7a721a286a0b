package io.throughputoptimizer.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.fixture.EveryNight;
import io.throughputoptimizer.fixture.GatedSearch;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.context.TestPropertySource;

/// What an operator looks at first.
@GatedSearches
@TestPropertySource(
        properties = {
            "optimizer.jobs.workers=1",
            "optimizer.jobs.queue-capacity=3",
            "optimizer.jobs.timeout=12s",
            "optimizer.http.maximum-body=1KB"
        })
@EveryNight
class JobMetricsIT extends HttpTest {
    private static final String WAITING = "optimizer_jobs_waiting";
    private static final String OLDEST = "optimizer_jobs_oldest_waiting_seconds";
    private static final String RUNNING = "optimizer_jobs_running";
    private static final String QUEUE_FULL = "optimizer_jobs_refused_total{reason=\"queue-full\"}";
    private static final String SUCCEEDED = "optimizer_jobs_finished_total{status=\"succeeded\"}";
    private static final String CANCELLED = "optimizer_jobs_finished_total{status=\"cancelled\"}";
    private static final String STREAMS = "optimizer_events_streams";
    private static final String KIND = "cost_model=\"analytic\",%smode=\"disaggregation\"";
    private static final String ACTIVE = "optimizer_search_active_seconds_gcount{" + KIND.formatted("") + "}";
    private static final String FAILED = "optimizer_jobs_finished_total{status=\"failed\"}";

    @Autowired
    private GatedSearch search;

    @Test
    void theQueueIsSeenFromItsFirstJobToItsLast() throws Exception {
        assertThat(metric(WAITING)).isZero();
        assertThat(metric(OLDEST)).isZero();
        assertThat(metric(RUNNING)).isZero();
        assertThat(metric(QUEUE_FULL)).isZero();
        assertThat(metric(STREAMS)).isZero();

        String first = submit();
        search.awaitStart();
        Thread follower = follow(first);
        await(STREAMS, 1);
        assertThat(metric(ACTIVE)).isEqualTo(1);
        submit();
        String last = submit();
        json(PREFILL).post(OPTIMIZATIONS).then().statusCode(429);
        while (metric(OLDEST) < 0.2) {
            Thread.sleep(50);
        }

        assertThat(metric(RUNNING)).isEqualTo(1);
        assertThat(metric(WAITING)).isEqualTo(2);
        assertThat(metric(OLDEST)).isGreaterThan(0.2);
        assertThat(metric(QUEUE_FULL)).isEqualTo(1);

        api().post(OPTIMIZATIONS + "/" + last + "/cancel").then().statusCode(202);
        search.release();
        follower.join();
        await(STREAMS, 0);
        search.awaitStart();
        await(FAILED, 1);

        assertThat(metric(SUCCEEDED)).isEqualTo(1);
        assertThat(metric(CANCELLED)).isEqualTo(1);
        assertThat(metric("optimizer_jobs_failed_total{problem=\"timed-out\"}")).isEqualTo(1);
        await(RUNNING, 0);
        assertThat(metric("optimizer_search_points_total")).isEqualTo(2);
        assertThat(searches("count", "succeeded", "")).isEqualTo(1);
        assertThat(searches("bucket", "succeeded", ",le=\"600.0\"")).isEqualTo(1);
        assertThat(searches("bucket", "failed", ",le=\"1.0\"")).isZero();
        assertThat(searches("count", "failed", "")).isEqualTo(1);
        assertThat(metric(WAITING)).isZero();
        assertThat(metric(OLDEST)).isZero();
    }

    @Test
    void refusalsAreCountedByTheirReason() {
        json("{}").post(OPTIMIZATIONS).then().statusCode(400);
        json("{}").post("/api/v1/estimates").then().statusCode(400);
        json(" ".repeat(2000)).post(OPTIMIZATIONS).then().statusCode(413);
        api().contentType("text/csv").body("x").post(OPTIMIZATIONS).then().statusCode(415);

        assertThat(refused("invalid-request")).isEqualTo(1);
        assertThat(refused("body-too-large")).isEqualTo(1);
        assertThat(refused("unsupported-media-type")).isEqualTo(1);
    }

    private String submit() {
        return json(PREFILL)
                .post(OPTIMIZATIONS)
                .then()
                .statusCode(202)
                .extract()
                .path("id");
    }

    private Thread follow(String id) {
        return Thread.ofVirtual()
                .start(() -> api().accept("text/event-stream")
                        .get(OPTIMIZATIONS + "/" + id + "/events")
                        .then()
                        .statusCode(200));
    }

    /// Searches by how they ended.
    private double searches(String series, String outcome, String bucket) {
        return metric("optimizer_search_seconds_" + series + "{" + KIND.formatted("error=\"none\",") + ",outcome=\""
                + outcome + "\"" + bucket + "}");
    }

    private double refused(String reason) {
        return metric("optimizer_jobs_refused_total{reason=\"" + reason + "\"}");
    }

    private void await(String name, double value) throws InterruptedException {
        while (metric(name) != value) {
            Thread.sleep(50);
        }
    }

    private double metric(String name) {
        String metrics = api().get("/actuator/prometheus")
                .then()
                .statusCode(200)
                .extract()
                .asString();
        Matcher line = Pattern.compile("^" + Pattern.quote(name) + " (\\S+)$", Pattern.MULTILINE)
                .matcher(metrics);
        assertThat(line.find()).as(name).isTrue();
        return Double.parseDouble(line.group(1));
    }
}
