package io.throughputoptimizer.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.FilePayload;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// The page in Simplified Chinese: every view is walked, and no phrase of it may be left in English.
class DashboardLanguageIT extends BrowserTest {
    private static final String CAPACITY = """
            {"model_id": "Qwen/Qwen3-32B", "devices": ["H100_SXM"], "num_devices": 64, "mode": "capacity",
             "demand": {"requests_per_s": 2.5}, "headroom": 0.2, "instance_sizes": [4, 8], "serving": {"compile": true},
             "workload": {"input_length": 3500, "output_length": 1500}, "slo": {"ttft_ms": 2000, "tpot_ms": 50},
             "objective": {"name": "cost_per_million_tokens", "price_per_device_hour": 2.5, "currency": "EUR"}}""";

    /// Texts, and what assistive technology reads, of what is shown; commands and other code are no phrases.
    private static final String PHRASES = """
            () => {
              const found = new Set([document.title]);
              for (const node of document.body.querySelectorAll("*")) {
                if (!(node.closest("select") ?? node).checkVisibility()) {
                  continue;
                }
                ["title", "aria-label", "placeholder"].forEach((name) => found.add(node.getAttribute(name) ?? ""));
                if (!node.closest("code, pre, textarea, script, style, .set, [translate=no]")) {
                  node.childNodes.forEach((child) => child.nodeType === Node.TEXT_NODE && found.add(child.data));
                }
              }
              return [...found].map((text) => text.replace(/\\s+/g, " ").trim());
            }""";

    /// Notes what the service answers from now on: its texts are no phrases of the page.
    private static final String LISTEN = """
            () => {
              const ask = window.fetch;
              window.answered = [];
              window.asking = 0;
              window.fetch = async (...how) => {
                window.asking += 1;
                try {
                  const answer = await ask(...how);
                  if (answer.headers.get("Content-Type")?.includes("json") && answer.url.includes("/api/")) {
                    window.answered.push(await answer.clone().text());
                  }
                  return answer;
                } finally {
                  window.asking -= 1;
                }
              };
            }""";

    /// Sentences and other texts of several words that the service answered.
    private static final String ANSWERED = """
            () => [...new Set(window.answered.flatMap((text) => {
              const texts = [];
              JSON.parse(text, (_, value) => {
                if (typeof value === "string" && /\\w+( \\S+){3}/.test(value)) {
                  texts.push(value);
                }
                return value;
              });
              return texts;
            }))]""";

    /// Names and units: they are the same in every language.
    private static final Pattern NAMES = Pattern.compile(
            String.join(
                    "|",
                    "python -m .*|\\{ \".*}|JSON [Ll]ines|Hugging Face|vllm bench( serve)?",
                    "(aten|tensor_cast)\\.[\\w.]+|[\\w-]+\\.(md|json)",
                    "/[\\w/]+|[\\w.-]+/[\\w./-]+",
                    "\\w+_\\w+(\\([pd]\\))?",
                    "[A-Z]\\w+(-[\\w.]+)+",
                    "\\b[A-Z][A-Z0-9_-]+\\b|\\b\\w*\\d[\\w.-]*\\b",
                    "\\b(tokens?|ms|req|GB|TB|MoE|rank|trace|kernel|all-reduce|curl|gzip|id|log|name|values|graph|bins)\\b",
                    "\\b(throughput-optimizer|vllm(-ascend)?|sglang|trtllm|vLLM|SGLang|MindIE|GuideLLM|AIPerf|llm-d|Dynamo)\\b",
                    "\\b(Mooncake|Azure|BurstGPT|OpenAI|DeepSeek|gpt-oss|Qwen|Ascend|PCIe|PostgreSQL|Kubernetes|Deployment)\\b",
                    "\\b(LeaderWorkerSet|Roofline|Ctrl|Shift|optimizations|simulations|portfolios)\\b",
                    "\\b(documented|corrected|steady|calibrated|exhaustive|binary|exponential|down|qkv|nccl|chat|summaries)\\b"));

    private static final Pattern WORD = Pattern.compile("[A-Za-z]{3,}");

    private final Set<String> left = new TreeSet<>();

    private Visit chinese() {
        Visit visit = visit().open("/");
        assertThat(visit.liveAnswer()).containsText("Run 4 servers");
        visit.page().locator("#language").selectOption("zh");
        assertThat(visit.page().locator("h1").first()).hasText("规划部署");
        visit.page().evaluate(LISTEN);
        return visit;
    }

    /// Later visitors of this browser begin in English.
    private static void forget(Visit visit) {
        visit.page().evaluate("localStorage.clear()");
    }

    /// Unfolds all there is, and notes what of it is English.
    private void look(Visit visit, String where) {
        visit.page().evaluate("""
                () => document.querySelectorAll("details").forEach((node) => (node.open = true))""");
        visit.page().waitForCondition(() -> (Boolean) visit.page().evaluate("""
                async () => {
                  await new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)));
                  return window.asking === 0;
                }"""));
        List<?> answered = (List<?>) visit.page().evaluate(ANSWERED);
        for (Object phrase : (List<?>) visit.page().evaluate(PHRASES)) {
            String rest = withoutTexts(String.valueOf(phrase), answered);
            if (WORD.matcher(NAMES.matcher(rest).replaceAll(" ")).find()) {
                left.add(where + ": " + phrase);
            }
        }
    }

    /// The service begins sentences where the page does, or within one of the page's.
    private static String withoutTexts(String phrase, List<?> answered) {
        String rest = phrase;
        for (Object text : answered) {
            String words = String.valueOf(text).replaceAll("\\s+", " ");
            rest = rest.replace(words, " ").replace(Character.toUpperCase(words.charAt(0)) + words.substring(1), " ");
        }
        return rest;
    }

    private void assertNothingIsLeft() {
        assertThat(left.stream().collect(Collectors.joining("\n"))).isEmpty();
    }

    @Test
    void theFormAndItsAnswersAreChinese() {
        try (Visit visit = chinese()) {
            try {
                assertThat(visit.page().locator("html")).hasAttribute("lang", "zh-CN");
                for (Locator model :
                        visit.page().locator("[name='/cost_model']").all()) {
                    model.check();
                    for (Locator mode :
                            visit.page().locator("[name='/mode']:enabled").all()) {
                        mode.check();
                        look(visit, "form");
                    }
                }
                for (Locator preset : visit.page().locator(".preset").all()) {
                    preset.click();
                    assertThat(visit.liveAnswer()).hasAttribute("aria-busy", "false");
                    look(visit, "answer");
                }
                visit.assertNoBarriers();
            } finally {
                forget(visit);
            }
        }
        assertNothingIsLeft();
    }

    @Test
    void plansOfAllKindsAreChinese() {
        try (Visit visit = chinese()) {
            try {
                for (String question : List.of(
                        Questions.AGGREGATED,
                        Questions.MIXED_PREFILL,
                        Questions.DECODE,
                        Questions.PD_RATIO,
                        Questions.INFEASIBLE,
                        Questions.THREE_DEVICES,
                        Questions.SILICON,
                        Questions.PERCENTILE_SILICON,
                        Questions.ASCEND_SILICON,
                        Questions.EXPERTS_SILICON,
                        Questions.PAIRS_SILICON,
                        CAPACITY,
                        explained(Questions.SILICON),
                        explained(Questions.AGGREGATED_WITHIN_LIMITS),
                        explained(Questions.INFEASIBLE))) {
                    visit.openJob(visit.askForId(question));
                    look(visit, "plan");
                }
                visit.assertFitsTheWidth();
            } finally {
                forget(visit);
            }
        }
        assertNothingIsLeft();
    }

    @Test
    void allOtherViewsAreChinese() {
        try (Visit visit = chinese()) {
            try {
                String first = visit.askForId(Questions.AGGREGATED_WITHIN_LIMITS);
                String second = visit.askForId(Questions.SILICON);
                String pairs = visit.askForId(Questions.PD_RATIO);
                for (String view : List.of(
                        "/jobs",
                        "/compare/" + first + "," + second,
                        "/compare/" + first + "," + first,
                        "/compare/" + pairs + "," + visit.askForId(Questions.PAIRS_SILICON),
                        "/sweeps",
                        "/measurements",
                        "/accuracy",
                        "/help",
                        "/vary/" + first)) {
                    open(visit, view);
                    visit.assertNoBarriers();
                }
                sweep(visit);
                portfolio(visit);
                measure(visit, second);
                share(visit, first);
                missing(visit);
            } finally {
                forget(visit);
            }
        }
        assertNothingIsLeft();
    }

    /// A view is shown, and looked at.
    private void open(Visit visit, String route) {
        visit.open(route);
        assertThat(visit.page().locator("main section:not([hidden]) h1")).isVisible();
        assertThat(visit.page().locator(".loading")).hasCount(0);
        look(visit, route.replaceAll("/[0-9a-f-]{36}.*", ""));
    }

    private void sweep(Visit visit) {
        visit.page().locator(".vary-axis input").first().fill("2, 4");
        visit.page().locator(".vary .actions button").first().click();
        visit.page().locator(".vary-axis select").last().selectOption("/slo/tpot_ms");
        visit.page().locator(".vary-axis input").last().fill("1 to 50 in 13");
        visit.page().locator(".vary button.primary").click();
        assertThat(visit.page().locator(".badge")).hasText("已完成");
        assertThat(visit.page().locator(".heat-map td button").first()).isVisible();
        look(visit, "sweep");
        visit.assertNoBarriers();
        visit.page().locator("[data-chooser='A map for each']").selectOption("/slo/tpot_ms");
        assertThat(visit.page().locator(".heat-map")).hasCount(12);
        look(visit, "small multiples");
        visit.page().locator("#sweeps-view .actions button.quiet").click();
        look(visit, "question");
        visit.page().locator("dialog button").first().click();
    }

    private void portfolio(Visit visit) {
        open(visit, "/portfolios");
        visit.page().locator(".portfolio button.primary").click();
        assertThat(visit.page().locator(".portfolio-answer .hero")).isVisible();
        look(visit, "portfolio");
        visit.assertNoBarriers();
    }

    private void measure(Visit visit, String job) {
        visit.openJob(job);
        visit.page().locator("details.measure > summary").click();
        Locator panel = visit.page().locator("details.measure");
        panel.locator("input[type=text]").first().fill("0.11.0");
        panel.locator("input[type=file]")
                .setInputFiles(new FilePayload(
                        "run.json",
                        "application/json",
                        DashboardMeasurementsIT.run(9, 13.6, 275).getBytes(StandardCharsets.UTF_8)));
        assertThat(panel.locator("tbody tr")).hasCount(1);
        look(visit, "measure");
        panel.locator("a[href^='#/measurements/']").click();
        assertThat(visit.page().locator("#measurements-view h1")).isVisible();
        assertThat(visit.page().locator("#measurements-view tbody")).isVisible();
        look(visit, "set");
        open(visit, "/measurements");
        visit.assertNoBarriers();
    }

    private void share(Visit visit, String job) {
        visit.openJob(job);
        Locator panel = visit.page().locator("details.shares");
        panel.locator("summary").click();
        panel.locator("button").first().click();
        assertThat(panel.locator(".share-list li")).hasCount(1);
        look(visit, "shares");
        String link = panel.locator(".share-made input").inputValue();
        open(visit, link.substring(link.indexOf('#') + 1));
        visit.assertNoBarriers();
    }

    private void missing(Visit visit) {
        for (String view : List.of("/jobs/", "/sweeps/", "/measurements/", "/vary/", "/s/")) {
            visit.expectRefusal();
            open(visit, view + "00000000-0000-0000-0000-000000000000");
        }
    }

    /// Without a choice the reader's own languages decide; the one that was made outlasts the page.
    @Test
    void theBrowserSaysTheLanguageUntilOneIsChosen() {
        try (Visit visit = visit();
                BrowserContext reader = visit.page()
                        .context()
                        .browser()
                        .newContext(new Browser.NewContextOptions().setLocale("zh-CN"))) {
            Page page = reader.newPage();
            page.navigate(visit.origin() + "/#/jobs");
            assertThat(page.locator("#jobs-view h1")).hasText("任务");
            assertThat(page.locator("html")).hasAttribute("lang", "zh-CN");
            page.locator("#language").selectOption("en");
            assertThat(page.locator("#jobs-view h1")).hasText("Jobs");
            page.navigate(visit.origin() + "/#/accuracy");
            page.reload();
            assertThat(page.locator("#accuracy-view h1")).hasText("Measured against modelled");
            assertThat(page.locator("html")).hasAttribute("lang", "en");
        }
    }

    private static String explained(String question) {
        return "{\"explain\": true, " + question.substring(1);
    }
}
