package io.throughputoptimizer.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import io.throughputoptimizer.fixture.EveryNight;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// How few devices serve a demand, as planners ask for it and see it.
@EveryNight
class DashboardCapacityIT extends BrowserTest {
    private static final String SERVED = """
            {"model_id": "Qwen/Qwen3-8B", "devices": ["TEST_DEVICE"], "mode": "capacity", "accounting": "documented", "num_devices": %d, "demand": {"requests_per_s": 3},
             "workload": {"input_length": 1000, "output_length": 100}, "slo": {"ttft_ms": 2000, "tpot_ms": 50},
             "instance_sizes": [1, 2], "serving": {"compile": true}}""";

    @Test
    void theFormAsksHowManyDevices() {
        try (Visit visit = visit().openSettings()) {
            visit.startFrom("Decode instances");
            assertThat(visit.field("Requests per second")).isHidden();
            visit.startFrom("Capacity");
            visit.field("Requests per second").fill("5");
            visit.run();

            assertThat(visit.page().locator(".job-heading")).containsText("Qwen/Qwen3-32B");
            assertThat(visit.page().locator(".job-heading")).containsText("5 requests/s and 20% headroom");
            assertThat(visit.page().locator(".hero")).containsText("× H100_SXM");
            assertThat(visit.page().locator("main")).containsText("Deployments, fewest devices first");
        }
    }

    @Test
    void percentilesStandOnTheCardAndAreAskedFor() {
        try (Visit visit = visit().openSettings()) {
            visit.startFrom("Capacity");
            Locator words = visit.liveAnswer().locator(".beyond-means");
            assertThat(words).containsText("These are means; ");
            assertThat(words).containsText("p95 TPOT is ");
            visit.field("Percentile").fill("90");

            assertThat(visit.page().locator("#plan-words")).containsText("for 90 of 100 requests");
            assertThat(words).hasText(Pattern.compile("p90 TTFT is [\\d.]+ m?s, p90 TPOT is [\\d.]+ ms\\."));
            visit.run();
            assertThat(visit.page().locator("#job-view .beyond-means")).containsText("p90 TTFT is ");
        }
    }

    @Test
    void theFormAsksForTheWayOfTheCache() {
        try (Visit visit = visit().openSettings()) {
            visit.startFrom("Capacity");
            visit.page().locator("[name='/cost_model'][value=analytic]").check();
            visit.field("Devices per instance").fill("4, 8");
            visit.field("KV transfer bandwidth (GiB/s)").fill("25");
            visit.page().locator("#link-latency").fill("5");
            visit.account("documented");
            visit.run();

            assertThat(visit.page().locator(".hero")).containsText("KV transfer of");
            assertThat(visit.page().locator("main")).containsText("KV transfer (ms)");
        }
    }

    @Test
    void devicesAreDrawnOverTheDemand() {
        try (Visit visit = visit()) {
            visit.openJob(visit.askForId(SERVED.formatted(8)));

            Locator chart = visit.page().getByLabel("Chart: Fewest devices by demand");
            assertThat(chart.locator("canvas")).isVisible();
            chart.press("ArrowRight");
            assertThat(visit.page().locator(".tip")).containsText("TEST_DEVICE, aggregated: Demand");
            visit.page().getByText("Chart data").click();
            Locator demanded = visit.page().locator(".chart-card tr.best");
            assertThat(demanded).hasCount(1);
            assertThat(demanded).containsText("3.00");
        }
    }

    @Test
    void devicesThatDoNotSufficeAreAdvised() {
        try (Visit visit = visit()) {
            visit.openJob(visit.askForId(SERVED.formatted(2).replace("3}", "3000}")));

            assertThat(visit.page().locator(".advice")).containsText("2 TEST_DEVICE serve at most");
        }
    }

    @Test
    void deploymentsHaveNoBarriers() {
        try (Visit visit = visit()) {
            visit.openJob(visit.askForId(
                    SERVED.formatted(8).replace("\"serving\"", "\"kv_transfer\": {\"gb_per_s\": 25}, \"serving\"")));
            visit.assertNoBarriers();
        }
    }
}
