package io.throughputoptimizer.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The dashboard under axe-core while a search runs, and after one that came to nothing.
class DashboardHeldAccessibilityIT extends HeldSearchTest {
    @ParameterizedTest
    @EnumSource
    void aRunningAndACancelledSearchHaveNoBarriers(Look look) {
        try (Visit visit = visit(look)) {
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

    @ParameterizedTest
    @EnumSource
    void aFailedSearchHasNoBarriers(Look look) {
        try (Visit visit = visit(look)) {
            passes().failWith(new OutOfMemoryError("thrown by a test"));
            visit.open("/").startFrom("Prefill instances");
            visit.run();
            assertThat(badge(visit)).hasText("failed");
            visit.assertNoBarriers();
        }
    }
}
