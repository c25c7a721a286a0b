package io.throughputoptimizer.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import io.throughputoptimizer.fixture.EveryNight;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;

/// The dashboard without a pointer.
@EveryNight
class DashboardKeyboardIT extends BrowserTest {

    /// Examples, and accelerators, are one stop each.
    @Test
    void fewTabStopsLeadPastManyChoices() {
        try (Visit visit = visit().openSettings()) {
            Page page = visit.page();
            assertThat(page.locator("#device-choices input:checked")).hasCount(1);
            assertThat(page.locator(".preset[tabindex='0'], #device-choices input[tabindex='0']"))
                    .hasCount(2);
            Locator ticked = page.locator("#device-choices input[tabindex='0']");
            assertThat(ticked).isChecked();
            ticked.focus();
            page.keyboard().press("ArrowDown");
            page.keyboard().press("Space");
            assertThat(page.locator("#device-choices input:checked")).hasCount(2);
            assertThat(page.locator("#device-choices input:focus")).isChecked();
        }
    }

    @Test
    void theCommandIsCopiedByKeysAlone() {
        try (Visit visit = visit().open("/")) {
            Locator launch = visit.page().locator(".launch");
            assertThat(launch.locator("pre")).containsText("vllm serve");
            visit.tabTo(launch.getByText("Copy", new Locator.GetByTextOptions().setExact(true)));
            visit.page().keyboard().press("Enter");

            assertThat(visit.page().locator("#announcer")).hasText("Copied");
            Assertions.assertThat((String) visit.page().evaluate("navigator.clipboard.readText()"))
                    .isEqualTo(launch.locator("pre").textContent());
        }
    }

    @Test
    void theContentIsOneKeyAway() {
        try (Visit visit = visit()) {
            visit.openJob(visit.askForId(Questions.PREFILL));
            visit.tabTo(visit.link("Skip to content"));
            visit.page().keyboard().press("Enter");

            assertThat(visit.page().locator("#view")).isFocused();
            assertThat(visit.bestInWords()).containsText("42,342 tokens/s");
        }
    }

    @Test
    void twoJobsAreComparedByKeysAlone() {
        try (Visit visit = visit()) {
            String first = visit.askForId(Questions.PREFILL);
            String second = visit.askForId(Questions.PREFILL_HALF_CACHED);
            visit.open("/jobs");
            for (String id : new String[] {second, first}) {
                visit.tabTo(visit.page().locator("li:has(a[href='#/jobs/" + id + "']) input"));
                visit.page().keyboard().press("Space");
            }
            visit.page().keyboard().press("Home");
            visit.tabTo(visit.link("Compare 2 jobs"));
            visit.page().keyboard().press("Enter");

            assertThat(visit.page().getByLabel("Requests", new Page.GetByLabelOptions().setExact(true)))
                    .containsText("workload.prefix_cache_hit_rate");
        }
    }
}
