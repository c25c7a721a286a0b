package io.throughputoptimizer.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import io.throughputoptimizer.fixture.EveryNight;
import org.junit.jupiter.api.Test;

/// What a planner sees of a search that failed.
@EveryNight
class DashboardFailureIT extends HeldSearchTest {

    @Test
    void aFailureThatMayPassIsExplainedAndCanBeRunAgain() {
        try (Visit visit = visit()) {
            fail(visit, new OutOfMemoryError("thrown by a test"));
            Locator problem = visit.page().locator("#job-view .problem");

            assertThat(badge(visit)).hasText("failed");
            assertThat(problem).containsText("Out of memory");
            assertThat(problem).containsText("it may succeed when fewer searches run");
            passes().release();
            visit.button("Rerun").click();
            assertThat(visit.bestInWords()).containsText("120,457 tokens/s");
        }
    }

    @Test
    void aFailureThatWouldComeBackAsksForAChange() {
        try (Visit visit = visit()) {
            fail(visit, new AssertionError("thrown by a test"));
            Locator problem = visit.page().locator("#job-view .problem");

            assertThat(problem).containsText("an error in the service, not in the request");
            assertThat(problem).containsText("Edit it first");
            assertThat(visit.link("Edit and rerun")).isVisible();
            assertThat(visit.button("Rerun")).hasCount(0);
        }
    }

    private void fail(Visit visit, Error error) {
        passes().failWith(error);
        visit.openSettings().startFrom("Prefill instances");
        visit.run();
    }
}
