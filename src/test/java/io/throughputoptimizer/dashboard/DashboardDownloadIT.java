package io.throughputoptimizer.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Download;
import com.microsoft.playwright.Locator;
import io.throughputoptimizer.fixture.EveryNight;
import java.io.IOException;
import java.nio.file.Files;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.json.JsonMapper;

/// What a planner takes along from the dashboard: files and command lines.
class DashboardDownloadIT extends BrowserTest {
    private static final Pattern ACCEPT = Pattern.compile("-H 'Accept: ([^']+)'");

    @ParameterizedTest
    @CsvSource({
        "JSON, application/json, json, 42342.494",
        "CSV,  text/csv,         csv,  42342.494",
        "Text, text/plain,       txt,  42342.49"
    })
    void aSavedFileIsWhatTheServiceAnswers(String button, String mediaType, String extension, String content)
            throws IOException {
        try (Visit visit = visit()) {
            String id = visit.askForId(Questions.PREFILL);
            visit.openJob(id);
            Download download =
                    visit.page().waitForDownload(() -> visit.button(button).click());

            assertThat(download.suggestedFilename()).isEqualTo("optimization-" + id + "." + extension);
            assertThat(Files.readString(download.path()))
                    .contains(content)
                    .isEqualTo(visit.get("/api/v1/optimizations/" + id + "/result", mediaType)
                            .text());
            assertThat(visit.page().getByText(button + " saved")).isVisible();
        }
    }

    @EveryNight
    @ParameterizedTest
    @CsvSource({
        "text table, text/plain,       Best Throughput: 120457.81 tokens/s",
        "JSON,       application/json, '\"batch_size\":8,'",
        "CSV,        text/csv,         TP=1 | PP=1 | DP=8"
    })
    void theCurlAsksTheSameQuestionInTheChosenFormat(String format, String mediaType, String content) {
        try (Visit visit = visit().open("/")) {
            visit.startFrom("Prefill instances");
            visit.page().getByText("The same with curl").first().click();
            visit.field("Answer as").selectOption(format);
            String curl = copied(visit, visit.page().locator("#plan-curl"));

            assertThat(curl)
                    .startsWith("curl -sS '" + visit.page().evaluate("location.origin")
                            + "/api/v1/optimizations?include=defaults' ");
            assertThat(acceptOf(curl)).isEqualTo(mediaType);
            assertThat(visit.answerTo(bodyOf(curl), mediaType)).contains(content);
        }
    }

    @Test
    @EveryNight
    void theCurlOfAJobAsksForItAgain() {
        try (Visit visit = visit()) {
            visit.openJob(visit.askForId(Questions.PREFILL));
            visit.page().locator(".question summary").click();
            Locator question = visit.page().locator(".question");
            question.getByLabel("Answer as").selectOption("JSON");
            String curl = copied(visit, question);

            assertThat(acceptOf(curl)).isEqualTo("application/json");
            assertThat(JsonMapper.shared()
                            .readTree(visit.answerTo(bodyOf(curl), "application/json"))
                            .at("/result/devices/0/phases/0/best/batch_size")
                            .asInt())
                    .isEqualTo(3);
        }
    }

    private static String copied(Visit visit, Locator panel) {
        panel.getByText("Copy").click();
        assertThat(panel.getByText("Copied")).isVisible();
        return (String) visit.page().evaluate("navigator.clipboard.readText()");
    }

    private static String acceptOf(String curl) {
        Matcher accept = ACCEPT.matcher(curl);
        assertThat(accept.find()).isTrue();
        return accept.group(1);
    }

    private static String bodyOf(String curl) {
        return curl.substring(curl.indexOf("-d '") + "-d '".length(), curl.length() - 1);
    }
}
