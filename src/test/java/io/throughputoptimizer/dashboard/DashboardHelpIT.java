package io.throughputoptimizer.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.fixture.EveryNight;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// One glossary: what the docs say of a word, the help and the tooltips say too.
@EveryNight
class DashboardHelpIT extends BrowserTest {
    private static final Pattern WORD = Pattern.compile("^\\| ([^|]+) \\| ([^|]+) \\|$", Pattern.MULTILINE);

    private static Map<String, String> documented() throws IOException {
        String page = Files.readString(Path.of("docs", "start.md"));
        Map<String, String> words = new LinkedHashMap<>();
        WORD.matcher(page.substring(page.indexOf("## Words")))
                .results()
                .filter(row -> !row.group(1).equals("Word") && !row.group(1).equals("---"))
                .forEach(row -> words.put(row.group(1), row.group(2)));
        return words;
    }

    @Test
    void docsHelpAndTooltipsSayTheSame() throws IOException {
        try (Visit visit = visit().openPath("/help")) {
            assertThat(visit.page()).hasURL(Pattern.compile("/#/help$"));
            assertThat(visit.page().locator("#help-view h1")).hasText("Start");
            assertThat(visit.page().locator("#help-view h2")).hasCount(7);
            assertThat(visit.page().locator("#help-view pre").first()).containsText("curl -s localhost:8080");
            assertThat(visit.page().evaluate("async () => ({ ...(await import('/dashboard/glossary.js')).GLOSSARY })"))
                    .isEqualTo(documented());
            assertThat(visit.calls()).isEmpty();
            visit.assertNoBarriers();
        }
    }

    @Test
    void aHeadingSaysWhatItMeans() throws IOException {
        try (Visit visit = visit()) {
            visit.openJob(visit.askForId(Questions.SILICON));

            assertThat(visit.page()
                            .locator(".phase th")
                            .getByText("TTFT (ms)")
                            .first()
                            .locator("xpath=ancestor-or-self::th"))
                    .hasAttribute("title", documented().get("TTFT"));
            assertThat(visit.page().locator(".hero dt").getByText("TPOT").first())
                    .hasAttribute("title", documented().get("TPOT"));
        }
    }
}
