package io.throughputoptimizer.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import io.throughputoptimizer.fixture.EveryNight;
import org.junit.jupiter.api.Test;

/// The dashboard under axe-core, and read in Chinese, while a search runs, and after one that came to nothing.
@EveryNight
class DashboardHeldAccessibilityIT extends HeldSearchTest {
    @Test
    void aRunningAndACancelledSearchHaveNoBarriers() {
        try (Visit visit = visit()) {
            runHeld(visit, "Prefill instances");
            visit.assertNoBarriers();
            visit.button("Cancel").click();
            assertThat(visit.page().getByText("Canceling after the current batch size"))
                    .isVisible();
            visit.assertNoBarriers();
            passes().release();
            assertThat(badge(visit)).hasText("cancelled");
            visit.assertNoBarriers();
        }
    }

    @Test
    void aFailedSearchHasNoBarriers() {
        try (Visit visit = visit()) {
            passes().failWith(new OutOfMemoryError("thrown by a test"));
            visit.openSettings().startFrom("Prefill instances");
            visit.run();
            assertThat(badge(visit)).hasText("failed");
            visit.assertNoBarriers();
        }
    }

    @Test
    void searchesThatDoNotSucceedAreChinese() {
        try (ChineseWalk walk = ChineseWalk.with(visit().unansweredWhileWritten())) {
            Visit visit = walk.visit();
            passes().holdAfter(PASSES_BEFORE_HOLD);
            visit.open("/jobs/" + visit.submit(Questions.PREFILL));
            assertThat(progress(visit)).containsText("4");
            walk.look("running");
            visit.page().locator(".search-progress button").click();
            assertThat(visit.page().locator(".search-progress .hint")).not().isEmpty();
            walk.look("cancelling");
            passes().release();
            assertThat(badge(visit)).hasText("已取消");
            walk.look("cancelled");
            passes().failWith(new OutOfMemoryError("thrown by a test"));
            visit.page().locator("#job-view .notice button.primary").click();
            assertThat(badge(visit)).hasText("失败");
            walk.look("failed");
            walk.open("/jobs", "jobs");
            walk.assertNothingIsLeft();
        }
    }
}
