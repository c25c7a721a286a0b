package io.throughputoptimizer.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/// A visitor who reads the page in Simplified Chinese, and notes what of it is English.
final class ChineseWalk implements AutoCloseable {
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

    /// Notes what the service answers from the first request of the page on: its texts are no phrases of the page.
    private static final String LISTEN = """
            (() => {
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
            })();""";

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
                    "Authorization: Bearer KEY|python -m .*|\\{ \".*}|JSON [Ll]ines|Hugging Face|vllm bench( serve)?",
                    "--[\\w-]+|(aten|tensor_cast)\\.[\\w.]+|[\\w-]+\\.(md|json)",
                    "/[\\w/]+|[\\w.-]+/[\\w./-]+",
                    "\\w+_\\w+(\\([pd]\\))?",
                    "[A-Z]\\w+(-[\\w.]+)+",
                    "\\b[A-Z][A-Z0-9_-]+\\b|\\b\\w*\\d[\\w.-]*\\b",
                    "\\b(tokens?|ms|req|GB|GiB|TB|MoE|rank|trace|kernel|all-reduce|curl|gzip|id|log|name|values|graph|bins)\\b",
                    "\\b(throughput-optimizer|vllm(-ascend)?|sglang|trtllm|vLLM|SGLang|MindIE|GuideLLM|AIPerf|llm-d|Dynamo)\\b",
                    "\\b(Mooncake|Azure|BurstGPT|OpenAI|DeepSeek|gpt-oss|gemma|nginx|granite|Qwen|Ascend|PCIe|PostgreSQL|Kubernetes|Deployment)\\b",
                    "\\b(msmodeling|Pareto|LeaderWorkerSet|KServe|LLMInferenceService|[Rr]oofline|Ctrl|Shift|optimizations|simulations|portfolios)\\b",
                    "\\b(documented|corrected|steady|analytic|calibrated|serving|exhaustive|binary|exponential|down|qkv|nccl|chat|summaries)\\b"));

    private static final Pattern WORD = Pattern.compile("[A-Za-z]{3,}");

    private final Visit visit;
    private final Set<String> left = new TreeSet<>();

    private ChineseWalk(Visit visit) {
        this.visit = visit;
    }

    /// Begins at the form, in the language that was chosen before the page was loaded.
    static ChineseWalk with(Visit visit) {
        visit.open("/");
        visit.page().evaluate("localStorage.setItem('language', 'zh')");
        visit.page().addInitScript(LISTEN);
        visit.page().reload();
        assertThat(visit.page().locator("html")).hasAttribute("lang", "zh-CN");
        return new ChineseWalk(visit);
    }

    Visit visit() {
        return visit;
    }

    Page page() {
        return visit.page();
    }

    /// A view is shown, and looked at.
    ///
    /// @param view its id, without what all end with
    void open(String route, String view) {
        page().evaluate("""
                () => document.querySelectorAll("main section:not(#plan-view) h1").forEach((node) => node.remove())""");
        visit.open(route);
        assertThat(page().locator("#" + view + "-view h1")).isVisible();
        assertThat(page().locator(".loading")).hasCount(0);
        look(route.replaceAll("/[0-9a-f-]{36}.*", ""));
    }

    /// Unfolds all there is, and notes what of it is English.
    void look(String where) {
        page().evaluate("""
                () => document.querySelectorAll("details").forEach((node) => (node.open = true))""");
        page().waitForCondition(() -> (Boolean) page().evaluate("""
                async () => {
                  await new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)));
                  return window.asking === 0;
                }"""));
        // What is shown was answered before: the page may ask again meanwhile.
        List<?> phrases = (List<?>) page().evaluate(PHRASES);
        List<?> answered = (List<?>) page().evaluate(ANSWERED);
        for (Object phrase : phrases) {
            if (hasWords(String.valueOf(phrase)) && hasWords(withoutTexts(String.valueOf(phrase), answered))) {
                left.add(where + ": " + phrase);
            }
        }
    }

    private static boolean hasWords(String phrase) {
        return WORD.matcher(NAMES.matcher(phrase).replaceAll(" ")).find();
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

    void assertNothingIsLeft() {
        assertThat(String.join("\n", left)).isEmpty();
    }

    /// Later visitors of this browser begin in English.
    @Override
    public void close() {
        page().evaluate("localStorage.clear()");
        visit.close();
    }
}
