package io.throughputoptimizer.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.endsWith;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.everyItem;
import static org.hamcrest.Matchers.hasKey;
import static org.hamcrest.Matchers.not;

import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;
import io.throughputoptimizer.fixture.GatedSearch;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.context.TestPropertySource;

/// Jobs from submission to removal, with searches that end when the test says so.
@GatedSearches
@TestPropertySource(
        properties = {
            "optimizer.jobs.workers=1",
            "optimizer.jobs.queue-capacity=4",
            "optimizer.http.maximum-wait=1s",
            "optimizer.http.retry-after=7s"
        })
class JobLifeIT extends HttpTest {

    @Autowired
    private GatedSearch search;

    @AfterEach
    void removeAllJobs() {
        for (String id : ids(api().queryParam("limit", 100).get(OPTIMIZATIONS))) {
            api().post(OPTIMIZATIONS + "/" + id + "/cancel");
            while (api().delete(OPTIMIZATIONS + "/" + id).statusCode() == 409) {
                Thread.onSpinWait();
            }
        }
        search.reset();
    }

    @Test
    void aSubmittedJobIsQueuedThenRunsThenSucceeds() {
        String running = submit();
        search.awaitStart();
        String queued = submit();

        api().get(location(running))
                .then()
                .body("status", equalTo("running"))
                .body("progress.candidates_done", equalTo(1))
                .body("progress.candidates_total", equalTo(4))
                .body("progress.points", equalTo(1))
                .body("$", hasKey("started_at"))
                .body("$", not(hasKey("finished_at")))
                .body("$", not(hasKey("result")));
        api().get(location(queued))
                .then()
                .body("status", equalTo("queued"))
                .body("progress.candidates_done", equalTo(0))
                .body("progress", not(hasKey("candidates_total")))
                .body("$", not(hasKey("started_at")));
        search.release();
        search.awaitStart();
        api().get(location(running))
                .then()
                .body("status", equalTo("succeeded"))
                .body("progress.points", equalTo(1))
                .body("$", hasKey("result"));
    }

    @Test
    void withoutAWaitTheCallerGetsTheQueuedJobAndItsPlace() {
        Response response = json(PREFILL).post(OPTIMIZATIONS);

        response.then()
                .statusCode(202)
                .header("Location", endsWith(response.path("id").toString()));
        assertThat(response.header("Preference-Applied")).isNull();
    }

    @Test
    void aWaitThatIsTooShortEndsWithTheUnfinishedJob() {
        json(PREFILL)
                .header("Prefer", "respond-async, wait=0")
                .post(OPTIMIZATIONS)
                .then()
                .statusCode(202)
                .header("Preference-Applied", "wait=0")
                .body("$", not(hasKey("result")));
    }

    @Test
    void aWaitIsCutToTheConfiguredMaximum() {
        json(PREFILL)
                .header("Prefer", "wait=86400")
                .post(OPTIMIZATIONS)
                .then()
                .statusCode(202)
                .header("Preference-Applied", "wait=1")
                .body("$", not(hasKey("result")));
    }

    @Test
    void aPreferenceThatCannotBeUnderstoodIsIgnored() {
        Response response =
                json(PREFILL).header("Prefer", "wait=soon, handling=strict").post(OPTIMIZATIONS);

        response.then().statusCode(202);
        assertThat(response.header("Preference-Applied")).isNull();
    }

    @Test
    void aFullQueueTurnsCallersAway() {
        submit();
        search.awaitStart();
        IntStream.range(0, 3).forEach(_ -> submit());

        json(PREFILL)
                .post(OPTIMIZATIONS)
                .then()
                .statusCode(429)
                .contentType("application/problem+json")
                .header("Retry-After", "7")
                .body("type", equalTo("/problems/queue-full"))
                .body("status", equalTo(429));
        assertThat(ids(api().get(OPTIMIZATIONS))).hasSize(4);
    }

    @Test
    void theResultOfAnUnfinishedJobIsAConflict() {
        api().get(location(submit()) + "/result")
                .then()
                .statusCode(409)
                .contentType("application/problem+json")
                .body("type", equalTo("/problems/no-result"));
    }

    @Test
    void cancellingAQueuedJobEndsItAtOnceAndFreesItsPlace() {
        submit();
        search.awaitStart();
        List<String> queued = IntStream.range(0, 3).mapToObj(_ -> submit()).toList();

        api().post(location(queued.getFirst()) + "/cancel")
                .then()
                .statusCode(202)
                .body("status", equalTo("cancelled"));

        json(PREFILL).post(OPTIMIZATIONS).then().statusCode(202);
        api().get(location(queued.getFirst()))
                .then()
                .body("status", equalTo("cancelled"))
                .body("$", hasKey("finished_at"))
                .body("$", not(hasKey("started_at")));
    }

    @Test
    void rejectsDeletionOfARunningJobUntilItIsCancelled() throws InterruptedException {
        String id = submit();
        search.awaitStart();

        api().delete(location(id))
                .then()
                .statusCode(409)
                .body("type", equalTo("/problems/still-running"))
                .body("detail", containsString("Cancel it first"));
        api().post(location(id) + "/cancel").then().statusCode(202);

        assertThat(awaitEnd(id)).isEqualTo("cancelled");
        assertThat(search.requests()).isNotEmpty();
    }

    @Test
    void deletingAFinishedJobRemovesIt() throws InterruptedException {
        String id = submit();
        search.release();
        assertThat(awaitEnd(id)).isEqualTo("succeeded");

        api().delete(location(id)).then().statusCode(204);

        api().get(location(id)).then().statusCode(404).contentType("application/problem+json");
        api().delete(location(id)).then().statusCode(404);
    }

    @Test
    void cancellingAQueuedJobEndsItAndMayBeRepeated() {
        submit();
        search.awaitStart();
        String id = submit();

        api().post(location(id) + "/cancel").then().statusCode(202).body("status", equalTo("cancelled"));
        api().post(location(id) + "/cancel").then().statusCode(200).body("status", equalTo("cancelled"));
    }

    @Test
    void cancellingARunningJobEndsIt() throws InterruptedException {
        String id = submit();
        search.awaitStart();

        api().post(location(id) + "/cancel").then().statusCode(202).body("id", equalTo(id));

        assertThat(awaitEnd(id)).isEqualTo("cancelled");
    }

    @Test
    void cancellingAFinishedJobChangesNothingAndSaysSo() throws InterruptedException {
        String id = submit();
        search.release();
        assertThat(awaitEnd(id)).isEqualTo("succeeded");
        String before = api().get(location(id)).asString();

        api().post(location(id) + "/cancel")
                .then()
                .statusCode(200)
                .body("status", equalTo("succeeded"))
                .body("$", not(hasKey("result")));

        assertThat(api().get(location(id)).asString()).isEqualTo(before);
    }

    /// Whoever comes first, the job is still there, ended one way or the other.
    @Test
    void cancellingAJobThatEndsAtTheSameTimeNeverRemovesIt() throws Exception {
        try (ExecutorService canceller = Executors.newSingleThreadExecutor()) {
            for (int round = 0; round < 20; round++) {
                String id = submit();
                search.awaitStart();
                Future<Integer> cancelled = canceller.submit(
                        () -> api().post(location(id) + "/cancel").statusCode());
                search.release();

                assertThat(awaitEnd(id)).isIn("succeeded", "cancelled");
                assertThat(cancelled.get()).isIn(200, 202);
                assertThat(status(id)).isIn("succeeded", "cancelled");
                search.reset();
            }
        }
    }

    @Test
    void unknownIdsAreNotFound() {
        for (String id : List.of(UUID.randomUUID().toString(), "17", "a b")) {
            api().get(OPTIMIZATIONS + "/{id}", id).then().statusCode(404).contentType("application/problem+json");
            api().get(OPTIMIZATIONS + "/{id}/result", id).then().statusCode(404);
            api().delete(OPTIMIZATIONS + "/{id}", id).then().statusCode(404);
            api().post(OPTIMIZATIONS + "/{id}/cancel", id).then().statusCode(404);
        }
    }

    @Test
    void jobsAreListedNewestFirstPageByPage() {
        List<String> newestFirst =
                IntStream.range(0, 4).mapToObj(_ -> submit()).toList().reversed();

        JsonPath first = api().queryParam("limit", 3).get(OPTIMIZATIONS).jsonPath();
        JsonPath second = api().queryParam("limit", 3)
                .queryParam("cursor", first.getString("next_cursor"))
                .get(OPTIMIZATIONS)
                .jsonPath();

        assertThat(first.getList("optimizations.id", String.class)).isEqualTo(newestFirst.subList(0, 3));
        assertThat(second.getList("optimizations.id", String.class)).isEqualTo(newestFirst.subList(3, 4));
        assertThat(second.getMap("")).doesNotContainKey("next_cursor");
    }

    @Test
    void jobsAreListedByStatusAndWithoutResults() throws InterruptedException {
        String finished = submit();
        search.awaitStart();
        search.release();
        awaitEnd(finished);
        String running = submit();
        search.awaitStart();
        String queued = submit();

        assertThat(ids(api().queryParam("status", "succeeded").get(OPTIMIZATIONS)))
                .containsExactly(finished);
        assertThat(ids(api().queryParam("status", "queued").get(OPTIMIZATIONS))).containsExactly(queued);
        assertThat(ids(api().queryParam("status", "running", "queued").get(OPTIMIZATIONS)))
                .containsExactly(queued, running);
        api().get(OPTIMIZATIONS)
                .then()
                .body("optimizations.status", contains("queued", "running", "succeeded"))
                .body("optimizations", everyItem(not(hasKey("result"))));
    }

    @Test
    void wrongListParametersAreNamed() {
        for (String query : List.of("limit=0", "limit=101", "limit=x", "status=done", "cursor=last")) {
            api().get(OPTIMIZATIONS + "?" + query)
                    .then()
                    .statusCode(400)
                    .contentType("application/problem+json")
                    .body("errors.parameter", contains(query.substring(0, query.indexOf('='))));
        }
    }

    @Test
    void theSameKeyWithTheSameBodyGivesTheFirstJob() throws InterruptedException {
        String first = submit("key-1");
        search.release();
        awaitEnd(first);

        String again = submit("key-1");
        String reformatted = json(PREFILL.replace("\n", "").replace(" ", ""))
                .header("Idempotency-Key", "key-1")
                .header("Prefer", "wait=1")
                .post(OPTIMIZATIONS)
                .then()
                .statusCode(200)
                .body("status", equalTo("succeeded"))
                .extract()
                .path("id");

        assertThat(List.of(again, reformatted)).containsOnly(first);
    }

    @Test
    void theSameKeyWithAnotherBodyIsAConflict() {
        submit("key-2");

        json(PREFILL.replace("1000", "1001"))
                .header("Idempotency-Key", "key-2")
                .post(OPTIMIZATIONS)
                .then()
                .statusCode(422)
                .contentType("application/problem+json")
                .body("type", equalTo("/problems/idempotency-key-reused"));
    }

    @Test
    void aKeyIsFreeAgainOnceItsJobIsRemoved() throws InterruptedException {
        String first = submit("key-3");
        search.release();
        awaitEnd(first);
        api().delete(location(first)).then().statusCode(204);

        assertThat(submit("key-3")).isNotEqualTo(first);
    }

    @Test
    void unusableKeysAreRefused() {
        for (String key : List.of("a".repeat(201), "two words")) {
            json(PREFILL)
                    .header("Idempotency-Key", key)
                    .post(OPTIMIZATIONS)
                    .then()
                    .statusCode(400)
                    .body("errors.parameter", contains("Idempotency-Key"));
        }
    }

    @Test
    void concurrentSubmissionsUnderOneKeyMakeOneJob() throws Exception {
        List<Callable<String>> callers = IntStream.range(0, 32)
                .<Callable<String>>mapToObj(_ -> () -> submit("key-4"))
                .toList();
        List<String> ids = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(16)) {
            for (Future<String> id : threads.invokeAll(callers)) {
                ids.add(id.get());
            }
        }

        assertThat(ids).hasSize(32).containsOnly(ids.getFirst());
        assertThat(ids(api().get(OPTIMIZATIONS))).containsExactly(ids.getFirst());
    }

    private String submit() {
        return submit(null);
    }

    private String submit(@Nullable String key) {
        var request = json(PREFILL);
        if (key != null) {
            request.header("Idempotency-Key", key);
        }
        return request.post(OPTIMIZATIONS).then().statusCode(202).extract().path("id");
    }

    private String awaitEnd(String id) throws InterruptedException {
        String status = status(id);
        while (status.equals("queued") || status.equals("running")) {
            Thread.sleep(5);
            status = status(id);
        }
        return status;
    }

    private String status(String id) {
        return api().get(location(id)).then().statusCode(200).extract().path("status");
    }

    private static String location(String id) {
        return OPTIMIZATIONS + "/" + id;
    }

    private static List<String> ids(Response list) {
        return list.then().statusCode(200).extract().jsonPath().getList("optimizations.id", String.class);
    }
}
