package io.throughputoptimizer.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Download;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Request;
import com.microsoft.playwright.options.Media;
import io.throughputoptimizer.fixture.EveryNight;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// An answer as one file that is read without the service, without a network and without scripts.
@EveryNight
class DashboardReportIT extends BrowserTest {
    private static final String PRICED = Questions.SILICON.replaceFirst(
            "\\{",
            "{\"objective\": {\"name\": \"cost_per_million_tokens\", \"price_per_device_hour\": 2.5, \"currency\": \"EUR\"}, ");

    /// What the file would ask for, its namespaces aside; and what could only be clicked.
    private static final String REFERENCES = """
            () => [...document.querySelectorAll("*")]
              .flatMap((node) => [...node.attributes].map(({ name, value }) => [node.localName, name, value]))
              .filter(([, name, value]) => ["src", "href", "srcset", "action", "data"].includes(name) && !value.startsWith("data:image/png;")
                || name.startsWith("on"))
              .map(String)""";

    private static final String CLICKABLE =
            "script, button, a, input, select, textarea, iframe, object, link, base, form";

    /// How many pictures show something.
    private static final String PICTURES =
            "() => [...document.images].filter(({ naturalWidth }) => naturalWidth >= 960).length";

    @TempDir
    private Path folder;

    @Test
    void aSavedPlanIsOneFile() throws IOException {
        try (Visit visit = visit(Look.DARK)) {
            JsonNode job = visit.ask(PRICED);
            String id = job.required("id").asString();
            visit.openJob(id);
            Download file = visit.download("Report");

            assertThat(file.suggestedFilename()).isEqualTo("optimization-" + id + ".html");
            read(visit, file, report -> {
                holdsTheAnswer(report, job);
                assertThat(report.locator("h1")).hasText("Qwen/Qwen3-32B on 8 × H100_SXM");
                assertThat(report.locator(".meaning")).containsText("It costs EUR 14,600 per month");
                assertThat(report.locator("body"))
                        .containsText(Pattern.compile("Planned .+ by throughput-optimizer \\d+\\.\\d+"));
                assertThat(report.locator("h1")).hasCSS("color", "rgb(23, 33, 29)");
                assertThat(report.locator(".fill").first()).hasCSS("print-color-adjust", "exact");
            });
            // The page itself is as it was.
            assertThat(visit.page().locator(".on-paper, main img")).hasCount(0);
            assertThat(visit.page().locator(".chart canvas").first()).isVisible();
        }
    }

    @Test
    void aReportFollowsTheColorSchemeAndUsesTheWidth() throws IOException {
        try (Visit visit = visit()) {
            visit.openJob(visit.askForId(PRICED));
            Path saved = Files.copy(visit.download("Report").path(), folder.resolve("dark.html"));
            try (BrowserContext wide = visit.page()
                    .context()
                    .browser()
                    .newContext(Look.DARK.options().setViewportSize(1920, 1080).setOffline(true))) {
                Page report = wide.newPage();
                report.navigate(saved.toUri().toString());
                assertThat(report.locator("body")).hasCSS("background-color", "rgb(24, 32, 29)");
                assertThat(report.locator("h1")).hasCSS("color", "rgb(231, 238, 234)");
                assertThat(report.locator(".chart-card h3").first()).hasCSS("color", "rgb(23, 33, 29)");
                assertThat(report.locator("main").boundingBox().width).isGreaterThan(1800);
                new Visit(report, 0, Look.DARK, () -> {}).assertNoBarriers();

                report.emulateMedia(new Page.EmulateMediaOptions().setMedia(Media.PRINT));
                assertThat(report.locator("h1")).hasCSS("color", "rgb(23, 33, 29)");
                assertThat(report.locator("html")).hasCSS("color-scheme", "light");
            }
        }
    }

    /// Names reach the file as text, whatever they are.
    @Test
    void aLinkAndALiveAnswerAreTheSameFileInTheLanguageOfThePage() throws IOException {
        try (ChineseWalk walk = ChineseWalk.with(visit())) {
            Visit visit = walk.visit();
            assertThat(visit.liveAnswer()).hasAttribute("aria-busy", "false");
            JsonNode live = visit.ask(visit.askedLive().getLast());
            visit.page().locator(".menu summary").click();
            Download file = visit.page()
                    .waitForDownload(
                            () -> visit.page().locator(".menu button").first().click());
            assertThat(file.suggestedFilename()).isEqualTo("plan.html");
            read(visit, file, report -> {
                holdsTheAnswer(report, live);
                assertThat(report.locator("html")).hasAttribute("lang", "zh-CN");
                assertThat(report.locator("h2").first()).hasText("摘要");
                assertThat(report.locator("body")).containsText(Pattern.compile("由 throughput-optimizer .+ 规划于 "));
            });
        }
        try (Visit visit = visit()) {
            JsonNode job = visit.ask(DashboardHostileNamesIT.QUESTION);
            visit.open("/s/" + visit.share(job.required("id").asString()));
            Download file = visit.download("Report");

            assertThat(file.suggestedFilename()).isEqualTo("plan.html");
            read(visit, file, report -> {
                holdsTheAnswer(report, job);
                assertThat(report.locator(".meaning")).containsText(DashboardHostileNamesIT.LABEL);
            });
        }
    }

    private static void holdsTheAnswer(Page report, JsonNode job) {
        JsonNode phase = job.at("/result/devices/0/phases/0");
        JsonNode best = phase.at("/rows/0");
        String tokens = DashboardSiliconIT.rounded(best, "tokens_per_s", 0);
        assertThat(report.locator(".meaning")).containsText(tokens);
        assertThat(report.locator(".answer")).containsText(tokens);
        assertThat(report.locator(".limit-bars li.binds")).hasCount(1);
        assertThat(report.locator(".answer .assumed")).isVisible();
        assertThat(report.locator("pre").first()).containsText("vllm serve");
        assertThat(report.locator(".table").first().locator("tbody tr"))
                .hasCount(phase.required("rows").size());
        assertThat(report.locator("table").first())
                .containsText("%,.1f".formatted(best.required("tokens_per_s").doubleValue()));
        assertThat(report.locator(".bar").first()).isVisible();
        assertThat(report.evaluate(PICTURES))
                .isEqualTo(report.locator(".chart-card").count());
        assertThat(report.locator(".chart-card").count()).isPositive();
        assertThat(report.evaluate(REFERENCES)).isEqualTo(List.of());
        assertThat(report.locator(CLICKABLE)).hasCount(0);
        assertThat((Boolean) report.evaluate("() => document.documentElement.scrollWidth <= innerWidth"))
                .isTrue();
    }

    private void read(Visit visit, Download file, Consumer<Page> reader) throws IOException {
        Path saved = Files.copy(file.path(), folder.resolve("report-" + file.hashCode() + ".html"));
        List<Request> requests = new ArrayList<>();
        try (BrowserContext offline = visit.page()
                .context()
                .browser()
                .newContext(new Browser.NewContextOptions()
                        .setJavaScriptEnabled(false)
                        .setOffline(true))) {
            offline.onRequest(requests::add);
            Page page = offline.newPage();
            page.navigate(saved.toUri().toString());
            reader.accept(page);
        }
        try (BrowserContext scripted =
                visit.page().context().browser().newContext(Look.LIGHT.options().setOffline(true))) {
            Page page = scripted.newPage();
            page.navigate(saved.toUri().toString());
            new Visit(page, 0, Look.LIGHT, () -> {}).assertNoBarriers();
        }
        assertThat(requests)
                .extracting(Request::url)
                .allMatch(url -> url.equals(saved.toUri().toString()) || url.startsWith("data:"));
    }
}
