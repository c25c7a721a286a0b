package io.throughputoptimizer.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import io.throughputoptimizer.fixture.EveryNight;
import org.junit.jupiter.api.Test;

/// A command line of the reference, pasted into the form.
@EveryNight
class DashboardCommandLineIT extends BrowserTest {
    @Test
    void aCommandFillsTheFormAndFlagsWithoutAPlaceAreNamed() {
        try (Visit visit = visit().openSettings()) {
            assertThat(visit.field("Model")).hasValue("Qwen/Qwen3-32B");
            visit.page().getByText("Import an msmodeling command line").click();
            take(visit, "--jobs 8");
            Locator remark = visit.page().locator("#command-remark");
            assertThat(remark).containsText("There is no model in it");

            take(
                    visit,
                    "Qwen/Qwen3-8B --device ATLAS_800_A2_376T_64G --input-length 3500 --tpot-limits 40 --compile --jobs 8");
            assertThat(visit.field("Model")).hasValue("Qwen/Qwen3-8B");
            assertThat(visit.page().locator("#device-choices input:checked")).hasValue("ATLAS_800_A2_376T_64G");
            assertThat(visit.field("Input length")).hasValue("3500");
            assertThat(visit.field("TPOT target (ms)")).hasValue("40");
            assertThat(visit.page().locator("[name='/serving/compile']")).isChecked();
            assertThat(remark.locator("li")).hasText("--jobs is not part of a request");
            visit.assertNoBarriers();
        }
    }

    private static void take(Visit visit, String command) {
        visit.field("Command line").fill(command);
        visit.button("Import flags").click();
    }
}
