package io.throughputoptimizer.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.APIResponse;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.AriaRole;
import io.throughputoptimizer.fixture.EveryNight;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// What the page takes of a browser and of a line: it grows neither with the rows of a result nor unseen.
@EveryNight
class DashboardSizeIT extends BrowserTest {
    private static final int ROWS = 2_000;
    private static final int MOST_NODES = 8_000;
    private static final int MOST_PIXELS = 9_000;

    private static final int MOST_REQUESTS = 15;

    private static final int MOST_BYTES = 220_000;
    private static final int SMALLEST_COMPRESSED = 2_048;

    private static final String NODES = "document.querySelectorAll('*').length";

    /// Of the page and each resource: its name, what was transferred of it, and what it came to.
    private static final String LOADED = """
            [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
              .map(({ name, encodedBodySize, decodedBodySize }) =>
                ({ name, encoded: encodedBodySize, decoded: decodedBodySize }))""";

    @Test
    void twoThousandRowsAreNoMoreThanTwenty() {
        try (Visit visit = visit()) {
            String id = visit.askForId(Questions.AGGREGATED);
            visit.page().route("**/api/v1/optimizations/" + id + "?*", DashboardSizeIT::answerManyRows);
            visit.openJob(id);
            Locator table = visit.page().locator(".phase > .table").first();
            assertThat(table.locator("tbody tr")).hasCount(20);
            assertThat(table).containsText("All 2000 rows");

            assertThat(((Number) visit.page().evaluate(NODES)).intValue())
                    .as("nodes")
                    .isLessThan(MOST_NODES);
            assertThat(((Number) visit.page().evaluate("document.documentElement.scrollHeight")).intValue())
                    .as("height")
                    .isLessThan(MOST_PIXELS);
            table.getByRole(AriaRole.SEARCHBOX).fill("no row has this");
            assertThat(table).containsText("0 of 2000 rows");
            table.getByRole(AriaRole.SEARCHBOX).fill("");
            assertThat(table.locator("tbody tr")).hasCount(20);
            visit.assertNoBarriers();
        }
    }

    /// All modules come as one script and all style sheets as one sheet, where the build has the bundler's program;
    /// what is large comes compressed.
    @Test
    @EnabledOnOs(value = OS.LINUX, architectures = "amd64")
    void aColdLoadIsSmall() {
        try (Visit visit = visit().openSettings()) {
            assertThat(visit.liveAnswer()).containsText("Run 4 instances");
            JsonNode loaded = JsonMapper.shared().valueToTree(visit.page().evaluate(LOADED));
            List<String> names = loaded.valueStream()
                    .map(one -> one.required("name")
                            .asString()
                            .substring(visit.origin().length()))
                    .toList();

            assertThat(names)
                    .filteredOn(name -> name.endsWith(".js") || name.endsWith(".css"))
                    .containsExactlyInAnyOrder("/dashboard/main.js", "/dashboard/style.css");
            assertThat(names).hasSizeLessThan(MOST_REQUESTS);
            assertThat(loaded.valueStream()
                            .mapToInt(one -> one.required("encoded").intValue())
                            .sum())
                    .as(names + ", bytes")
                    .isLessThan(MOST_BYTES);
            assertThat(loaded.valueStream()
                            .filter(one -> one.required("decoded").intValue() > SMALLEST_COMPRESSED
                                    && one.required("encoded").intValue()
                                            >= one.required("decoded").intValue())
                            .map(one -> one.required("name").asString())
                            .toList())
                    .as("not compressed")
                    .isEmpty();
        }
    }

    private static void answerManyRows(Route route) {
        APIResponse answer = route.fetch();
        JsonNode job = JsonMapper.shared().readTree(answer.text());
        ObjectNode phase = (ObjectNode) job.at("/result/devices/0/phases/0");
        ArrayNode rows = (ArrayNode) phase.required("rows");
        for (int rank = rows.size() + 1; rank <= ROWS; rank++) {
            rows.add(((ObjectNode) rows.get(0)).deepCopy().put("rank", rank));
        }
        route.fulfill(new Route.FulfillOptions()
                .setStatus(answer.status())
                .setContentType("application/json")
                .setBody(job.toString()));
    }
}
