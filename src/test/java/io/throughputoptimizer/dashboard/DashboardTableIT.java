package io.throughputoptimizer.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.options.AriaRole;
import io.throughputoptimizer.fixture.EveryNight;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/// Long tables are read in parts, sorted, filtered and taken into spreadsheets.
@EveryNight
class DashboardTableIT extends BrowserTest {
    private static final String MANY_LAYOUTS = """
            {"cost_model": "analytic", "model_id": "Qwen/Qwen3-235B-A22B", "devices": ["H200_SXM"], "num_devices": 64, "slo": {"tpot_ms": 50},
             "quantization": {"linear": ["DISABLED", "FP8", "W8A8_DYNAMIC", "W8A16_DYNAMIC"]},
             "workload": {"input_length": 3500, "output_length": 1500}}""";
    private static final int LISTED = 20;

    /// The most columns that a table of aggregated plans has.
    private static final String RANKED_BY_COST = Questions.PERCENTILE_SILICON.replaceFirst(
            "\\{",
            "{\"explain\": true, \"objective\": {\"name\": \"cost_per_million_tokens\", \"price_per_device_hour\": 2.5,"
                    + " \"currency\": \"EUR\"}, ");

    private static final String SCROLLED = """
            () => [...document.querySelectorAll("#job-view *")]
              .filter((node) => getComputedStyle(node).overflowX === "auto")
              .filter((node) => node.scrollWidth > node.clientWidth || node.scrollHeight > node.clientHeight)
              .map((node) => node.getAttribute("aria-label") ?? node.className)""";

    @Test
    void aLongTableListsItsFirstRowsAndAllWhenAskedOrPrinted() {
        try (Visit visit = visit()) {
            JsonNode rows = open(visit);
            assertThat(rows.size()).isGreaterThan(LISTED);
            Locator table = table(visit);
            assertThat(lines(table)).hasCount(LISTED);

            table.getByText("All " + rows.size() + " rows").click();
            assertThat(lines(table)).hasCount(rows.size());
            visit.page().reload();
            assertThat(lines(table(visit))).hasCount(LISTED);
            visit.page().evaluate("dispatchEvent(new Event('beforeprint'))");
            assertThat(lines(table(visit))).hasCount(rows.size());
        }
    }

    @Test
    void aHeadingSortsUpwardsDownwardsAndBack() {
        try (Visit visit = visit()) {
            JsonNode rows = open(visit);
            Locator table = table(visit);
            table.getByText("All " + rows.size() + " rows").click();
            Locator heading = table.locator("th", new Locator.LocatorOptions().setHasText("TTFT"))
                    .first();
            int column = ((Number) heading.evaluate("node => node.cellIndex")).intValue();
            List<Double> ranked = figures(table, column);

            heading.getByRole(AriaRole.BUTTON).click();
            assertThat(heading).hasAttribute("aria-sort", "ascending");
            assertThat(figures(table, column))
                    .isEqualTo(ranked.stream().sorted().toList());
            heading.getByRole(AriaRole.BUTTON).click();
            assertThat(heading).hasAttribute("aria-sort", "descending");
            assertThat(figures(table, column))
                    .isEqualTo(ranked.stream().sorted(Comparator.reverseOrder()).toList());
            heading.getByRole(AriaRole.BUTTON).click();
            assertThat(figures(table, column)).isEqualTo(ranked);
        }
    }

    @Test
    void wordsFilterRowsAndTheRowsAreCopiedWithTabs() {
        try (Visit visit = visit()) {
            JsonNode rows = open(visit);
            visit.page().context().grantPermissions(List.of("clipboard-read", "clipboard-write"));
            Locator table = table(visit);
            long ofFp8 = rows.valueStream()
                    .filter(row -> row.toString().contains("\"FP8\""))
                    .count();
            assertThat(ofFp8).isBetween(1L, rows.size() - 1L);

            table.getByRole(AriaRole.SEARCHBOX).fill("fp8");
            assertThat(lines(table)).hasCount((int) ofFp8);
            assertThat(table).containsText(ofFp8 + " of " + rows.size() + " rows");
            Locator copy = table.locator(".table-tools button");
            copy.click();
            assertThat(copy).hasText("Copied");
            String copied = (String) visit.page().evaluate("navigator.clipboard.readText()");
            assertThat(copied.lines()).hasSize((int) ofFp8 + 1).allMatch(line -> line.contains("\t"));
            assertThat(copied.lines().findFirst().orElseThrow())
                    .contains("TTFT")
                    .contains("TPOT");
        }
    }

    @ParameterizedTest
    @MethodSource("plans")
    void tablesOfASavedPlanFitTheWindow(String question) {
        try (Visit visit = visit()) {
            visit.openJob(visit.askForId(question));
            assertThat(visit.page().locator("#job-view .table tbody tr").first())
                    .isVisible();

            assertThat(visit.page().evaluate(SCROLLED)).isEqualTo(List.of());
        }
    }

    private static List<String> plans() {
        return List.of(Questions.SILICON, RANKED_BY_COST, Questions.PAIRS_SILICON, MANY_LAYOUTS);
    }

    private static JsonNode open(Visit visit) {
        JsonNode job = visit.ask(MANY_LAYOUTS);
        visit.openJob(job.required("id").asString());
        return job.at("/result/devices/0/phases/0/rows");
    }

    private static Locator table(Visit visit) {
        return visit.page().locator(".phase > .table").first();
    }

    private static Locator lines(Locator table) {
        return table.locator("tbody tr");
    }

    private static List<Double> figures(Locator table, int column) {
        return table.locator("tbody tr td:nth-child(" + (column + 1) + ")").allInnerTexts().stream()
                .map(text -> Double.valueOf(text.replaceAll("[^\\d.]", "")))
                .toList();
    }
}
