package io.throughputoptimizer.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import io.throughputoptimizer.fixture.EveryNight;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// One stock for many services, from saved plans and pasted requests to who gets what and what can be switched off.
@EveryNight
class DashboardPortfolioIT extends BrowserTest {
    private static final String CAPACITY = """
            {"mode": "capacity", "cost_model": "analytic", "model_id": "Qwen/Qwen3-8B", "devices": ["H100_SXM"], "num_devices": 16,
             "demand": {"requests_per_s": 4}, "instance_sizes": [1, 2],
             "workload": {"input_length": 2000, "output_length": 300}, "slo": {"tpot_ms": 50}, "serving": {"compile": true}}""";

    private static final String PASTED = """
            {"cost_model": "analytic", "model_id": "Qwen/Qwen3-32B", "instance_sizes": [2, 4], "workload": {"input_length": 3500, "output_length": 500},
             "slo": {"ttft_ms": 2000, "tpot_ms": 50}, "serving": {"compile": true}}""";

    private static final Pattern ADDRESS = Pattern.compile("#/portfolios/[\\w-]{100,}$");

    @Test
    void theExampleIsAssignedAndAReloadKeepsIt() {
        try (Visit visit = visit().openSettings()) {
            visit.link("Portfolios").click();
            assertThat(service(visit, 0).locator("legend").first()).hasText("Service 1: chat");
            visit.assertNoBarriers();
            assign(visit);

            Locator answer = answer(visit);
            assertThat(answer.locator(".best-words")).hasText("All demand is met with 6 × H100_SXM and 2 × B200_SXM.");
            assertThat(answer.getByLabel("Allocation")).containsText("2 × TP=2");
            assertThat(answer.getByLabel("Devices", new Locator.GetByLabelOptions().setExact(true)))
                    .containsText("nothing");
            assertThat(answer.locator(".figures")).containsText("optimal");
            assertThat(answer.locator(".hour-bars svg").first())
                    .hasAttribute(
                            "aria-label", Pattern.compile("H100_SXM by hour: running \\d to 6, can be off 0 to \\d"));
            assertThat(answer.locator(".hour-bars")).hasCount(4);
            visit.assertNoBarriers();
            assertThat(visit.page()).hasURL(ADDRESS);

            visit.page().reload();
            assertThat(answer.locator(".best-words")).containsText("All demand is met with 6 × H100_SXM");
            visit.page().reload();
            assertThat(answer.locator(".best-words")).containsText("All demand is met with 6 × H100_SXM");
            service(visit, 1).getByLabel("Priority").fill("3");
            assertThat(answer).hasClass(Pattern.compile("stale"));
            visit.page().reload();
            assertThat(service(visit, 1).getByLabel("Priority")).hasValue("3");
            assertThat(answer.locator(".best-words")).hasCount(0);
        }
    }

    @Test
    void servicesComeFromSavedPlansAndFromPastedRequests() {
        try (Visit visit = visit()) {
            String plan = visit.askForId(CAPACITY);
            visit.open("/portfolios");
            visit.button("Clear").click();
            Locator first = service(visit, 0);
            first.getByLabel("Copy from a saved plan").selectOption(plan);
            assertThat(first.locator("legend").first()).hasText("Service 1: Qwen3-8B");
            assertThat(first.getByLabel("Demand by hour")).hasValue("4");
            assertThat(stock(visit, "Device")).hasValue("H100_SXM");
            assertThat(stock(visit, "Devices")).hasValue("16");
            stock(visit, "Devices").fill("6");

            visit.button("Add service").click();
            Locator second = service(visit, 1);
            assertThat(second.getByLabel("Name")).isFocused();
            second.getByLabel("Name").fill("chat");
            second.getByLabel("Request", new Locator.GetByLabelOptions().setExact(true))
                    .fill(PASTED);
            assertThat(second.locator(".hint").first()).containsText("3,500 input tokens, 500 output tokens");
            second.getByLabel("Demand by hour").fill("2 2 2 2 2 2 2 2 8 8 8 8 8 8 8 8 8 8 8 8 2 2 2 2");
            second.getByLabel("Rejectable share").fill("5 %");
            second.getByLabel("H100_SXM").check();
            assertThat(visit.page().locator("#portfolios-view pre.curl")).containsText("\"may_refuse\": 0.05");
            assertThat(visit.page().locator("#portfolios-view pre.curl")).containsText("/api/v1/portfolios");
            assign(visit);

            assertThat(answer(visit).locator(".best-words")).containsText("Not enough devices");
            assertThat(answer(visit)).containsText("Meeting all demand requires");
            assertThat(answer(visit).getByLabel("Allocation")).containsText("available devices");
            visit.button("Remove service 1").click();
            assertThat(service(visit, 0).locator("legend").first()).hasText("Service 1: chat");
            assign(visit);
            assertThat(answer(visit).getByLabel("Allocation")).not().containsText("Qwen3-8B");
        }
    }

    @Test
    void whatIsRefusedIsNamedAtItsField() {
        try (Visit visit = visit().expectRefusal()) {
            visit.open("/portfolios");
            service(visit, 1).locator("summary:text-is('Request')").click();
            service(visit, 1)
                    .getByLabel("Request", new Locator.GetByLabelOptions().setExact(true))
                    .fill(PASTED.replace("Qwen3-32B", "Qwen3-33B"));
            service(visit, 0).getByLabel("Name").fill("summaries");
            visit.button("Allocate devices").click();

            assertThat(visit.page().locator("#portfolios-view .problem")).containsText("must be unique, got");
            assertThat(service(visit, 1).getByLabel("Name")).hasAttribute("aria-invalid", "true");
            visit.assertNoBarriers();
            service(visit, 0).getByLabel("Name").fill("chat");
            visit.expectRefusal().button("Allocate devices").click();
            assertThat(visit.page().locator("#portfolios-view .problem")).containsText("Qwen3-33B");
            assertThat(service(visit, 1).locator("textarea").first()).isFocused();

            service(visit, 0).getByLabel("Demand by hour").fill("1, 2, x");
            visit.button("Allocate devices").click();
            assertThat(visit.page().locator("#portfolios-view .problem")).containsText("must be numbers, got “x”");
            assertThat(service(visit, 0).getByLabel("Demand by hour")).isFocused();
        }
    }

    @Test
    void aPortfolioIsAskedByKeysAlone() {
        try (Visit visit = visit().open("/portfolios")) {
            Locator run = visit.button("Allocate devices");
            visit.tabTo(run);
            visit.page().keyboard().press("Enter");
            assertThat(answer(visit).locator("h2").first()).isFocused();
            Locator figures = answer(visit).locator("summary:has-text('Hourly data')");
            visit.tabTo(figures);
            visit.page().keyboard().press("Enter");
            assertThat(answer(visit)
                            .getByLabel("Devices running and off, and demand met")
                            .locator("tbody tr"))
                    .hasCount(24);
        }
    }

    @Test
    void aLinkThatWasCutIsSaid() {
        try (Visit visit = visit().open("/portfolios/abc")) {
            assertThat(visit.page().locator("#portfolios-view .notice").first()).containsText("holds no portfolio");
            assertThat(visit.page().locator(".service")).hasCount(2);
        }
    }

    private static void assign(Visit visit) {
        visit.button("Allocate devices").click();
        assertThat(answer(visit).locator(".best-words")).isVisible();
        assertThat(answer(visit)).hasAttribute("aria-busy", "false");
    }

    private static Locator answer(Visit visit) {
        return visit.page().locator(".portfolio-answer");
    }

    private static Locator stock(Visit visit, String label) {
        return visit.page().locator(".stock-line").getByLabel(label, new Locator.GetByLabelOptions().setExact(true));
    }

    private static Locator service(Visit visit, int place) {
        return visit.page().locator(".service").nth(place);
    }
}
