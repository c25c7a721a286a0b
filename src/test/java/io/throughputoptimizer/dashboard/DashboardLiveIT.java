package io.throughputoptimizer.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Route;
import io.throughputoptimizer.fixture.EveryNight;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// What the page answers while a question is written.
@EveryNight
class DashboardLiveIT extends BrowserTest {
    private static final String PROBLEM = "application/problem+json";
    private static final String COLOUR = "node => getComputedStyle(node).color";
    private static final String TYPE_IN_ONE_GO = """
            (field, texts) => texts.forEach((text) => {
              field.value = text;
              field.dispatchEvent(new Event("input", { bubbles: true }));
            })""";

    @Test
    void theAnswerIsThereBeforeAnythingIsSentAndFollowsWhatIsTyped() {
        try (Visit visit = ready(visit())) {
            visit.field("TTFT target (ms)").fill("1000");
            visit.field("TPOT target (ms)").fill("30");
            assertThat(visit.liveAnswer()).containsText("of 30 ms");
            JsonNode best = visit.ask(visit.askedLive().getLast()).at("/result/devices/0/phases/0/rows/0");

            assertThat(visit.liveAnswer().locator(".best-words"))
                    .hasText("Run 4 instances of 2 × H100_SXM (TP=2), at most %d requests each"
                            .formatted(best.required("concurrency").intValue() / 4));
            assertThat(visit.liveAnswer()).containsText(DashboardSiliconIT.rounded(best, "tokens_per_s", 0));
            assertThat(visit.liveAnswer().locator(".limit-bars li.binds"))
                    .containsText(DashboardSiliconIT.rounded(best, "tpot_ms", 1) + " of 30 ms");
            assertThat(visit.liveAnswer().locator(".limit-bars li").first())
                    .containsText("TTFT" + DashboardSiliconIT.rounded(best, "ttft_ms", 1) + " of 1,000 ms");
            assertThat(visit.liveAnswer()).containsText("Assumes FP8 weights");
            assertThat(visit.submissions()).isEmpty();
            visit.assertNoBarriers();
        }
    }

    @Test
    void onlyWhatStandsThereAfterAPauseIsAsked() {
        try (Visit visit = ready(visit())) {
            int before = visit.askedLive().size();
            visit.field("Input length").evaluate(TYPE_IN_ONE_GO, List.of("2", "20", "200", "2007"));

            assertThat(visit.page().locator("#plan-words")).containsText("2,007 input tokens");
            visit.page().waitForCondition(() -> visit.askedLive().size() > before);
            assertThat(visit.liveAnswer()).hasAttribute("aria-busy", "false");
            assertThat(visit.askedLive().subList(before, visit.askedLive().size()))
                    .singleElement()
                    .asString()
                    .contains("\"input_length\":2007");
        }
    }

    @Test
    void anOlderAnswerNeverTakesThePlaceOfANewerOne() {
        List<Route> held = new ArrayList<>();
        try (Visit visit = ready(visit())) {
            visit.answerLive(route -> {
                if (route.request().postData().contains("\"num_devices\":2")) {
                    held.add(route);
                } else {
                    route.resume();
                }
            });
            Locator devices = visit.field("Devices");
            devices.fill("2");
            visit.page().waitForCondition(() -> !held.isEmpty());
            assertThat(visit.liveAnswer()).containsText("Run 4 instances");
            assertThat(visit.liveAnswer()).hasAttribute("aria-busy", "true");
            devices.fill("4");
            visit.awaitAbandoned("fetch");

            assertThat(visit.liveAnswer()).containsText("Run 2 instances of 2 × H100_SXM");
            held.forEach(route -> answer(route, 200, "application/json", "{\"status\": \"failed\"}"));
            assertThat(visit.liveAnswer()).containsText("Run 2 instances of 2 × H100_SXM");
            assertThat(visit.liveRemark()).isHidden();
        }
    }

    @Test
    void whatIsWrongStandsAtItsFieldAndTheLastAnswerIsDimmedAndNamesItsQuestion() {
        try (Visit visit = ready(visit())) {
            Locator words = visit.liveAnswer().locator(".best-words");
            Object vivid = words.evaluate(COLOUR);
            Locator ttft = visit.field("TTFT target (ms)");
            ttft.fill("-1");
            assertThat(ttft).hasAttribute("aria-invalid", "true");
            assertThat(ttft)
                    .hasAccessibleDescription(
                            "Time to first token. TTFT target (ms) must be greater than 0, got -1.0.");
            assertThat(ttft).isFocused();
            assertThat(visit.liveRemark()).containsText("TTFT target (ms) must be greater than 0, got -1.0");
            assertThat(visit.liveAnswer()).containsText("Run 4 instances");
            assertThat(visit.liveAnswer())
                    .containsText(
                            "Showing results for the previous settings: Qwen/Qwen3-32B on 8 × H100_SXM · Aggregated"
                                    + " · 3,500 input tokens, 1,500 output tokens · steady-state TTFT ≤ 2,000 ms, TPOT ≤"
                                    + " 50 ms");
            assertThat(words.evaluate(COLOUR)).isNotEqualTo(vivid);
            assertThat(visit.liveAnswer().locator("button, pre, details.launch"))
                    .hasCount(0);
            assertThat(visit.page().locator("#plan-problem")).isHidden();
            visit.assertNoBarriers();
            ttft.fill("1500");

            assertThat(ttft).not().hasAttribute("aria-invalid", "true");
            assertThat(visit.liveRemark()).isHidden();
            assertThat(visit.liveAnswer()).containsText("of 1,500 ms");
            assertThat(words.evaluate(COLOUR)).isEqualTo(vivid);
            assertThat(visit.liveAnswer().locator("details.launch pre")).isVisible();
            assertThat(visit.liveAnswer()).not().containsText("previous settings");
        }
    }

    @Test
    void anAnswerAboutAnotherModelDeviceOrModeDoesNotStayWhenAQuestionIsRefused() {
        List<Consumer<Visit>> changes = List.of(
                visit -> visit.field("Model").fill("Qwen/Qwen3-8B"),
                visit -> visit.page()
                        .locator("#device-choices input[value=H200_SXM]")
                        .check(),
                visit -> visit.page().locator("[name='/mode'][value=capacity]").check());
        changes.forEach(change -> {
            try (Visit visit = ready(visit())) {
                Locator ttft = visit.field("TTFT target (ms)");
                ttft.fill("-1");
                assertThat(visit.liveAnswer()).containsText("Showing results for the previous settings");
                change.accept(visit);

                assertThat(visit.liveAnswer()).isEmpty();
                assertThat(visit.liveRemark()).containsText("TTFT target (ms) must be greater than 0, got -1.0");
                visit.link("Jobs").click();
                assertThat(visit.page().locator("#jobs-view h1")).isVisible();
                visit.link("New plan").click();
                assertThat(visit.liveAnswer()).isEmpty();
            }
        });
    }

    /// A refusal of what is saved before it was answered.
    @Test
    void anAnswerIsDimmedWhenSavingIsRefused() {
        try (Visit visit = ready(visit()).expectRefusal()) {
            visit.answerLive(_ -> {}); // is never answered
            visit.field("TTFT target (ms)").fill("-1");
            visit.run();

            assertThat(visit.page().locator("#plan-problem"))
                    .containsText("TTFT target (ms) must be greater than 0, got -1.0");
            assertThat(visit.liveAnswer()).containsText("Showing results for the previous settings");
            assertThat(visit.liveAnswer().locator("button")).hasCount(0);
        }
    }

    /// The answer is still to come, so that it is not the answer that takes the message away.
    @Test
    void aMessageAboutAGroupDisappearsAsSoonAsOneOfItsFieldsIsFilled() {
        try (Visit visit = ready(visit())) {
            visit.page().locator("[name='/mode'][value=capacity]").check();
            visit.field("Requests per second").fill("");
            Locator message = visit.page().locator("#capacity .error");
            assertThat(message).containsText("demand is required");
            visit.answerLive(_ -> {});
            visit.field("Output tokens per second").fill("5000");

            assertThat(message).hasCount(0);
            assertThat(visit.page().locator("[aria-invalid]")).hasCount(0);
        }
    }

    @Test
    void clearLeadsBackToTheFirstQuestionAndItsAnswer() {
        try (Visit visit = ready(visit())) {
            visit.field("Model").fill("Qwen/Qwen3-8B");
            visit.field("Devices").fill("2");
            assertThat(visit.liveAnswer()).containsText("Run 1 instance of 2 × H100_SXM");
            visit.button("Clear").click();

            assertThat(visit.field("Model")).hasValue("Qwen/Qwen3-32B");
            assertThat(visit.liveAnswer()).containsText("Run 4 instances");
            assertThat(visit.liveRemark()).isHidden();
        }
    }

    @Test
    void whatCannotBeSentIsSaidWithoutAsking() {
        try (Visit visit = ready(visit())) {
            int before = visit.askedLive().size();
            visit.page().locator("#device-choices input:checked").uncheck();

            assertThat(visit.liveRemark()).containsText("Select at least one accelerator");
            assertThat(visit.page().locator("#devices .error")).hasCount(1);
            assertThat(visit.askedLive()).hasSize(before);
        }
    }

    @Test
    void aQuestionThatIsTooLargeIsOfferedAsAJob() {
        String tooLarge = """
                {"type": "/problems/too-large-to-answer", "status": 422,
                 "detail": "The search takes more than 3 s of processor time, the limit of a search that is not stored."}""";
        try (Visit visit = visit()) {
            visit.answerLive(route -> answer(route, 422, PROBLEM, tooLarge)).openSettings();
            assertThat(visit.liveRemark()).containsText("takes too long for a live result");
            visit.assertNoBarriers();
            visit.button("Save as job").click();

            assertThat(visit.bestInWords()).containsText("tokens/s");
            assertThat(visit.submissions()).hasSize(1);
        }
    }

    /// A search that the service would take as a job.
    @Test
    void aLongSearchIsOfferedAsJob() {
        try (Visit visit = ready(visit())) {
            visit.startFrom("Roofline");
            visit.page().locator("summary").getByText("Search").click();
            visit.field("Strategy").selectOption("exhaustive");
            visit.field("Batch size range").fill("1, 400000");

            assertThat(visit.liveRemark())
                    .hasText(Pattern.compile(
                            "The search takes too long for a live result. Save it as a job.\\s*Save as job"));
            assertThat(visit.button("Save as job")).isVisible();
        }
    }

    @Test
    void aServiceThatIsBusyIsAskedAgain() {
        AtomicInteger asked = new AtomicInteger();
        try (Visit visit = visit()) {
            visit.answerLive(route -> {
                if (asked.getAndIncrement() == 0) {
                    route.fulfill(new Route.FulfillOptions()
                            .setStatus(429)
                            .setHeaders(Map.of("Retry-After", "2", "Content-Type", PROBLEM))
                            .setBody("{\"status\": 429, \"detail\": \"Too many searches wait.\"}"));
                } else {
                    route.resume();
                }
            });
            visit.openSettings();
            assertThat(visit.liveRemark()).hasText(Pattern.compile("Too many searches wait. Retrying in 2 s.*"));
            assertThat(visit.button("Save as job")).isVisible();

            assertThat(visit.liveAnswer()).containsText("Run 4 instances");
            assertThat(visit.liveRemark()).isHidden();
        }
    }

    @Test
    void theAnswerIsStillThereForWhoComesBack() {
        try (Visit visit = ready(visit())) {
            int asked = visit.askedLive().size();
            visit.link("Jobs").click();
            assertThat(visit.page().locator("#jobs-view h1")).isVisible();
            assertThat(visit.liveAnswer().locator(".answer")).hasCount(0);
            visit.link("New plan").click();

            assertThat(visit.liveAnswer()).containsText("Run 4 instances");
            assertThat(visit.askedLive()).hasSize(asked);
        }
    }

    @Test
    void everyExampleIsAnswered() {
        try (Visit visit = ready(visit())) {
            Map<String, String> words = Map.ofEntries(
                    entry("Calibrated", "Run 4 instances of 2 × H100_SXM"),
                    entry("Roofline", "ATLAS_800_A3_560T_128G_DIE"),
                    entry("Capacity", "% headroom|no headroom"),
                    entry("Prefill instances", "Prefill instances"),
                    entry("Decode instances", "Decode instances"),
                    entry("Mixed prompt lengths", "Run \\d+ instance"),
                    entry("Disaggregated", "prefill instance"),
                    entry("Compare accelerators", "Other devices: "));
            words.forEach((preset, answer) -> {
                visit.startFrom(preset);
                assertThat(visit.liveAnswer()).hasAttribute("aria-busy", "false");
                assertThat(visit.liveRemark()).isHidden();
                assertThat(visit.liveAnswer()).containsText(Pattern.compile(answer));
                for (Look look : List.of(Look.NARROW, Look.LIGHT)) {
                    look.show(visit.page());
                    visit.assertFitsTheWidth();
                }
            });
        }
    }

    /// Of the best row they come with the answer; those of others are asked for, and nothing is kept.
    @Test
    void theCommandsOfEveryRowStandBelowTheAnswer() {
        try (Visit visit = ready(visit())) {
            Locator panel = visit.liveAnswer().locator("details.launch");
            assertThat(panel.locator("pre")).containsText("--tensor-parallel-size 2");
            panel.getByText("Whole script").click();
            assertThat(panel.locator("pre")).containsText("row 1, vllm");
            assertThat(visit.asked("launch")).isEmpty();

            panel.getByLabel("Plan").selectOption("2");
            assertThat(panel.locator("pre")).containsText("row 2, vllm");
            panel.getByLabel("Engine").selectOption("SGLang");
            assertThat(panel.locator("pre")).containsText("row 2, sglang");
            visit.assertNoBarriers();
            visit.liveAnswer()
                    .locator(".layouts-card")
                    .getByText("Copy commands of plan 3")
                    .click();

            assertThat(visit.page().locator("#announcer")).hasText("Copied");
            assertThat((String) visit.page().evaluate("navigator.clipboard.readText()"))
                    .contains(", row 3, vllm ")
                    .contains("vllm serve");
            assertThat(visit.submissions()).isEmpty();
        }
    }

    @Test
    void whereNothingKeepsTheLimitsThereIsNothingToStart() {
        try (Visit visit = ready(visit())) {
            visit.field("TPOT target (ms)").fill("0.01");

            assertThat(visit.liveAnswer()).containsText("No layout meets the targets.");
            assertThat(visit.liveAnswer().locator("details.launch")).hasCount(0);
        }
    }

    @Test
    void aMemoryThatIsTooSmallIsToldByPartAndTheNearestPlansAreTakenIntoTheForm() {
        try (Visit visit = ready(visit())) {
            visit.field("Model").fill("Qwen/Qwen3-235B-A22B");
            visit.field("Devices").fill("2");
            Locator card = visit.liveAnswer().locator(".hero.none");
            assertThat(card).containsText("Weights need 110.3 GiB; a device has 79.2 GiB.");
            assertThat(card).not().containsText("Exceeds memory");
            visit.assertNoBarriers();
            visit.button("Use H200_SXM").click();

            assertThat(visit.liveAnswer()).containsText("Run 1 instance of 2 × H200_SXM");
            assertThat(visit.page().locator("#device-choices input:checked")).hasValue("H200_SXM");
            visit.button("Undo").click();
            visit.button("Use 4 devices").click();
            assertThat(visit.liveAnswer()).containsText("Run 1 instance of 4 × H100_SXM");
            assertThat(visit.field("Devices")).hasValue("4");
            assertThat(visit.submissions()).isEmpty();
        }
    }

    @Test
    void percentilesStandBesideMeansAndThoseBeyondALimitAreMarked() {
        try (Visit visit = ready(visit())) {
            visit.field("TTFT definition").selectOption("benchmark");
            assertThat(visit.liveAnswer()).containsText("benchmark TTFT");
            Locator words = visit.liveAnswer().locator(".beyond-means");
            assertThat(words).containsText("These are means; ");
            assertThat(words).containsText("p95 TPOT is ");
            JsonNode simulated = JsonMapper.shared()
                    .readTree(visit.answerTo("simulations", visit.simulated().getLast(), "application/json"));
            double ttft = simulated.at("/ttft_ms/others/0/ms").doubleValue();

            assertThat(words.locator("strong"))
                    .hasText("⚠ p95 TTFT is %.1f s, above the target of 2,000 ms".formatted(ttft / 1000));
            visit.assertNoBarriers();
            visit.field("Percentile").fill("95");
            assertThat(visit.liveAnswer()).containsText("TTFT p95");
            assertThat(words).hasCount(0);
            visit.startFrom("Mixed prompt lengths");
            assertThat(words).containsText("p95 TPOT is ");
        }
    }

    /// They never hold up the answer, nor stand beside another one.
    @Test
    void percentilesOfAnOlderAnswerAreGivenUp() {
        List<Route> held = new ArrayList<>();
        try (Visit visit = visit().answerSimulations(held::add)) {
            ready(visit);
            visit.page().waitForCondition(() -> !held.isEmpty());
            assertThat(visit.liveAnswer().locator(".beyond-means")).hasText("These are means; p95 is being simulated.");
            visit.field("Prefix cache hit rate").fill("0.5");
            visit.awaitAbandoned("fetch");

            assertThat(visit.liveAnswer().locator(".answer")).isVisible();
            assertThat(visit.liveAnswer().locator(".beyond-means")).hasCount(0);
            assertThat(held).hasSize(1);
        }
    }

    private static Visit ready(Visit visit) {
        visit.openSettings();
        assertThat(visit.liveAnswer()).containsText("Run 4 instances");
        return visit;
    }

    private static void answer(Route route, int status, String mediaType, String body) {
        route.fulfill(new Route.FulfillOptions()
                .setStatus(status)
                .setContentType(mediaType)
                .setBody(body));
    }
}
