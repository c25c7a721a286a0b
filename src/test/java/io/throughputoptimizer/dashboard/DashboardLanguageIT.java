package io.throughputoptimizer.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.FilePayload;
import io.throughputoptimizer.fixture.EveryNight;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// The page in Simplified Chinese: every view is walked, and no phrase of it may be left in English.
@EveryNight
class DashboardLanguageIT extends BrowserTest {
    private static final String CAPACITY = """
            {"cost_model": "analytic", "model_id": "Qwen/Qwen3-32B", "devices": ["H100_SXM"], "num_devices": 64, "mode": "capacity",
             "demand": {"requests_per_s": 2.5}, "headroom": 0.2, "instance_sizes": [4, 8], "serving": {"compile": true},
             "workload": {"input_length": 3500, "output_length": 1500}, "slo": {"ttft_ms": 2000, "tpot_ms": 50},
             "objective": {"name": "cost_per_million_tokens", "price_per_device_hour": 2.5, "currency": "EUR"}}""";

    private ChineseWalk chinese() {
        ChineseWalk walk = ChineseWalk.with(visit());
        assertThat(walk.page().locator("h1").first()).hasText("规划部署");
        assertThat(walk.visit().liveAnswer()).hasAttribute("aria-busy", "false");
        return walk;
    }

    @Test
    void theFormAndItsAnswersAreChinese() {
        try (ChineseWalk walk = chinese()) {
            walk.visit().showSettings();
            for (Locator model : walk.page().locator("[name='/cost_model']").all()) {
                model.check();
                for (Locator mode :
                        walk.page().locator("[name='/mode']:enabled").all()) {
                    mode.check();
                    walk.look("form");
                }
            }
            for (Locator preset : walk.page().locator(".preset").all()) {
                preset.click();
                assertThat(walk.visit().liveAnswer()).hasAttribute("aria-busy", "false");
                walk.look("answer");
            }
            walk.visit().assertNoBarriers();
            walk.assertNothingIsLeft();
        }
    }

    @Test
    void plansOfAllKindsAreChinese() {
        try (ChineseWalk walk = chinese()) {
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
                walk.visit().openJob(walk.visit().askForId(question));
                walk.look("plan");
            }
            walk.visit().assertFitsTheWidth();
            walk.assertNothingIsLeft();
        }
    }

    @Test
    void allOtherViewsAreChinese() {
        try (ChineseWalk walk = chinese()) {
            String first = walk.visit().askForId(Questions.AGGREGATED_WITHIN_LIMITS);
            String second = walk.visit().askForId(Questions.SILICON);
            String pairs = walk.visit().askForId(Questions.PD_RATIO);
            walk.open("/jobs", "jobs");
            walk.visit().assertNoBarriers();
            walk.open("/compare/" + first + "," + second, "comparison");
            walk.open("/compare/" + first + "," + first, "comparison");
            walk.open("/compare/" + pairs + "," + walk.visit().askForId(Questions.PAIRS_SILICON), "comparison");
            walk.visit().assertNoBarriers();
            for (String view : List.of("sweeps", "measurements", "accuracy", "help")) {
                walk.open("/" + view, view);
                walk.visit().assertNoBarriers();
            }
            walk.open("/vary/" + first, "sweeps");
            walk.visit().assertNoBarriers();
            sweep(walk);
            portfolio(walk);
            measure(walk, second);
            share(walk, first);
            missing(walk);
            walk.assertNothingIsLeft();
        }
    }

    private static void sweep(ChineseWalk walk) {
        walk.page().locator(".vary-axis input").first().fill("2, 4");
        walk.page().locator(".vary .actions button").first().click();
        walk.page().locator(".vary-axis select").last().selectOption("/slo/tpot_ms");
        walk.page().locator(".vary-axis input").last().fill("1 to 50 in 13");
        walk.page().locator(".vary button.primary").click();
        assertThat(walk.page().locator(".badge")).hasText("已完成");
        assertThat(walk.page().locator(".heat-map td button").first()).isVisible();
        walk.look("sweep");
        walk.visit().assertNoBarriers();
        walk.page().locator("[data-chooser='每图一个取值']").selectOption("/slo/tpot_ms");
        assertThat(walk.page().locator(".heat-map")).hasCount(12);
        walk.look("small multiples");
        walk.page().locator("#sweeps-view .actions button.quiet").click();
        walk.look("question");
        walk.page().locator("dialog button").first().click();
    }

    /// What suffices, and then what does not.
    private static void portfolio(ChineseWalk walk) {
        walk.open("/portfolios", "portfolios");
        Locator run = walk.page().locator(".portfolio button.primary");
        Locator answer = walk.page().locator(".portfolio-answer");
        run.click();
        assertThat(answer.locator(".hero")).isVisible();
        walk.look("portfolio");
        walk.visit().assertNoBarriers();
        for (Locator count :
                walk.page().locator(".stock-line input[inputmode=numeric]").all()) {
            count.fill("1");
        }
        run.click();
        assertThat(answer).hasAttribute("aria-busy", "false");
        assertThat(answer).not().hasClass(Pattern.compile("stale"));
        walk.look("shortage");
    }

    private static void measure(ChineseWalk walk, String job) {
        walk.visit().openJob(job);
        Locator panel = walk.page().locator("details.measure");
        panel.locator("summary").first().click();
        panel.locator("input[type=text]").first().fill("0.11.0");
        panel.locator("input[type=file]")
                .setInputFiles(new FilePayload(
                        "run.json",
                        "application/json",
                        DashboardMeasurementsIT.run(9, 13.6, 275).getBytes(StandardCharsets.UTF_8)));
        assertThat(panel.locator("tbody tr")).hasCount(1);
        walk.look("measure");
        String set = panel.locator("a[href^='#/measurements/']").getAttribute("href");
        panel.locator("button.primary").click();
        assertThat(walk.page().locator(".learnt")).isVisible();
        walk.look("learnt");
        walk.open(set.substring(1), "measurements");
        assertThat(walk.page().locator("#measurements-view tbody").first()).isVisible();
        walk.look("set");
        walk.open("/measurements", "measurements");
        walk.visit().assertNoBarriers();
    }

    private static void share(ChineseWalk walk, String job) {
        walk.visit().openJob(job);
        Locator panel = walk.page().locator("details.shares");
        panel.locator("summary").click();
        panel.locator("button").first().click();
        assertThat(panel.locator(".share-list li")).hasCount(1);
        walk.look("shares");
        String link = panel.locator(".share-made input").inputValue();
        walk.open(link.substring(link.indexOf('#') + 1), "shared");
        walk.visit().assertNoBarriers();
    }

    private static void missing(ChineseWalk walk) {
        String none = "00000000-0000-0000-0000-000000000000";
        walk.visit().expectRefusal();
        walk.open("/jobs/" + none, "job");
        for (String route : List.of("/sweeps/", "/measurements/", "/vary/", "/s/")) {
            walk.visit().expectRefusal();
            walk.open(
                    route + none,
                    switch (route) {
                        case "/measurements/" -> "measurements";
                        case "/s/" -> "shared";
                        default -> "sweeps";
                    });
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
            assertThat(page.locator("#accuracy-view h1")).hasText("Accuracy: measured and modeled");
            assertThat(page.locator("html")).hasAttribute("lang", "en");
        }
    }

    private static String explained(String question) {
        return "{\"explain\": true, " + question.substring(1);
    }
}
