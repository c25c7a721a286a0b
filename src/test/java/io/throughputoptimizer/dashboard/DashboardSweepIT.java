package io.throughputoptimizer.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.options.BoundingBox;
import io.throughputoptimizer.fixture.EveryNight;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A question varied along several axes, as a heat map whose fields open as plans.
@EveryNight
class DashboardSweepIT extends BrowserTest {
    private static final Pattern FIGURE = Pattern.compile("^[\\d,.]+$");

    /// Contrast of fields with their table, as WCAG counts it; all at once, for a table is drawn anew while cells end.
    private static final String CONTRASTS = """
            (selectors) => selectors.map((selector) => document.querySelector(selector)).map((field) => {
              const luminance = (node) => {
                const parts = getComputedStyle(node).backgroundColor.match(/[\\d.]+/g).slice(0, 3);
                const [red, green, blue] = parts.map((part) => part / 255).map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
                return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
              };
              const both = [luminance(field), luminance(field.closest(".table"))].sort((one, other) => other - one);
              return String(Math.fround((both[0] + 0.05) / (both[1] + 0.05)));
            })""";

    @Test
    void whatIsNoQuestionIsListedAndASweepIsDeleted() {
        try (Visit visit = visit()) {
            visit.open("/vary/" + visit.askForId(Questions.AGGREGATED));
            values(visit, 0).fill("2, 0");
            values(visit, 1).fill("");
            visit.button("Run sweep").click();

            assertThat(visit.page().locator(".badge")).hasText("succeeded");
            assertThat(visit.page().locator("#sweeps-view ul")).containsText("Devices 0");
            assertThat(visit.page().locator(".heat-map td button").last()).hasText("–");
            visit.open("/sweeps");
            visit.assertNoBarriers();
            visit.link("2 cells").first().click();
            visit.button("Rename").click();
            visit.field("Name").fill("small grid");
            visit.button("Save name").click();
            assertThat(visit.page().locator("#sweeps-view h1")).hasText("small grid");
            visit.open("/sweeps");
            visit.link("small grid").click();
            visit.button("Delete…").click();
            visit.confirmRemoval();
            assertThat(visit.page().locator("#sweeps-view h1")).hasText("Sweeps");
        }
    }

    /// Fractions that are whole read as the page writes them; an axis that is not shown has one of its values, or a map
    /// for each.
    @Test
    void aThirdAxisIsChosenByItsValueOrHasAMapForEach() {
        try (Visit visit = visit()) {
            visit.open("/vary/" + visit.askForId(Questions.AGGREGATED));
            values(visit, 0).fill("2, 4");
            values(visit, 1).fill("500, 1000");
            what(visit, 2).selectOption("/slo/tpot_ms");
            values(visit, 2).fill("30.0 to 50.5 in 2");
            visit.button("Run sweep").click();

            assertThat(visit.page().locator(".badge")).hasText("succeeded");
            assertThat(visit.page().locator(".heat-map td button").last()).hasText(FIGURE);
            Locator fields = visit.page().locator(".heat-map td button");
            String before = fields.last().textContent();
            visit.page().locator("[data-chooser='/slo/tpot_ms']").selectOption("50.5");
            assertThat(fields.last()).not().hasText(before);
            List<String> alone = fields.allTextContents();

            visit.field("One map per").selectOption("/slo/tpot_ms");
            assertThat(visit.page().locator(".heat-map caption > span:first-child"))
                    .hasText(new String[] {"TPOT target (ms) 30", "TPOT target (ms) 50.5"});
            assertThat(visit.page().locator("[data-chooser='/slo/tpot_ms']")).hasCount(0);
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
    void unknownModelsAndDevicesAreRefusedWithTheNearestBeforeAnythingIsSearched() {
        try (Visit visit = visit()) {
            visit.open("/vary/" + visit.askForId(Questions.AGGREGATED));
            what(visit, 0).selectOption("/model_id");
            values(visit, 0).fill("Qwen/Qwen3-32B, Qwen3-8B, llama 70b, Qwen/Qwen3-9B");
            what(visit, 1).selectOption("/devices");
            values(visit, 1).fill("H100_SXM, H1000_SXM");
            visit.button("Run sweep").click();

            assertThat(visit.page().locator(".vary .problem li")).containsText(new String[] {
                "unknown model \"Qwen3-8B\". Nearest: Qwen/Qwen3-8B",
                "unknown model \"llama 70b\". Nearest: meta-llama/",
                "unknown model \"Qwen/Qwen3-9B\"; nearest to it: Qwen/Qwen3-4B, Qwen/Qwen3-8B",
                "unknown device \"H1000_SXM\""
            });
            assertThat(values(visit, 0)).isFocused();
            assertThat(visit.calls()).noneMatch(call -> call.startsWith("/api/v1/sweeps"));
            values(visit, 0).fill("Qwen/Qwen3-8B");
            values(visit, 1).fill("H100_SXM, H200_SXM");
            visit.button("Run sweep").click();
            assertThat(visit.page().locator(".badge")).hasText("succeeded");
        }
    }

    @Test
    void whatIsVariedAndItsValuesStandInOneRowBelowTheirHeading() {
        try (Visit visit = visit()) {
            visit.open("/vary/" + visit.askForId(Questions.AGGREGATED));
            BoundingBox heading =
                    visit.page().locator(".vary-axis legend").first().boundingBox();
            BoundingBox what = what(visit, 0).boundingBox();
            BoundingBox values = values(visit, 0).boundingBox();

            assertThat(what.y).isGreaterThan(heading.y + heading.height);
            assertThat(values.x).isGreaterThan(what.x + what.width);
            assertThat(values.y).isCloseTo(what.y, within(4.0));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"LIGHT", "DARK"})
    void theLargestFigureStandsOutMost(Look look) {
        try (Visit visit = visit(look)) {
            visit.open("/vary/" + visit.askForId(Questions.AGGREGATED));
            values(visit, 0).fill("1, 2, 4, 8");
            values(visit, 1).fill("");
            visit.button("Run sweep").click();
            assertThat(visit.page().locator(".badge")).hasText("succeeded");
            assertThat(visit.page().locator(".heat-7 button")).isVisible();

            List<?> contrasts = (List<?>) visit.page().evaluate(CONTRASTS, List.of(".heat-7 button", ".heat-0 button"));
            assertThat(Double.parseDouble((String) contrasts.getFirst()))
                    .isGreaterThan(Double.parseDouble((String) contrasts.getLast()));
        }
    }

    @Test
    void aRefusalIsSaidWhereItWasAsked() {
        try (Visit visit = visit().expectRefusal()) {
            visit.open("/vary/" + visit.askForId(Questions.AGGREGATED));
            values(visit, 0).fill("2, 2");
            visit.button("Run sweep").click();

            assertThat(visit.page().locator(".vary .problem")).containsText("must be unique on its axis, got 2 twice");
        }
    }

    @Test
    void axesAreChangedAndFiguresDrawnAsLinesAndByColumn() {
        try (Visit visit = visit()) {
            visit.open("/vary/" + visit.askForId(Questions.AGGREGATED));
            values(visit, 0).fill("2, 4, 8");
            values(visit, 1).fill("500, 1000");
            visit.button("Run sweep").click();
            assertThat(visit.page().locator(".badge")).hasText("succeeded");
            assertThat(visit.page().locator(".heat-7")).hasCount(1);
            visit.field("Show as").focus();
            visit.page().keyboard().press("ArrowDown");
            assertThat(visit.page().locator(".heat-7")).hasCount(2);
            for (int column = 2; column <= 3; column++) {
                assertThat(visit.page().locator("td.heat-7:nth-child(" + column + ")"))
                        .hasCount(1);
            }

            assertThat(visit.field("Show as")).isFocused();
            visit.page().keyboard().press("ArrowDown");
            assertThat(visit.page().locator(".chart canvas")).isVisible();
            assertThat(visit.page().locator(".series-legend button")).hasText(new String[] {"500", "1000"});
            assertThat(visit.field("Show as")).isFocused();
            visit.assertNoBarriers();
            visit.link("Change axes…").click();
            assertThat(values(visit, 0)).hasValue("2, 4, 8");
            assertThat(values(visit, 1)).hasValue("500, 1000");
            values(visit, 1).fill("500");
            visit.button("Run sweep").click();
            assertThat(visit.page().locator(".badge")).hasText("succeeded");
            assertThat(visit.page().locator(".heat-map td button")).hasCount(3);
        }
    }

    /// Values that stay those of the plan are no axes.
    @Test
    void aSweepStartsFromThePlanPage() {
        try (Visit visit = visit().open("/")) {
            assertThat(visit.liveAnswer()).containsText("Run 4 instances");
            visit.button("Sweep").click();
            assertThat(values(visit, 0)).hasValue("8");
            assertThat(values(visit, 2)).hasValue("H100_SXM");
            values(visit, 3).fill("Qwen/Qwen3-8B, Qwen/Qwen3-32B");
            visit.button("Run sweep").click();

            assertThat(visit.page().locator(".badge")).hasText("succeeded");
            assertThat(visit.page().locator(".heat-map td button")).hasCount(2);
        }
    }

    /// An A100 multiplies FP8 at the rate of 16 bits.
    @Test
    void eachDeviceHasTheWeightsThatItCan() {
        try (Visit visit = visit()) {
            visit.open("/vary/" + visit.askForId(Questions.SILICON));
            values(visit, 2).fill("A100_SXM, H100_SXM");
            assertThat(visit.page().getByLabel("Weights as each device can")).isChecked();
            visit.button("Run sweep").click();

            assertThat(visit.page().locator(".badge")).hasText("succeeded");
            assertThat(visit.page().locator(".heat-map tbody th"))
                    .hasText(new String[] {"A100_SXM, BF16", "H100_SXM, FP8"});
            visit.link("Change axes…").click();
            assertThat(visit.page().getByLabel("Weights as each device can")).isChecked();
            assertThat(values(visit, 0)).hasValue("A100_SXM, H100_SXM");
        }
    }

    private static Locator what(Visit visit, int axis) {
        return visit.page().locator(".vary-axis").nth(axis).getByLabel("Parameter");
    }

    static Locator values(Visit visit, int axis) {
        return visit.page().locator(".vary-axis").nth(axis).getByLabel("Values");
    }
}
