package io.throughputoptimizer.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import io.throughputoptimizer.fixture.EveryNight;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// The list of jobs.
@EveryNight
class DashboardHistoryIT extends BrowserTest {
    private static final int PAGE = 20;

    @Test
    void jobsAreListedByPageAndStatusAndCanBeDeleted() {
        try (Visit visit = visit()) {
            IntStream.rangeClosed(0, PAGE).forEach(_ -> visit.askForId(Questions.INFEASIBLE));
            String newest = visit.askForId(Questions.PREFILL);
            visit.open("/jobs");
            Locator jobs = visit.page().locator(".jobs li");

            assertThat(jobs).hasCount(PAGE);
            assertThat(jobs.first().locator(".job-answer"))
                    .hasText("8 × TEST_DEVICE: 42,342 tokens/s, 12.10 requests/s");
            assertThat(jobs.nth(1).locator(".job-answer")).hasText("Misses the TPOT target");
            assertThat(jobs.nth(1).locator(".badge")).hasText("infeasible");
            visit.button("Older jobs").click();
            assertThat(jobs).not().hasCount(PAGE);
            visit.field("Show").selectOption("failed");
            assertThat(visit.page().getByText("No jobs yet.")).isVisible();
            visit.field("Show").selectOption("succeeded");
            assertThat(jobs).hasCount(PAGE);
            visit.openJob(newest);
            visit.button("Delete…").click();
            visit.confirmRemoval();
            assertThat(visit.page().locator(".jobs a[href='#/jobs/" + newest + "']"))
                    .hasCount(0);
        }
    }

    @Test
    void aNamedJobIsFoundByItsNameAndByItsStar() {
        try (Visit visit = visit().expectRefusal()) {
            String id = visit.askForId(Questions.PREFILL);
            visit.askForId(Questions.DECODE);
            visit.openJob(id);
            visit.button("Rename").click();
            assertThat(visit.field("Name")).isFocused();
            visit.field("Name").fill("Name\u202e");
            visit.page().keyboard().press("Enter");
            assertThat(visit.page().locator(".rename .error")).containsText("A name must be one line");
            visit.field("Name").fill("Chat <b> 2027");
            visit.page().keyboard().press("Enter");
            assertThat(visit.page().locator("#job-view h1")).hasText("Chat <b> 2027");
            assertThat(visit.page().locator(".lead")).containsText("Qwen/Qwen3-32B on 8 × TEST_DEVICE · ");
            assertThat(visit.button("Rename")).isFocused();
            visit.button("Star Chat").click();
            assertThat(visit.button("Star Chat")).hasAttribute("aria-pressed", "true");
            visit.assertNoBarriers();
            visit.open("/jobs");
            Locator jobs = visit.page().locator(".jobs li");
            visit.field("Search jobs").fill("32b chat");

            assertThat(jobs).hasCount(1);
            assertThat(jobs.locator("a")).hasText("Chat <b> 2027");
            visit.field("Search jobs").fill("nothing of that kind");
            assertThat(visit.page().getByText("No matching jobs.")).isVisible();
            visit.field("Search jobs").fill("");
            assertThat(jobs.nth(1)).isVisible();
            visit.field("Starred only").check();
            assertThat(jobs).hasCount(1);
            visit.button("Star Chat").click();
            assertThat(visit.button("Star Chat")).hasAttribute("aria-pressed", "false");
            visit.page().reload();
            assertThat(visit.button("Star Chat")).hasAttribute("aria-pressed", "false");
        }
    }

    @Test
    void anUnknownJobIsSaidToBeUnknown() {
        try (Visit visit = visit().expectRefusal()) {
            visit.open("/jobs/00000000-0000-0000-0000-000000000000");

            assertThat(visit.page().locator("#job-view h1")).hasText("Job not found");
        }
    }
}
