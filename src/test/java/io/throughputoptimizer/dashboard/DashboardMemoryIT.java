package io.throughputoptimizer.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import io.throughputoptimizer.fixture.EveryNight;
import io.throughputoptimizer.web.description.Examples;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// Memory of serving engines on the dashboard.
@EveryNight
class DashboardMemoryIT extends BrowserTest {
    private static final String SHORT = """
            {"cost_model": "calibrated", "model_id": "Qwen/Qwen2.5-72B-Instruct", "devices": ["H100_SXM"],
             "num_devices": 1, "workload": {"input_length": 3500, "output_length": 1500},
             "engine": {"backend": "vllm"}, "quantization": {"scheme": "BF16"}}""";

    @Test
    void aPastedLogFillsTheEngineBesideItsPrediction() {
        try (Visit visit = visit().openSettings().expectRefusal()) {
            visit.startFrom("Calibrated");
            visit.page().getByText("Paste what you have").click();
            visit.page().locator("#paste").fill("[nginx] ready\n[nginx] done");
            visit.button("Read it").click();
            Locator figures = visit.page().locator("#paste-remark");
            assertThat(figures).containsText("must have lines of vLLM or SGLang, got none in 2.");

            visit.page().locator("#paste").fill(Examples.text("engine-log.txt"));
            visit.button("Read it").click();

            assertThat(figures.locator("tbody tr")).hasCount(4);
            assertThat(figures).containsText(Pattern.compile("KV cache \\(tokens\\)\\s*418,688\\s*418,688\\s*0.00%"));
            assertThat(visit.field("Version")).hasValue("0.19.0");
            assertThat(visit.field("Max context length")).hasValue("8192");
            assertThat(visit.page().locator("#kv-tokens")).hasValue("418688");
            assertThat(visit.page().locator("#tp-sizes")).hasValue("1");
            assertThat(visit.page().locator("#kv-cache")).hasValue("bf16");
            assertThat(visit.page().getByLabel("curl command for optimizations"))
                    .containsText(Pattern.compile("\"kv_tokens\": 418688"));
            visit.assertNoBarriers();
        }
    }

    @Test
    void partsOfTheMemoryAreDrawnAndTheLowEndIsSaid() {
        try (Visit visit = visit()) {
            visit.openJob(visit.askForId(Questions.SILICON));

            Locator card = visit.page()
                    .locator(
                            ".plan-cards .card",
                            new Page.LocatorOptions().setHasText("Memory breakdown, 79.2 GiB per device"));
            assertThat(card.locator(".bar").first())
                    .hasAttribute(
                            "aria-label",
                            Pattern.compile("Weights .* Activation .* KV cache .* Outside the memory share"));
            assertThat(card)
                    .containsText(Pattern.compile(
                            "It holds [\\d.]+ requests of 5,000 tokens, [\\d.]+ in the pessimistic case"));
        }
    }

    @Test
    void aShortageIsDrawnByTheSameParts() {
        try (Visit visit = visit()) {
            visit.openJob(visit.askForId(SHORT));

            assertThat(visit.page().locator(".hero")).containsText("is nearest to fitting in memory");
            assertThat(visit.page().locator(".hero .bar"))
                    .hasAttribute("aria-label", Pattern.compile("TP=1: Weights 13\\d.*GiB, Activation"));
        }
    }
}
