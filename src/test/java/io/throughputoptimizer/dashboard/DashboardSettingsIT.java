package io.throughputoptimizer.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import io.throughputoptimizer.fixture.EveryNight;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The drawer with all settings, and the sentence that leads to them.
@EveryNight
class DashboardSettingsIT extends BrowserTest {
    /// Names of members whose control neither their wire name nor their label finds: neither shown, nor named
    /// among those of other questions.
    private static final String NOT_FOUND = """
            () => {
              const search = document.getElementById("settings-search");
              const controls = [...document.querySelectorAll("#plan [name^='/']")]
                .filter(({ name, labels }, index, all) => labels?.length > 0 && (name !== "/devices" || all[index - 1].name !== name));
              const finds = (control, text) => {
                search.value = text;
                search.dispatchEvent(new Event("input", { bubbles: true }));
                const label = control.labels[0].textContent.trim();
                const elsewhere = [...document.querySelectorAll("#settings-elsewhere button")].map((button) => button.textContent);
                const more = document.querySelectorAll("#settings-elsewhere li").length > elsewhere.length;
                return control.checkVisibility() || elsewhere.includes(control.name === "/devices" ? control.value : label) || more || control.type === "radio" ||
                  [...document.querySelectorAll(".found")].some((unit) => unit.textContent.includes(label));
              };
              const lost = controls.flatMap((control) =>
                [control.name.slice(1).replaceAll("/", "."), control.labels[0].textContent.trim()]
                  .filter((text) => !finds(control, text)).map((text) => `${control.name}: ${text}`));
              search.value = "";
              search.dispatchEvent(new Event("input", { bubbles: true }));
              return lost;
            }""";

    @Test
    void everySettingIsFoundByItsWireNameAndByItsLabel() {
        try (Visit visit = ready(visit())) {
            for (String model : List.of("calibrated", "analytic")) {
                visit.page()
                        .locator("[name='/cost_model'][value=" + model + "]")
                        .check();
                assertThat(visit.page().evaluate(NOT_FOUND)).as(model).isEqualTo(List.of());
            }
            assertThat(visit.field("Draft tokens")).isHidden();
            assertThat(visit.field("Model")).isVisible();
        }
    }

    @Test
    void aSearchShowsWhatItFindsAndNothingElse() {
        try (Visit visit = ready(visit())) {
            Locator search = visit.field("Find a setting");
            assertThat(visit.field("Draft tokens")).isHidden();
            search.fill("mtp");

            assertThat(visit.field("Draft tokens")).isVisible();
            assertThat(visit.field("Model")).isHidden();
            assertThat(visit.page().locator("#settings-found")).hasText("2 matching settings");
            visit.assertNoBarriers();
            search.press("Enter");
            assertThat(visit.field("Draft tokens")).isFocused();
            assertThat(search).hasValue("");
            assertThat(visit.field("Model")).isVisible();
            search.fill("queueing");
            assertThat(visit.field("TTFT target (ms)")).isVisible();
            assertThat(visit.field("TPOT target (ms)")).isHidden();
            search.fill("no such thing");
            assertThat(visit.page().locator("#settings-found")).hasText("No matching settings");
            search.press("Escape");
            assertThat(visit.field("TPOT target (ms)")).isVisible();
            assertThat(visit.submissions()).isEmpty();
        }
    }

    @Test
    void settingsOfOtherQuestionsAreNamedAndAreAClickAway() {
        try (Visit visit = ready(visit())) {
            visit.field("Find a setting").fill("price");
            Locator elsewhere = visit.page().locator("#settings-elsewhere li");
            assertThat(elsewhere).hasText("Price per device hour ranked by cost");
            elsewhere.getByRole(AriaRole.BUTTON).click();
            assertThat(visit.field("Price per device hour")).isFocused();
            assertThat(visit.field("Rank by")).hasValue("cost_per_million_tokens");
            visit.field("Find a setting").fill("image.height");
            elsewhere.getByRole(AriaRole.BUTTON).click();

            assertThat(visit.page().locator("#image-height")).isFocused();
            assertThat(visit.page().locator("[name='/cost_model']:checked")).hasValue("analytic");
            visit.button("Undo").click();
            assertThat(visit.page().locator("[name='/cost_model']:checked")).hasValue("calibrated");
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Look.class,
            names = {"LIGHT", "NARROW"})
    void whatWasChangedComesFirstAndIsTakenBack(Look look) {
        try (Visit visit = ready(visit(look))) {
            Locator toggle = visit.page().locator("#settings-toggle");
            Locator changed = visit.page().locator("#settings-changed li");
            assertThat(toggle).hasText("All settings · Defaults");
            visit.field("TTFT target (ms)").fill("3 s");
            visit.field("TTFT target (ms)").blur();
            visit.page().locator("summary").getByText("Traffic").click();
            assertThat(visit.field("Requests per client")).hasValue("");
            visit.field("Requests per client").fill("12");
            visit.page().locator("#kv-cache").selectOption("bf16");

            assertThat(toggle).hasText("All settings · 3 modified");
            assertThat(changed).hasText(new String[] {
                "KV cachebf16Reset KV cache",
                "Requests per client12Reset Requests per client",
                "TTFT target (ms)3000Reset TTFT target (ms)"
            });
            assertThat(visit.liveAnswer()).hasAttribute("aria-busy", "false");
            assertThat(visit.askedLive().getLast()).contains("\"waves\":12").contains("\"kv_cache_dtype\":\"bf16\"");
            visit.assertNoBarriers();
            visit.button("Reset Requests per client").click();
            assertThat(visit.field("Requests per client")).hasValue("");
            assertThat(visit.button("Reset TTFT target")).isFocused();
            visit.button("Reset TTFT target").click();
            visit.button("Reset KV cache").click();
            assertThat(toggle).hasText("All settings · Defaults");
            assertThat(toggle).isFocused();
            assertThat(visit.field("TTFT target (ms)")).hasValue("2000");
            visit.button("Undo").click();
            assertThat(toggle).hasText("All settings · 1 modified");
        }
    }

    /// Blank is what the service takes: a fixed default is a value, one that depends on the question is named in its
    /// place.
    @Test
    void defaultsAreShown() {
        try (Visit visit = ready(visit())) {
            Locator budget = visit.page().locator("#step-budget");
            assertThat(budget).hasAttribute("placeholder", "8192");
            assertThat(visit.page().locator("#policy option:checked")).hasText("default (mix prefill and decode)");
            assertThat(visit.page().locator("#kv-cache option:checked"))
                    .hasText(Pattern.compile("as the checkpoint \\((fp8|bf16)\\)"));
            Locator hits = visit.field("Prefix cache hit rate");
            assertThat(hits).hasValue("0");
            hits.fill("");
            hits.blur();

            assertThat(hits).hasValue("0");
            assertThat(visit.page().locator("#settings-toggle")).hasText("All settings · Defaults");
            visit.startFrom("Roofline");
            assertThat(visit.page().locator("#reserved")).hasValue("10");
        }
    }

    @Test
    void aKeyLeadsToTheSearch() {
        try (Visit visit = visit().open("/")) {
            Page page = visit.page();
            assertThat(page.locator("#plan-words .part").first()).isVisible();
            page.keyboard().press("Control+k");
            assertThat(visit.field("Find a setting")).isFocused();
            page.keyboard().type("num_draft_tokens");
            assertThat(visit.field("Draft tokens")).isVisible();
            page.keyboard().press("Enter");

            assertThat(visit.field("Draft tokens")).isFocused();
        }
    }

    @Test
    void theSentenceLeadsToItsSettings() {
        try (Visit visit = ready(visit())) {
            Page page = visit.page();
            Locator sentence = page.locator("#plan-words");
            page.locator("#settings-toggle").click();
            assertThat(visit.field("Input length")).isHidden();
            visit.assertNoBarriers();
            visit.startFrom("Mixed prompt lengths");
            sentence.locator(".part[data-opens=distribution-name]").click();
            assertThat(page.locator("#strip")).isVisible();
            visit.startFrom("Calibrated");
            assertThat(sentence.locator(".part").first()).isVisible();
        }
    }

    private static Visit ready(Visit visit) {
        visit.openSettings();
        assertThat(visit.liveAnswer()).containsText("Run 4 instances");
        return visit;
    }
}
