package io.throughputoptimizer.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Response;
import com.microsoft.playwright.Route;
import io.throughputoptimizer.fixture.EveryNight;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What a planner sees while a search runs.
@EveryNight
class DashboardProgressIT extends HeldSearchTest {
    private static final String STREAM = "**/events";
    private static final String ASKED = "fetch GET ";
    private static final String FOLLOWED = "eventsource GET /events";

    @Test
    void progressComesOverOneStreamUntilTheResultTakesItsPlace() {
        try (Visit visit = visit()) {
            String id = runHeld(visit, "Prefill instances");
            passes().holdAfter(30);

            assertThat(progress(visit)).containsText(" of 4 layouts searched, 35 batch sizes tried");
            assertThat(badge(visit)).hasText("running");
            assertThat(visit.requestsAbout(id)).containsExactly(ASKED, FOLLOWED);
            passes().release();
            assertThat(visit.bestInWords()).containsText("120,457 tokens/s");
            assertThat(badge(visit)).hasText("succeeded");
            assertThat(visit.page().locator("#announcer")).hasText("The job has succeeded");
            assertThat(visit.requestsAbout(id))
                    .filteredOn(request -> !request.contains("/launch"))
                    .containsExactly(ASKED, FOLLOWED, ASKED);
        }
    }

    @Test
    void aRunningSearchIsFollowedAgainAfterAReload() {
        try (Visit visit = visit()) {
            runHeld(visit, "Prefill instances");
            visit.page().reload();

            assertThat(progress(visit)).hasText("0 of 4 layouts searched, 5 batch sizes tried");
            passes().release();
            assertThat(visit.bestInWords()).containsText("120,457 tokens/s");
        }
    }

    @Test
    void aRunningSearchCanBeCancelledAndRunAgain() {
        try (Visit visit = visit()) {
            String id = runHeld(visit, "Prefill instances");
            Response answer = visit.page()
                    .waitForResponse(
                            response -> response.url().endsWith(id + "/cancel"),
                            () -> visit.button("Cancel").click());

            assertThat(answer.status()).isEqualTo(202);
            assertThat(visit.button("Cancel")).isDisabled();
            assertThat(visit.page().getByText("Canceling after the current batch size"))
                    .isVisible();
            passes().release();
            assertThat(badge(visit)).hasText("cancelled");
            assertThat(visit.page().getByText("The job was canceled before it had a result."))
                    .isVisible();
            visit.button("Rerun").click();
            assertThat(visit.bestInWords()).containsText("120,457 tokens/s");
            assertThat(visit.shownJob()).isNotEqualTo(id);
        }
    }

    @Test
    void aSearchThatHasFinishedUnnoticedStaysWithItsResult() {
        try (Visit visit = visit()) {
            List<Route> held = new ArrayList<>();
            visit.page().route(STREAM, held::add);
            String id = startHeld(visit, "Prefill instances");
            passes().release();
            visit.get("/api/v1/optimizations/" + id + "/events", "text/event-stream");
            visit.button("Cancel").click();

            assertThat(visit.page().getByText("The search has already finished."))
                    .isVisible();
            held.getFirst().resume();
            assertThat(visit.bestInWords()).containsText("120,457 tokens/s");
            assertThat(visit.requestsAbout(id)).noneMatch(request -> request.contains("DELETE"));
        }
    }

    @Test
    void aRefusedStreamIsSaidAndTriedAgain() {
        try (Visit visit = visit().expectRefusal()) {
            List<Route> streams = new ArrayList<>();
            visit.page().route(STREAM, streams::add);
            startHeld(visit, "Prefill instances");
            visit.page().waitForCondition(() -> !streams.isEmpty());
            streams.getFirst().fulfill(new Route.FulfillOptions().setStatus(503));
            Locator lost = visit.page().getByText("Connection lost. Reconnecting…");

            assertThat(lost).isVisible();
            visit.page().waitForCondition(() -> streams.size() == 2);
            streams.getLast().resume();
            assertThat(lost).not().isVisible();
            passes().holdAfter(30);
            assertThat(progress(visit)).containsText(" of 4 layouts searched, 35 batch sizes tried");
        }
    }

    @Test
    void aStreamThatEndsTooSoonIsTakenUpAgain() {
        try (Visit visit = visit()) {
            visit.page()
                    .route(
                            STREAM,
                            route -> route.fulfill(new Route.FulfillOptions()
                                    .setContentType("text/event-stream")
                                    .setBody("retry: 1\n\n")),
                            new Page.RouteOptions().setTimes(1));
            String id = runHeld(visit, "Prefill instances");
            passes().holdAfter(30);

            assertThat(progress(visit)).containsText(" of 4 layouts searched, 35 batch sizes tried");
            assertThat(visit.requestsAbout(id)).containsExactly(ASKED, FOLLOWED, FOLLOWED);
        }
    }

    @Test
    void leavingThePageEndsTheStream() {
        try (Visit visit = visit()) {
            runHeld(visit, "Prefill instances");
            visit.link("New plan").click();

            visit.awaitAbandoned("eventsource");
            assertThat(visit.page().locator("#plan")).isVisible();
        }
    }

    @Test
    void theListOfJobsFollowsARunningSearch() {
        try (Visit visit = visit()) {
            String id = runHeld(visit, "Decode instances");
            visit.link("Jobs").click();
            Locator listed = visit.page()
                    .locator(".jobs li:has(a[href='#/jobs/" + id + "'])")
                    .locator(".badge");

            assertThat(listed).hasText("running");
            passes().release();
            assertThat(listed).hasText("succeeded");
        }
    }
}
