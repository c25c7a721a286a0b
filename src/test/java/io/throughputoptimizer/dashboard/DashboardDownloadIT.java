package io.throughputoptimizer.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Download;
import com.microsoft.playwright.Locator;
import io.throughputoptimizer.fixture.EveryNight;
import java.io.IOException;
import java.nio.file.Files;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.json.JsonMapper;

/// What a planner takes along from the dashboard: files and command lines.
@EveryNight
class DashboardDownloadIT extends BrowserTest {
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
            Download download = visit.download(button);

            assertThat(download.suggestedFilename()).isEqualTo("optimization-" + id + "." + extension);
            assertThat(Files.readString(download.path()))
                    .contains(content)
                    .isEqualTo(visit.get("/api/v1/optimizations/" + id + "/result", mediaType)
                            .text());
            assertThat(visit.page().getByText(button + " saved")).isVisible();
        }
    }

    @Test
    void theCurlOfAJobAsksForItAgain() {
        try (Visit visit = visit()) {
            visit.openJob(visit.askForId(Questions.PREFILL));
            visit.page().locator(".question summary").click();
            Locator question = visit.page().locator(".question");
            question.getByLabel("Response format").selectOption("JSON");
            question.getByText("Copy").click();
            assertThat(question.getByText("Copied")).isVisible();
            String curl = (String) visit.page().evaluate("navigator.clipboard.readText()");
            String body = curl.substring(curl.indexOf("-d '") + "-d '".length(), curl.length() - 1);

            assertThat(curl).contains("-H 'Accept: application/json'");
            assertThat(JsonMapper.shared()
                            .readTree(visit.answerTo(body, "application/json"))
                            .at("/result/devices/0/phases/0/best/batch_size")
                            .asInt())
                    .isEqualTo(3);
        }
    }
}
