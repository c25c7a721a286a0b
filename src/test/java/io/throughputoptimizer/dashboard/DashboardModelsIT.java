package io.throughputoptimizer.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.BoundingBox;
import io.throughputoptimizer.fixture.EveryNight;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// The dashboard's list of models.
@EveryNight
class DashboardModelsIT extends BrowserTest {
    private static final String SHOWN = "Qwen/Qwen3-32B";
    private static final String ON_TOP_AT_ITS_MIDDLE = """
            field => {
              const { x, y, width, height } = field.getBoundingClientRect();
              return document.elementFromPoint(x + width / 2, y + height / 2) === field;
            }""";

    @Test
    void everyModelStandsBelowItsFamily() {
        try (Visit visit = visit()) {
            JsonNode models = JsonMapper.shared()
                    .readTree(visit.get("/api/v1/models", "application/json").text())
                    .required("models");
            Set<String> families = new LinkedHashSet<>();
            models.forEach(model -> families.add(model.required("family").asString()));
            opened(visit);

            Locator list = list(visit);
            assertThat(list.locator(".family").allInnerTexts()).containsExactlyInAnyOrderElementsOf(families);
            assertThat(list.locator("[role=option]")).hasCount(models.size());
            assertThat(group(visit, "GLM-4.5 to 4.7").locator("[data-model]"))
                    .containsText(new String[] {"GLM-4.5", "GLM-4.5-Air", "GLM-4.6", "GLM-4.7"});
            assertThat(list.locator("[aria-selected=true]")).hasAttribute("data-model", "Qwen/Qwen3-32B");
        }
    }

    @Test
    void wordsNarrowTheListAndKeysChoose() {
        try (Visit visit = visit()) {
            Locator field = opened(visit);
            Page page = visit.page();
            field.fill("glm air");
            assertThat(list(visit).locator("[role=option]")).hasCount(1);
            field.fill("deepseek v3");
            assertThat(list(visit).locator(".family")).hasText(new String[] {"DeepSeek-V3", "DeepSeek-V3.2"});
            assertThat(page.locator("#announcer")).hasText("7 models in 2 families");
            page.keyboard().press("ArrowUp");
            page.keyboard().press("Enter");

            assertThat(field).hasValue("deepseek-ai/DeepSeek-V3.2");
            assertThat(list(visit)).isHidden();
            assertThat(field).hasAttribute("aria-expanded", "false");
            assertThat(page.locator("#model-facts")).containsText("context of 163,840 tokens");
            assertThat(page.locator("#plan-words")).containsText("deepseek-ai/DeepSeek-V3.2 on 8");
            page.keyboard().press("ArrowDown");
            assertThat(field).hasAttribute("aria-expanded", "true");
            page.keyboard().press("Escape");
            assertThat(list(visit)).isHidden();
        }
    }

    @Test
    void aClickChooses() {
        try (Visit visit = visit()) {
            Locator field = opened(visit);
            field.fill("gpt");
            list(visit).getByText("openai/gpt-oss-120b").click();

            assertThat(field).hasValue("openai/gpt-oss-120b");
            assertThat(list(visit)).isHidden();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"LIGHT", "NARROW"})
    void theFieldIsOnTopWhileItsListIsOpen(Look look) {
        try (Visit visit = visit(look)) {
            Locator field = opened(visit);

            assertThat((Boolean) field.evaluate(ON_TOP_AT_ITS_MIDDLE)).isTrue();
            assertThat(list(visit).locator("[aria-selected=true]")).isInViewport();
            field.fill("qwen");
            assertThat(list(visit).locator("[data-model]").first()).isInViewport();
            assertThat(list(visit)).isVisible();
            assertThat((Boolean) field.evaluate(ON_TOP_AT_ITS_MIDDLE)).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"LIGHT", "NARROW"})
    void aDoubleClickChoosesNothing(Look look) {
        try (Visit visit = visit(look)) {
            Locator field = ready(visit);
            field.scrollIntoViewIfNeeded();
            BoundingBox box = field.boundingBox();
            visit.page().mouse().dblclick(box.x + box.width / 2, box.y + box.height / 2);

            assertThat(field).hasValue(SHOWN);
            assertThat(list(visit)).isVisible();
        }
    }

    @Test
    void typingReplacesWhatStandsThereAndEnterTakesTheFirstMatch() {
        try (Visit visit = visit()) {
            Locator field = opened(visit);
            visit.page().keyboard().type("llama 70");
            assertThat(field).hasValue("llama 70");
            assertThat(list(visit).locator("[data-model]")).containsText(new String[] {
                "meta-llama/Meta-Llama-3.1-70B",
                "meta-llama/Llama-3.3-70B-Instruct",
                "meta-llama/Llama-3.1-70B-Instruct",
                "deepseek-ai/DeepSeek-R1-Distill-Llama-70B"
            });
            visit.page().keyboard().press("Enter");

            assertThat(field).hasValue("meta-llama/Meta-Llama-3.1-70B");
            assertThat(list(visit)).isHidden();
            assertThat(visit.page().locator("#plan-words")).containsText("meta-llama/Meta-Llama-3.1-70B on 8");
        }
    }

    @Test
    void theTabKeySelectsWhatStandsThere() {
        try (Visit visit = visit()) {
            Locator field = ready(visit);
            visit.tabTo(field);
            visit.page().keyboard().type("gpt");

            assertThat(field).hasValue("gpt");
        }
    }

    @Test
    void aWordThatOnlySaysHowAModelWasTunedIsSaidToBeLeftOut() {
        try (Visit visit = visit()) {
            opened(visit).fill("Qwen3-32B-Chat");

            assertThat(list(visit)).containsText("“chat” ignored: its cost is that of the base model");
            visit.page().keyboard().press("Tab");
            assertThat(visit.field("Model")).hasValue("Qwen/Qwen3-32B");
        }
    }

    @Test
    void wordsOfNoModelAreSaidToBe() {
        try (Visit visit = visit()) {
            Locator field = opened(visit);
            field.fill("falcon");
            Locator none = list(visit).getByRole(AriaRole.OPTION);
            assertThat(none).hasText("No matching model in the catalog. Paste its config.json, or enable the hub.");
            assertThat(visit.page().locator("#announcer")).containsText("No matching model in the catalog");
            none.click(new Locator.ClickOptions().setForce(true));
            assertThat(field).hasValue("falcon");
            visit.page().keyboard().press("Tab");

            assertThat(field).hasAttribute("aria-invalid", "true");
            assertThat(field).hasAccessibleDescription(Pattern.compile(".*must be a model of the catalog.*"));
        }
    }

    @Test
    void wordsOfSeveralModelsNameNone() {
        try (Visit visit = visit()) {
            Locator field = opened(visit);
            field.fill("kimi k2.");
            visit.page().keyboard().press("Tab");

            assertThat(field).hasValue("kimi k2.");
            assertThat(field).hasAccessibleDescription(Pattern.compile(".*matches 3 models. Choose one.*"));
            visit.run();
            assertThat(visit.page().locator("#plan-problem")).containsText("matches 3 models. Choose one");
            assertThat(field).isFocused();
        }
    }

    @Test
    void besideAPastedConfigurationAnyNameWillDo() {
        try (Visit visit = visit().unansweredWhileWritten()) {
            Locator field = ready(visit);
            visit.page().getByText("Paste a Hugging Face config.json").click();
            visit.field("Model configuration").fill("{\"model_type\": \"qwen3\"}");
            field.fill("qwen3-32b-of-ours");

            assertThat(list(visit)).isHidden();
            visit.page().keyboard().press("Tab");
            assertThat(field).hasValue("qwen3-32b-of-ours");
            assertThat(field).not().hasAttribute("aria-invalid", "true");
        }
    }

    @Test
    void theOpenListHasNoBarriers() {
        try (Visit visit = visit()) {
            opened(visit).fill("qwen");
            visit.page().keyboard().press("ArrowDown");
            assertThat(list(visit).locator("[aria-selected=true]")).isInViewport();
            visit.assertNoBarriers();
        }
    }

    /// The field of a form that is ready.
    private static Locator ready(Visit visit) {
        visit.openSettings();
        Locator field = visit.field("Model");
        assertThat(visit.page().locator("#device-choices input").first()).isVisible();
        assertThat(field).hasValue(SHOWN);
        return field;
    }

    /// The field, with the list open.
    private static Locator opened(Visit visit) {
        Locator field = ready(visit);
        field.click();
        assertThat(list(visit)).isVisible();
        return field;
    }

    private static Locator list(Visit visit) {
        return visit.page().locator("#models");
    }

    private static Locator group(Visit visit, String family) {
        return list(visit).locator("[role=group]:has(.family:text-is('" + family + "'))");
    }
}
