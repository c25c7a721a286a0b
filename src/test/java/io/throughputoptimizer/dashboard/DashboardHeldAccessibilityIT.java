package io.throughputoptimizer.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import org.junit.jupiter.api.Test;

/// The dashboard under axe-core while a search runs, and after one that came to nothing.
class DashboardHeldAccessibilityIT extends HeldSearchTest {
    @Test
    void aRunningAndACancelledSearchHaveNoBarriers() {
        try (Visit visit = visit()) {
            runHeld(visit, "Prefill instances");
            visit.assertNoBarriers();
            visit.button("Cancel").click();
            assertThat(visit.page().getByText("Cancelling: the search stops")).isVisible();
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
            visit.open("/").startFrom("Prefill instances");
            visit.run();
            assertThat(badge(visit)).hasText("failed");
            visit.assertNoBarriers();
        }
    }
}
