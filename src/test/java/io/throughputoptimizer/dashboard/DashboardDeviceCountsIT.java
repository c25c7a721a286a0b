package io.throughputoptimizer.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import io.throughputoptimizer.fixture.EveryNight;
import org.junit.jupiter.api.Test;

/// Different numbers of several kinds of device, as planners ask with them.
@EveryNight
class DashboardDeviceCountsIT extends BrowserTest {

    @Test
    void eachTickedDeviceMayHaveItsOwnNumber() {
        try (Visit visit = visit().openSettings()) {
            ask(visit);
            visit.run();

            Locator heading = visit.page().locator(".job-heading");
            assertThat(heading).containsText("8 × H100_SXM or 16 × H200_SXM");
            assertThat(visit.page().locator("main")).containsText("Device comparison");
            assertThat(visit.page().locator(".hero").first()).containsText("Run 1 instance of ");
            assertThat(visit.get("/api/v1/optimizations/" + visit.shownJob(), "application/json")
                            .text())
                    .contains("\"num_devices\":{\"H100_SXM\":8,\"H200_SXM\":16}");
        }
    }

    @Test
    void anEarlierQuestionComesBackWithItsNumbers() {
        try (Visit visit = visit().openSettings()) {
            ask(visit);
            visit.run();
            visit.link("Edit and rerun").click();

            assertThat(visit.field("Number of H100_SXM")).hasValue("8");
            assertThat(visit.field("Number of H200_SXM")).hasValue("16");
            device(visit, "H100_SXM").uncheck();
            assertThat(visit.field("Number of H200_SXM")).hasCount(0);
            assertThat(visit.field("Devices")).hasValue("16");
            assertThat(visit.page().locator("#plan-words")).containsText("16 × H200_SXM");
        }
    }

    @Test
    void aNumberThatIsRefusedIsMarkedWhereItStands() {
        try (Visit visit = visit().openSettings().expectRefusal()) {
            ask(visit);
            visit.field("Number of H200_SXM").fill("0");
            visit.run();

            assertThat(visit.page().locator("#device-counts")).containsText("must be at least 1, got 0");
            assertThat(visit.field("Number of H200_SXM")).hasAttribute("aria-invalid", "true");
        }
    }

    @Test
    void numbersOfEachHaveNoBarriers() {
        try (Visit visit = visit().openSettings()) {
            ask(visit);
            visit.assertNoBarriers();
        }
    }

    private static void ask(Visit visit) {
        visit.startFrom("Decode instances");
        assertThat(visit.page().locator("#device-counts")).isHidden();
        device(visit, "TEST_DEVICE").uncheck();
        device(visit, "H100_SXM").check();
        device(visit, "H200_SXM").check();
        visit.field("Devices").fill("8");
        assertThat(visit.field("Number of H100_SXM")).hasAttribute("placeholder", "8");
        visit.field("Number of H200_SXM").fill("16");
        assertThat(visit.page().locator("#plan-words")).containsText("8 × H100_SXM or 16 × H200_SXM");
    }

    private static Locator device(Visit visit, String name) {
        return visit.page().locator("input[name='/devices'][value='" + name + "']");
    }
}
