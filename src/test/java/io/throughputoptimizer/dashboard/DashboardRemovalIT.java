package io.throughputoptimizer.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Route;
import io.throughputoptimizer.fixture.EveryNight;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// How a job is deleted on the dashboard.
@EveryNight
class DashboardRemovalIT extends BrowserTest {
    /// Nobody waits for the ten seconds.
    private static final String HOLD_THE_END = """
            () => {
              const { setTimeout, clearTimeout } = window;
              window.setTimeout = (act, millis, ...others) => (millis === 10_000 ? (window.later = act) && -1 : setTimeout(act, millis, ...others));
              window.clearTimeout = (timer) => (timer === -1 ? (window.later = undefined) : clearTimeout(timer));
            }""";

    private static final String TEN_SECONDS_LATER = "() => window.later?.()";

    @Test
    void nothingIsDeletedUnasked() {
        try (Visit visit = visit()) {
            String id = visit.askForId(Questions.PREFILL);
            visit.openJob(id);
            delete(visit).click();
            assertThat(question(visit)).hasAccessibleName("Delete this job?");
            assertThat(question(visit))
                    .hasAccessibleDescription(Pattern.compile("Permanently deletes the result for all users.*"));
            assertThat(visit.button("Cancel")).isFocused();
            visit.page().keyboard().press("Enter");
            assertThat(question(visit)).hasCount(0);
            assertThat(delete(visit)).isFocused();
            visit.page().keyboard().press("Enter");
            visit.page().keyboard().press("Escape");
            assertThat(question(visit)).hasCount(0);

            assertThat(visit.get("/api/v1/optimizations/" + id, "application/json")
                            .status())
                    .isEqualTo(200);
            assertThat(visit.requestsAbout(id)).noneMatch(request -> request.contains("DELETE"));
        }
    }

    @Test
    void whoSaysSoDeletesTheJob() {
        try (Visit visit = visit()) {
            String id = visit.askForId(Questions.PREFILL);
            visit.openJob(id);
            visit.page().evaluate(HOLD_THE_END);
            delete(visit).click();
            visit.confirmRemoval();

            assertThat(visit.page()).hasURL(Pattern.compile("#/jobs$"));
            assertThat(question(visit)).hasCount(0);
            assertThat(visit.page().locator("#removals")).containsText("Deleted: Qwen/Qwen3-32B on 8 × TEST_DEVICE");
            assertThat(visit.page().locator("a[href='#/jobs/" + id + "']")).hasCount(0);
            assertThat(status(visit, id)).isEqualTo(200);
            visit.page()
                    .waitForResponse(
                            response -> response.request().method().equals("DELETE"),
                            () -> visit.page().evaluate(TEN_SECONDS_LATER));
            assertThat(visit.page().locator("#removals")).isHidden();
            assertThat(status(visit, id)).isEqualTo(404);
        }
    }

    @Test
    void whatIsUndoneStays() {
        try (Visit visit = visit()) {
            String id = visit.askForId(Questions.PREFILL);
            visit.openJob(id);
            visit.page().evaluate(HOLD_THE_END);
            delete(visit).click();
            visit.confirmRemoval();
            visit.page().locator("#removals button").click();

            assertThat(visit.page()).hasURL(Pattern.compile("#/jobs/" + id + "$"));
            assertThat(visit.page().locator("#removals")).isHidden();
            visit.page().evaluate(TEN_SECONDS_LATER);
            assertThat(status(visit, id)).isEqualTo(200);
            assertThat(visit.requestsAbout(id)).noneMatch(request -> request.contains("DELETE"));
        }
    }

    /// The reader was told that it is deleted.
    @Test
    void whoLeavesThePageHasDeletedIt() {
        try (Visit visit = visit()) {
            String id = visit.askForId(Questions.PREFILL);
            visit.openJob(id);
            delete(visit).click();
            visit.confirmRemoval();
            assertThat(visit.page().locator("#removals")).isVisible();
            visit.page().navigate("about:blank");

            visit.page().waitForCondition(() -> status(visit, id) == 404);
        }
    }

    @Test
    void whatTheServiceKeepsIsSaidToBeThere() {
        try (Visit visit = visit().expectRefusal()) {
            String id = visit.askForId(Questions.PREFILL);
            visit.openJob(id);
            visit.page().evaluate(HOLD_THE_END);
            visit.page()
                    .route(
                            "**/api/v1/optimizations/" + id,
                            route -> route.fulfill(new Route.FulfillOptions()
                                    .setStatus(503)
                                    .setContentType("application/problem+json")
                                    .setBody("{\"status\": 503, \"detail\": \"The database is away.\"}")));
            delete(visit).click();
            visit.confirmRemoval();
            visit.page().evaluate(TEN_SECONDS_LATER);

            Locator said = visit.page().locator("#removals");
            assertThat(said).containsText("Not deleted: Qwen/Qwen3-32B on 8 × TEST_DEVICE The database is away.");
            said.getByText("Dismiss").click();
            assertThat(said).isHidden();
        }
    }

    private static int status(Visit visit, String id) {
        return visit.get("/api/v1/optimizations/" + id, "application/json").status();
    }

    @Test
    void theQuestionGoesWithItsPage() {
        try (Visit visit = visit()) {
            visit.openJob(visit.askForId(Questions.PREFILL));
            delete(visit).click();
            assertThat(question(visit)).isVisible();
            visit.page().evaluate("location.hash = '/jobs'");

            assertThat(question(visit)).hasCount(0);
        }
    }

    @Test
    void theQuestionHasNoBarriers() {
        try (Visit visit = visit()) {
            visit.openJob(visit.askForId(Questions.PREFILL));
            delete(visit).click();
            assertThat(question(visit)).isVisible();
            visit.assertNoBarriers();
        }
    }

    private static Locator delete(Visit visit) {
        return visit.page().locator(".actions button:text-matches('^Delete')").first();
    }

    private static Locator question(Visit visit) {
        return visit.page().locator("dialog");
    }
}
