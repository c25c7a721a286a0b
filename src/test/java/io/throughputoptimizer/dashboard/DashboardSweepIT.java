package io.throughputoptimizer.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import io.throughputoptimizer.fixture.EveryNight;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// A question varied along several axes, as a heat map whose fields open as plans.
class DashboardSweepIT extends BrowserTest {
    private static final Pattern FIGURE = Pattern.compile("^[\\d,.]+$");

    @Test
    @EveryNight
    void anAnswerIsVariedIntoAHeatMapWhoseFieldsOpenAsPlans() {
        try (Visit visit = visit()) {
            String job = visit.askForId(Questions.AGGREGATED);
            visit.openJob(job);
            visit.link("Vary…").click();
            assertThat(visit.page().locator("#sweeps-view h1")).containsText("Vary ");
            visit.assertNoBarriers();
            values(visit, 0).fill("2, 4");
            values(visit, 1).fill("500 to 2000 in 3 log");
            visit.button("Search all").click();

            Locator fields = visit.page().locator(".heat-map td button");
            assertThat(visit.page().locator(".badge")).hasText("succeeded");
            assertThat(fields).hasCount(6);
            assertThat(fields.last()).hasText(FIGURE);
            assertThat(visit.page().locator(".heat-map th[scope=col]"))
                    .hasText(new String[] {"/num_devices \\ /workload/input_length", "500", "1000", "2000"});
            visit.assertNoBarriers();
            visit.field("Down").selectOption("/workload/input_length");
            assertThat(visit.page().locator(".heat-map tbody th")).hasText(new String[] {"500", "1000", "2000"});
            assertThat(visit.page().locator("#sweeps-view header")).not().containsText("true");
            visit.field("Figure").selectOption("parallel");
            assertThat(fields.first()).containsText("TP=");
            fields.last().click();
            assertThat(visit.page().locator("#input-length")).hasValue("2000");
            assertThat(visit.page().locator("#num-devices")).hasValue("4");
        }
    }

    @EveryNight
    @Test
    void whatIsNoQuestionIsListedAndASweepIsDeleted() {
        try (Visit visit = visit()) {
            visit.open("/vary/" + visit.askForId(Questions.AGGREGATED));
            values(visit, 0).fill("2, 0");
            values(visit, 1).fill("");
            visit.button("Search all").click();

            assertThat(visit.page().locator(".badge")).hasText("succeeded");
            assertThat(visit.page().locator("#sweeps-view ul")).containsText("/num_devices 0: ");
            assertThat(visit.page().locator(".heat-map td button").last()).hasText("–");
            visit.open("/sweeps");
            visit.assertNoBarriers();
            visit.link("2 cells").first().click();
            visit.button("Delete…").click();
            visit.button("Delete it").click();
            assertThat(visit.page().locator("#sweeps-view h1")).hasText("Sweeps");
        }
    }

    /// Fractions that are whole read as the page writes them; an axis that is not shown has one of its values, or a map
    /// for each.
    @EveryNight
    @Test
    void aThirdAxisIsChosenByItsValueOrHasAMapForEach() {
        try (Visit visit = visit()) {
            visit.open("/vary/" + visit.askForId(Questions.AGGREGATED));
            values(visit, 0).fill("2, 4");
            values(visit, 1).fill("500, 1000");
            visit.button("Another axis").click();
            visit.page().locator(".vary-axis").nth(2).getByLabel("What").selectOption("/slo/tpot_ms");
            values(visit, 2).fill("30.0 to 50.5 in 2");
            visit.button("Search all").click();

            assertThat(visit.page().locator(".badge")).hasText("succeeded");
            assertThat(visit.page().locator(".heat-map td button").last()).hasText(FIGURE);
            visit.field("/slo/tpot_ms").selectOption("50.5");
            Locator fields = visit.page().locator(".heat-map td button");
            assertThat(fields.last()).hasText(FIGURE);
            List<String> alone = fields.allTextContents();

            visit.field("A map for each").selectOption("/slo/tpot_ms");
            assertThat(visit.page().locator(".heat-map caption"))
                    .hasText(new String[] {"/slo/tpot_ms 30", "/slo/tpot_ms 50.5"});
            assertThat(visit.field("/slo/tpot_ms")).hasCount(0);
            assertThat(fields).hasCount(8);
            assertThat(fields.allTextContents().subList(4, 8)).isEqualTo(alone);
            assertShadesGoByFigures(visit);
            visit.assertNoBarriers();
            fields.first().click();
            assertThat(visit.page().locator("#tpot")).hasValue("30");
            assertThat(visit.page().locator("#input-length")).hasValue("500");
        }
    }

    /// Of all maps together: what is larger is as dark or darker, and the extremes have the extreme shades.
    private static void assertShadesGoByFigures(Visit visit) {
        List<Double> figures = visit.page().locator(".heat-map td button").allTextContents().stream()
                .map(text -> Double.valueOf(text.replace(",", "")))
                .toList();
        List<Integer> shades = visit.page().locator(".heat-map td").all().stream()
                .map(field -> Integer.valueOf(field.getAttribute("class").replace("heat-", "")))
                .toList();
        List<Integer> inOrder = IntStream.range(0, figures.size())
                .boxed()
                .sorted(Comparator.comparing(figures::get))
                .map(shades::get)
                .toList();
        assertThat(inOrder).isSorted().startsWith(0).endsWith(7);
    }

    @Test
    void aRefusalIsSaidWhereItWasAsked() {
        try (Visit visit = visit().expectRefusal()) {
            visit.open("/vary/" + visit.askForId(Questions.AGGREGATED));
            values(visit, 0).fill("2, 2");
            visit.button("Search all").click();

            assertThat(visit.page().locator(".vary .problem")).containsText("values must be told apart");
        }
    }

    private static Locator values(Visit visit, int axis) {
        return visit.page().locator(".vary-axis").nth(axis).getByLabel("Values");
    }
}
