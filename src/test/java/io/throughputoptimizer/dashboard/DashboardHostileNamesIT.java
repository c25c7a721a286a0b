package io.throughputoptimizer.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.fixture.EveryNight;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Texts that one planner stored are texts on the page of another: nothing of them becomes an element, or runs.
@EveryNight
class DashboardHostileNamesIT extends BrowserTest {
    /// As much as a label of prices holds.
    static final String LABEL = "<svg/onload=a()>";

    private static final String MARKUP = "</script><img src=x onerror=document.title='ran'><a href=javascript:a()>x</a>"
            + "<iframe srcdoc='<script>parent.document.title=1</script>'>{{1+1}}${1+1}";

    static final String QUESTION = "{\"objective\": {\"name\": \"cost_per_million_tokens\","
            + " \"price_per_device_hour\": 2.5, \"currency\": \"" + LABEL + "\"}, \"explain\": true, "
            + Questions.SILICON
                    .substring(1)
                    .replace("\"backend\": \"vllm\"", "\"backend\": \"vllm\", \"version\": \"" + MARKUP + "\"");

    /// A browser that is led to an answer itself shows it, and takes none of it for a page.
    @Test
    void answersAreNoPages() {
        try (Visit visit = visit()) {
            String job = "/api/v1/optimizations/" + visit.askForId(QUESTION);
            for (String part : List.of("", "/result", "/curves", "/launch?engine=vllm", "?include=all")) {
                visit.openPath(job + part);
                assertThat(visit.page().locator("svg[onload], img, iframe")).hasCount(0);
                assertThat(visit.page().title()).isNotIn("ran", "1");
            }
            for (String type : List.of("text/plain", "application/json")) {
                assertThat(visit.get(job + "/curves", type).headers())
                        .containsEntry("x-content-type-options", "nosniff")
                        .hasEntrySatisfying(
                                "content-security-policy",
                                policy -> assertThat(policy).startsWith("default-src 'none'"));
                assertThat(visit.get(job + "/curves", type).text()).doesNotContain("<svg/", "<img");
            }
        }
    }
}
