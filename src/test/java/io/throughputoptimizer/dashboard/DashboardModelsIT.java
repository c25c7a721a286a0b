package io.throughputoptimizer.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import java.util.LinkedHashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// The dashboard's list of models.
class DashboardModelsIT extends BrowserTest {

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
            assertThat(page.locator("#announcer")).hasText("4 models in 2 families");
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

    @Test
    void aNameOfOnesOwnOffersNothing() {
        try (Visit visit = visit()) {
            Locator field = opened(visit);
            field.fill("my/model");

            assertThat(list(visit)).isHidden();
            assertThat(visit.page().locator("#plan-words")).containsText("my/model");
        }
    }

    @ParameterizedTest
    @EnumSource
    void theOpenListHasNoBarriers(Look look) {
        try (Visit visit = visit(look)) {
            opened(visit).fill("qwen");
            visit.page().keyboard().press("ArrowDown");
            assertThat(list(visit).locator("[aria-selected=true]")).isInViewport();
            visit.assertNoBarriers();
        }
    }

    /// The field, with the list open.
    private static Locator opened(Visit visit) {
        visit.open("/");
        Locator field = visit.field("Model");
        assertThat(visit.page().locator("#device-choices input").first()).isVisible();
        assertThat(field).hasValue("Qwen/Qwen3-32B");
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
