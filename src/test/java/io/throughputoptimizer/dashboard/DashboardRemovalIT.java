package io.throughputoptimizer.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// How a job is deleted on the dashboard.
class DashboardRemovalIT extends BrowserTest {

    @Test
    void nothingIsDeletedUnasked() {
        try (Visit visit = visit()) {
            String id = visit.askForId(Questions.PREFILL);
            visit.openJob(id);
            delete(visit).click();
            assertThat(question(visit)).hasAccessibleName("Delete this job?");
            assertThat(question(visit)).hasAccessibleDescription(Pattern.compile("Its result is removed for good.*"));
            assertThat(visit.button("Keep it")).isFocused();
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
            delete(visit).click();
            visit.button("Delete it").click();

            assertThat(visit.page()).hasURL(Pattern.compile("#/jobs$"));
            assertThat(question(visit)).hasCount(0);
            assertThat(visit.get("/api/v1/optimizations/" + id, "application/json")
                            .status())
                    .isEqualTo(404);
        }
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
