package io.throughputoptimizer.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.JSHandle;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.FilePayload;
import io.throughputoptimizer.fixture.EveryNight;
import java.nio.charset.StandardCharsets;
import java.util.Map;
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
            visit.field("Most bins").selectOption("8");
            choose(visit, "trace.csv", TRACE);

            Page page = visit.page();
            assertThat(page.locator("#trace-figures caption")).containsText("100 requests");
            assertThat(page.locator("#trace-figures svg"))
                    .hasAttribute(
                            "aria-label",
                            "Share of the requests up to each length. Half have up to 500 tokens in and 7 out, 99 % up to 990"
                                    + " in and 9 out.");
            assertThat(page.locator("#trace-figures tbody tr").first()).containsText("p50");
            assertThat(visit.field("Distribution")).hasValue("");
            assertThat(page.locator("#distribution-rows tr")).hasCount(8);
            assertThat(visit.field("Output length")).hasValue("7");
            assertThat(page.locator("#plan-words")).containsText("lengths of 8 bins in, 7 out");

            visit.field("Bins of equal").selectOption("width: lengths");
            assertThat(visit.field("From tokens, bin 2")).hasValue("134");
            visit.run();
            assertThat(visit.bestInWords()).containsText("tokens/s");
        }
    }

    @Test
    void aDroppedFileIsTaken() {
        try (Visit visit = mixed()) {
            JSHandle dropped = visit.page().evaluateHandle("""
                    () => {
                      const data = new DataTransfer();
                      const line = JSON.stringify({ input_tokens: 3500, output_tokens: 1500 });
                      data.items.add(new File([line + "\\n" + line], "trace.jsonl"));
                      return data;
                    }""");
            visit.page().dispatchEvent("#trace-drop", "drop", Map.of("dataTransfer", dropped));

            assertThat(visit.page().locator("#trace-figures caption")).containsText("2 requests");
            assertThat(visit.field("From tokens, bin 1")).hasValue("3500");
            assertThat(visit.field("Output length")).hasValue("1500");
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
                    .hasText(
                            "1.05 requests a second over 3 min, 60 in the busiest minute. They come in bursts: counts vary"
                                    + " 9.0 times as much as those of independent requests, so a plan for the mean rate is too"
                                    + " hopeful.");
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
                    .hasText(
                            "A prefix cache that never forgets finds 79.1 % of the input; one of 16,384 tokens 79.1 %.");
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
            visit.field("Input tokens are in").selectOption("sent");
            visit.field("Output tokens are in").selectOption("got");
            visit.field("Times are in").selectOption("at");
            visit.button("Read these columns").click();

            assertThat(page.locator("#trace-figures caption")).containsText("100 requests");
            assertThat(visit.field("Output length")).hasValue("7");
            assertThat(page.locator(".trace-arrivals")).containsText("requests a second");
            visit.field("Most bins").selectOption("8");
            assertThat(page.locator("#distribution-rows tr")).hasCount(8);
        }
    }

    @Test
    void membersOfAnUnknownJsonTraceAreChosenByTheirPath() {
        try (Visit visit = mixed().expectRefusal()) {
            choose(visit, "gateway.jsonl", "{\"id\": \"x\", \"tokens\": {\"in\": 900, \"out\": 70}}\n".repeat(3));

            visit.field("Input tokens are in").selectOption("tokens.in");
            visit.field("Output tokens are in").selectOption("tokens.out");
            visit.button("Read these columns").click();

            assertThat(visit.page().locator("#trace-figures caption")).containsText("3 requests");
            assertThat(visit.field("Output length")).hasValue("70");
        }
    }

    @Test
    void aBrokenLineIsSaidAndNothingKept() {
        try (Visit visit = mixed().expectRefusal()) {
            choose(visit, "broken.csv", TRACE + "7\n");

            assertThat(visit.page().locator("#trace-error")).hasText("broken.csv: line 102 has 1 values: 2 are needed");
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
            visit.field("Load").selectOption("Requests of served.csv at their times");
            assertThat(visit.field("How many")).isDisabled();
            visit.page().locator(".simulation-form button").click();

            Locator panel = visit.page().locator(".simulation");
            assertThat(panel.getByText("3 requests at their times at 4 replicas:"))
                    .isVisible();
            panel.getByText("The same with curl").click();
            assertThat(panel.locator(".curl"))
                    .containsText(Pattern.compile(
                            "\"input_tokens\":\\s*\\[\\s*700,\\s*900,\\s*3000\\s*],"
                                    + ".*\"sent_ms\":\\s*\\[\\s*0,\\s*500,\\s*4000\\s*]",
                            Pattern.DOTALL));
            visit.field("Load").selectOption("Requests of served.csv outstanding");
            visit.field("How many").fill("8");
            visit.page().locator(".simulation-form button").click();
            assertThat(panel.getByText("8 requests outstanding at 4 replicas:")).isVisible();
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
            assertThat(page.locator("#plan-words")).containsText("bins in, lengths of 5 bins out");
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
        try (Visit visit = visit().open("/")) {
            Page page = visit.page();
            visit.startFrom("Without measured kernels");
            page.getByText("Mixed output lengths").click();
            visit.field("To output tokens, output bin 1").fill("400");
            visit.button("Add an output bin").click();
            visit.field("To output tokens, output bin 2").fill("2000");
            visit.account("steady");
            visit.run();

            assertThat(page.getByText("requests at once, by input and output length"))
                    .isVisible();
            assertThat(page.getByText("Context halfway")).isVisible();
            visit.assertNoBarriers();
        }
    }

    @Test
    void outputsThatTheAccountingDoesNotTakeAreRefusedWhereTheyStand() {
        try (Visit visit = visit().expectRefusal().open("/")) {
            visit.startFrom("Without measured kernels");
            visit.page().getByText("Mixed output lengths").click();
            visit.account("documented");
            visit.run();

            assertThat(visit.page().locator("#plan-problem")).containsText("workload.output_distribution");
        }
    }

    private Visit mixed() {
        Visit visit = visit().open("/");
        visit.startFrom("Mixed prompt lengths");
        Locator distribution = visit.field("Distribution");
        assertThat(distribution).hasValue("builtin");
        return visit;
    }

    private static void choose(Visit visit, String name, String text) {
        visit.field("From a trace of requests")
                .setInputFiles(new FilePayload(name, "", text.getBytes(StandardCharsets.UTF_8)));
    }
}
