package io.throughputoptimizer.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import org.junit.jupiter.api.Test;

/// What a planner sees of the commands that start a row.
class DashboardLaunchIT extends BrowserTest {
    @Test
    void aRowIsStartedOnTheEngineThatIsChosen() {
        try (Visit visit = visit()) {
            visit.openJob(visit.askForId(Questions.AGGREGATED));
            visit.page().getByText("Start it on a serving engine").click();
            Locator panel = visit.page().locator("details.launch");
            assertThat(panel.locator("pre")).containsText("vllm serve \"$MODEL\"");

            panel.getByLabel("Engine").selectOption("SGLang");
            assertThat(panel.locator("pre")).containsText("python -m sglang.launch_server");
            panel.getByLabel("Row").selectOption("2");
            assertThat(panel.locator("pre")).containsText(", row 2, sglang");
            panel.getByLabel("with a benchmark").check();
            assertThat(panel.locator("pre")).containsText("sglang.bench_serving");
            visit.assertNoBarriers();
        }
    }

    @Test
    void anEngineThatCannotSaysWhy() {
        try (Visit visit = visit().open("/").expectRefusal()) {
            visit.openJob(visit.askForId(Questions.PD_RATIO));
            visit.page().getByText("Start it on a serving engine").click();
            Locator panel = visit.page().locator("details.launch");

            panel.getByLabel("Engine").selectOption("MindIE");

            assertThat(panel.locator("pre"))
                    .containsText("a split deployment is described by MindIE Motor on Kubernetes");
        }
    }
}
