package io.throughputoptimizer.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.FilePayload;
import io.throughputoptimizer.fixture.EveryNight;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// A trace of requests on the dashboard.
@EveryNight
class DashboardTraceIT extends BrowserTest {
    private static final String TRACE = IntStream.rangeClosed(1, 100)
            .mapToObj(i -> 10 * i + "," + (5 + i % 5))
            .collect(Collectors.joining("\n", "input_tokens,output_tokens\n", "\n"));

    @Test
    void aChosenFileBecomesTheWorkload() {
        try (Visit visit = mixed()) {
            visit.field("Max bins").selectOption("8");
            choose(visit, "trace.csv", TRACE);

            Page page = visit.page();
            assertThat(page.locator("#trace-figures caption")).containsText("100 requests");
            assertThat(page.locator("#trace-figures .chart"))
                    .hasAttribute("aria-label", Pattern.compile("Chart: Share of requests up to each length\\..*"));
            assertThat(page.locator("#trace-figures .table tbody tr").first())
                    .containsText(Pattern.compile("p50\\s*500\\s*7"));
            assertThat(visit.field("Distribution")).hasValue("");
            assertThat(page.locator("#distribution-rows tr")).hasCount(8);
            assertThat(visit.field("Output length")).hasValue("7");
            assertThat(page.locator("#plan-words")).containsText("input: lengths of 8 bins, 7 output tokens");

            visit.field("Bin by").selectOption("equal width (tokens)");
            assertThat(visit.field("From tokens, bin 2")).hasValue("134");
            visit.run();
            assertThat(visit.bestInWords()).containsText("tokens/s");
        }
    }

    /// Ten requests in one second of each ten.
    @Test
    void burstsOfArrivalsAreSaid() {
        String trace = IntStream.range(0, 200)
                .mapToObj(i -> i / 10 * 10 + "," + (100 + i) + ",50")
                .collect(Collectors.joining("\n", "Timestamp,Request tokens,Response tokens\n", "\n"));
        try (Visit visit = mixed()) {
            choose(visit, "bursts.csv", trace);

            assertThat(visit.page().locator(".trace-arrivals"))
                    .hasText("1.05 requests/s over 3 min, 60 in the peak minute. Arrivals are bursty: counts vary"
                            + " 9.0 times as much as independent arrivals. A plan for the mean rate is too"
                            + " optimistic.");
            visit.assertNoBarriers();
        }
    }

    @Test
    void whatAPrefixCacheWouldFindIsSaid() {
        String trace = IntStream.range(0, 100)
                .mapToObj(i -> "{\"input_length\": 1100, \"output_length\": 50, \"hash_ids\": [" + i % 10 + ", "
                        + (i % 20 + 10) + "]}")
                .collect(Collectors.joining("\n"));
        try (Visit visit = mixed()) {
            choose(visit, "prompts.jsonl", trace);

            assertThat(visit.page().locator(".trace-reuse"))
                    .hasText("An unlimited prefix cache hits 79.1% of the input; a cache of 16,384 tokens hits 79.1%.");
            visit.assertNoBarriers();
        }
    }

    /// Separated by semicolons, with a prompt in quotes.
    @Test
    void columnsOfAnUnknownTraceAreChosenWithAPreview() {
        String trace = "at;prompt;sent;got\n"
                + IntStream.rangeClosed(1, 100)
                        .mapToObj(i ->
                                "2026-01-05T08:%02d:%02dZ;\"a; b\";%d;%d".formatted(i / 60, i % 60, 10 * i, 5 + i % 5))
                        .collect(Collectors.joining("\n"));
        try (Visit visit = mixed().expectRefusal()) {
            choose(visit, "gateway.csv", trace);

            Page page = visit.page();
            assertThat(page.locator("#trace-columns caption")).hasText("First rows of gateway.csv");
            assertThat(page.locator("#trace-columns thead th")).hasText(new String[] {"at", "prompt", "sent", "got"});
            assertThat(page.locator("#trace-columns tbody tr")).hasCount(5);
            assertThat(page.locator("#trace-columns tbody tr").nth(1).locator("td"))
                    .hasText(new String[] {"2026-01-05T08:00:02Z", "a; b", "20", "7"});
            assertThat(page.locator("#trace-error")).isHidden();
            visit.assertNoBarriers();
            visit.field("Input tokens").selectOption("sent");
            visit.field("Output tokens").selectOption("got");
            visit.field("Timestamps").selectOption("at");
            visit.button("Read columns").click();

            assertThat(page.locator("#trace-figures caption")).containsText("100 requests");
            assertThat(visit.field("Output length")).hasValue("7");
            assertThat(page.locator(".trace-arrivals")).containsText("requests/s");
            visit.field("Max bins").selectOption("8");
            assertThat(page.locator("#distribution-rows tr")).hasCount(8);
        }
    }

    @Test
    void membersOfAnUnknownJsonTraceAreChosenByTheirPath() {
        try (Visit visit = mixed().expectRefusal()) {
            choose(visit, "gateway.jsonl", "{\"id\": \"x\", \"tokens\": {\"in\": 900, \"out\": 70}}\n".repeat(3));

            visit.field("Input tokens").selectOption("tokens.in");
            visit.field("Output tokens").selectOption("tokens.out");
            visit.button("Read columns").click();

            assertThat(visit.page().locator("#trace-figures caption")).containsText("3 requests");
            assertThat(visit.field("Output length")).hasValue("70");
        }
    }

    @Test
    void aBrokenLineIsSaidAndNothingKept() {
        try (Visit visit = mixed().expectRefusal()) {
            choose(visit, "broken.csv", TRACE + "7\n");

            assertThat(visit.page().locator("#trace-error")).hasText("broken.csv: line 102 must have 2 values, got 1.");
            assertThat(visit.field("Distribution")).hasValue("builtin");
            assertThat(visit.page().locator("#trace-figures")).isEmpty();
        }
    }

    @Test
    void aTraceHasNoBarriers() {
        try (Visit visit = mixed()) {
            choose(visit, "trace.csv", TRACE);
            assertThat(visit.page().locator("#trace-figures caption")).isVisible();
            visit.assertNoBarriers();
        }
    }

    /// In the order of their times, each with its own lengths.
    @Test
    void aSimulationReplaysTheRequestsOfTheTrace() {
        try (Visit visit = mixed()) {
            choose(visit, "served.csv", "Timestamp,Request tokens,Response tokens\n9,3000,80\n5,700,20\n5.5,900,300\n");
            assertThat(visit.page().locator("#trace-figures caption")).containsText("3 requests");
            visit.openJob(visit.askForId(Questions.SILICON));
            visit.field("Load").selectOption("Requests of served.csv, at their timestamps");
            assertThat(visit.field("Amount")).isDisabled();
            visit.page().locator(".simulation-form button").click();

            Locator panel = visit.page().locator(".simulation");
            assertThat(panel.getByText("3 requests at their timestamps, 4 replicas:"))
                    .isVisible();
            panel.getByText("As curl command").click();
            assertThat(panel.locator(".curl"))
                    .containsText(Pattern.compile(
                            "\"input_tokens\":\\s*\\[\\s*700,\\s*900,\\s*3000\\s*],"
                                    + ".*\"sent_ms\":\\s*\\[\\s*0,\\s*500,\\s*4000\\s*]",
                            Pattern.DOTALL));
            visit.field("Load").selectOption("Requests of served.csv, at a fixed concurrency");
            visit.field("Amount").fill("8");
            visit.page().locator(".simulation-form button").click();
            assertThat(panel.getByText("8 concurrent requests, 4 replicas:")).isVisible();
            visit.assertNoBarriers();
        }
    }

    @Test
    void bothDistributionsOfATraceAreSearched() {
        try (Visit visit = mixed()) {
            Page page = visit.page();
            page.getByText("Mixed output lengths").click();
            choose(visit, "trace.csv", TRACE);

            assertThat(page.locator("#outputs-rows tr")).hasCount(5);
            assertThat(visit.field("From output tokens, output bin 1")).hasValue("5");
            assertThat(visit.field("Output length")).isHidden();
            assertThat(page.locator("#plan-words")).containsText("output: lengths of 5 bins");
            visit.assertNoBarriers();
            page.locator("[name='/cost_model'][value=analytic]").check();
            visit.account("steady");
            visit.run();

            assertThat(visit.bestInWords()).containsText("tokens/s");
            page.reload();
            assertThat(visit.bestInWords()).containsText("tokens/s");
            visit.assertNoBarriers();
        }
    }

    @Test
    void whatABatchHoldsHasOutputsAndContexts() {
        try (Visit visit = visit().openSettings()) {
            Page page = visit.page();
            visit.startFrom("Roofline");
            page.getByText("Mixed output lengths").click();
            visit.field("To output tokens, output bin 1").fill("400");
            visit.button("Add output bin").click();
            visit.field("To output tokens, output bin 2").fill("2000");
            visit.account("steady");
            visit.run();

            assertThat(page.getByText("concurrent requests, by input and output length"))
                    .isVisible();
            assertThat(page.getByText("Mean context")).isVisible();
            visit.assertNoBarriers();
        }
    }

    @Test
    void outputsThatTheAccountingDoesNotTakeAreRefusedWhereTheyStand() {
        try (Visit visit = visit().expectRefusal().openSettings()) {
            visit.startFrom("Roofline");
            visit.page().getByText("Mixed output lengths").click();
            visit.account("documented");
            visit.run();

            assertThat(visit.page().locator("#plan-problem")).containsText("workload.output_distribution");
        }
    }

    private Visit mixed() {
        Visit visit = visit().openSettings();
        visit.startFrom("Mixed prompt lengths");
        Locator distribution = visit.field("Distribution");
        assertThat(distribution).hasValue("builtin");
        return visit;
    }

    private static void choose(Visit visit, String name, String text) {
        visit.field("From a request trace")
                .setInputFiles(new FilePayload(name, "", text.getBytes(StandardCharsets.UTF_8)));
    }
}
