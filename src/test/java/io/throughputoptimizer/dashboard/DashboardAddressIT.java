package io.throughputoptimizer.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.BrowserContext;
import io.throughputoptimizer.fixture.EveryNight;
import io.throughputoptimizer.web.frozen.DrawnSearches;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

/// The address holds the question: reload, back and a link bring it all back.
@EveryNight
class DashboardAddressIT extends BrowserTest {
    private static final int PLANS = 50;
    private static final Pattern QUESTION = Pattern.compile("#/plan/Qwen/Qwen3-32B\\?gpu=4xH100_SXM&.*tpot=31ms.*$");

    /// Opens each saved plan for a change, takes another engine and comes back. Returns the bodies that differ from
    /// those of the same question in a fresh form.
    private static final String BETWEEN_ENGINES = """
            async (plans) => {
              const { showRequest } = await import("/dashboard/main.js");
              const { readJson, writeJson } = await import("/dashboard/infinite.js");
              const { readRequest } = await import("/dashboard/fields.js");
              const form = document.getElementById("plan");
              const view = document.getElementById("plan-view");
              const body = () => writeJson(readRequest(form));
              const turnTo = (engine) => {
                const control = document.getElementById("backend");
                control.value = engine;
                ["input", "change"].forEach((event) => control.dispatchEvent(new Event(event, { bubbles: true })));
                return body();
              };
              const fresh = (question, backend) => {
                const asked = readJson(question);
                showRequest({ ...asked, engine: { ...asked.engine, backend } });
                return body();
              };
              const differ = [];
              for (const { id, question, engine, other } of plans) {
                const left = new Promise((gone) => window.addEventListener("hashchange", gone, { once: true }));
                location.hash = `/again/${id}`;
                await left;
                do {
                  await new Promise((later) => setTimeout(later));
                } while (view.hidden);
                const changed = [body(), turnTo(other), turnTo(engine)];
                const anew = [fresh(question, engine), fresh(question, other), fresh(question, engine)];
                if (changed.join() !== anew.join()) {
                  differ.push([changed, anew]);
                }
              }
              return differ;
            }""";

    /// Digits that no compression makes short.
    private static final String FILL_IN_A_LONG_CONFIGURATION = """
            () => {
              const field = document.getElementById("model-config");
              field.value = JSON.stringify({ names: Array.from({ length: 2000 }, Math.random) });
              field.dispatchEvent(new Event("input", { bubbles: true }));
            }""";

    /// An engine's defaults are no part of a plan that is changed to another engine.
    @Test
    void savedPlansThatChangeTheirEngineAndBackAreFreshQuestions() {
        List<String> engines = List.of("vllm", "sglang", "trtllm");
        try (Visit visit = visit().unansweredWhileWritten()) {
            List<Map<String, String>> plans = DrawnSearches.evenly(8 * PLANS).stream()
                    .filter(question -> engines.contains(engineOf(question)) && !question.contains("\"explain\""))
                    .flatMap(question -> visit.idIfAnswered(question).stream()
                            .map(id -> Map.of(
                                    "id",
                                    id,
                                    "question",
                                    question,
                                    "engine",
                                    engineOf(question),
                                    "other",
                                    engines.get((engines.indexOf(engineOf(question)) + 1) % engines.size()))))
                    .limit(PLANS)
                    .toList();
            assertThat(plans).hasSize(PLANS);
            visit.openSettings();
            assertThat(visit.field("Model")).hasValue("Qwen/Qwen3-32B");

            assertThat(visit.page().evaluate(BETWEEN_ENGINES, plans)).isEqualTo(List.of());
        }
    }

    private static String engineOf(String question) {
        return JsonMapper.shared().readTree(question).at("/engine/backend").asString("");
    }

    @Test
    void reloadAndBackBringTheQuestionBack() {
        try (Visit visit = visit().openSettings()) {
            assertThat(visit.liveAnswer()).containsText("Run 4 instances");
            assertThat(visit.page().url()).endsWith("#/");
            visit.field("Devices").fill("4");
            visit.field("TPOT target (ms)").fill("31");
            assertThat(visit.liveAnswer()).containsText("of 31 ms");
            assertThat(visit.page()).hasURL(QUESTION);
            String body = visit.askedLive().getLast();
            visit.page().reload();

            assertThat(visit.field("Devices")).hasValue("4");
            assertThat(visit.liveAnswer()).containsText("of 31 ms");
            assertThat(visit.askedLive().getLast()).isEqualTo(body);
            visit.link("Jobs").click();
            assertThat(visit.page().locator("#jobs-view h1")).isVisible();
            visit.page().goBack();

            assertThat(visit.field("TPOT target (ms)")).hasValue("31");
            assertThat(visit.liveAnswer()).containsText("of 31 ms");
            assertThat(visit.page()).hasURL(QUESTION);
            visit.startFrom("Calibrated");
            assertThat(visit.field("Devices")).hasValue("8");
            visit.page().reload();

            assertThat(visit.field("Devices")).hasValue("8");
            visit.assertNoBarriers();
        }
    }

    /// A colleague opens it in a browser of their own.
    @Test
    void aLinkOpensWithItsQuestionAndAnswer() {
        try (Visit visit = visit().openSettings()) {
            BrowserContext mine = visit.page().context();
            mine.grantPermissions(List.of("clipboard-read", "clipboard-write"));
            visit.field("Input length").fill("2007");
            assertThat(visit.liveAnswer()).hasAttribute("aria-busy", "false");
            visit.button("Copy link").click();
            assertThat(visit.button("Copied")).isVisible();
            String link = (String) visit.page().evaluate("navigator.clipboard.readText()");
            String body = visit.askedLive().getLast();
            try (Visit colleague = visit().openPath(link.substring(link.indexOf("/#")))) {
                assertThat(colleague.field("Input length")).hasValue("2007");
                assertThat(colleague.liveAnswer()).containsText("Run ");
                assertThat(JsonMapper.shared().readTree(colleague.askedLive().getLast()))
                        .isEqualTo(JsonMapper.shared().readTree(body));
            }
        }
    }

    @Test
    void aReadableAddressOpensItsQuestion() {
        try (Visit visit = visit().open("/plan/Qwen/Qwen3-8B?gpu=2xH200_SXM&in=2000&out=500&ttft=1s&tpot=40ms&p=95")) {
            assertThat(visit.field("Model")).hasValue("Qwen/Qwen3-8B");
            assertThat(visit.page().locator("#device-choices input:checked")).hasValue("H200_SXM");
            assertThat(visit.field("Devices")).hasValue("2");
            assertThat(visit.field("Input length")).hasValue("2000");
            assertThat(visit.field("Output length")).hasValue("500");
            assertThat(visit.field("TTFT target (ms)")).hasValue("1000");
            assertThat(visit.field("TPOT target (ms)")).hasValue("40");
            assertThat(visit.field("Percentile")).hasValue("95");
            assertThat(visit.liveAnswer()).containsText("of 40 ms");
        }
    }

    @Test
    void aLinkThatWasCutIsSaidToHoldNoQuestion() {
        try (Visit visit = visit().unansweredWhileWritten().open("/q/q1YqSwVi")) {
            assertThat(visit.page().locator("#alert")).containsText("This link holds no request");
            assertThat(visit.field("Model")).hasValue("Qwen/Qwen3-32B");
        }
    }

    @Test
    void whatIsTooLongForALinkSaysSo() {
        try (Visit visit = visit().unansweredWhileWritten().openSettings()) {
            assertThat(visit.field("Model")).hasValue("Qwen/Qwen3-32B");
            visit.page().evaluate(FILL_IN_A_LONG_CONFIGURATION);
            visit.button("Copy link").click();

            assertThat(visit.button("Too long")).isVisible();
            assertThat(visit.page()).hasURL(Pattern.compile("#/$"));
        }
    }
}
