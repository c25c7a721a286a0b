package io.throughputoptimizer.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import io.throughputoptimizer.fixture.EveryNight;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The models that benchmarks of record run, on two devices each: a plan that is written, answered, explained, started
/// and simulated, and how many devices a demand needs.
@EveryNight
class DashboardBenchmarkedModelsIT extends BrowserTest {
    @ParameterizedTest
    @CsvSource({
        "Qwen/Qwen3.5-397B-A17B, FP8_BLOCK, 8, ''",
        "zai-org/GLM-5, FP8_BLOCK, 8, ''",
        "deepseek-ai/DeepSeek-V4-Flash, FP8_MXFP4, 8, ''",
        "MiniMaxAI/MiniMax-M3, FP8_BLOCK, 8, ''",
        "moonshotai/Kimi-K3, MXFP4_EXPERTS, 16, 400000",
        "openai/gpt-oss-120b, MXFP4_EXPERTS, 8, ''"
    })
    void aPlanIsWrittenAnsweredExplainedStartedAndSimulated(String model, String scheme, int devices, String kvTokens) {
        try (Visit visit = visit().openSettings()) {
            visit.startFrom("Calibrated");
            Locator name = visit.field("Model");
            name.click();
            name.fill(model);
            visit.page().keyboard().press("Tab");
            assertThat(name).hasValue(model);
            visit.page().locator("#backend").selectOption("sglang");
            visit.field("Checkpoint").selectOption(scheme);
            visit.page().locator("#kv-tokens").fill(kvTokens);
            device(visit, "H100_SXM").uncheck();
            device(visit, "B200_SXM").check();
            device(visit, "B300_SXM").check();
            visit.field("Devices").fill(Integer.toString(devices));
            visit.field("TTFT target (ms)").fill("20000");
            visit.field("TPOT target (ms)").fill("100");
            visit.field("Explain results").check();
            assertThat(visit.page().locator("#plan-words"))
                    .containsText(model + " on " + devices + " × B200_SXM or B300_SXM");
            visit.run();

            assertThat(visit.page().locator(".hero .headline")).containsText(Pattern.compile("[\\d,]+ tokens/s"));
            assertThat(visit.page().locator(".phase > .table tr.best")).hasCount(2);
            Locator panel = visit.page().locator("details.launch").first();
            assertThat(panel.getByLabel("Engine")).hasValue("sglang");
            assertThat(panel.locator("pre")).containsText("python -m sglang.launch_server");
            assertThat(visit.page().locator(".explanation canvas").first()).isVisible();
            visit.page()
                    .getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName(Pattern.compile("^Simulate TP=.*")))
                    .first()
                    .click();
            assertThat(visit.page().getByLabel("Client-side latency").first()).containsText("TTFT");

            visit.openJob(visit.askForId(demand(model, scheme, kvTokens)));
            assertThat(visit.page().locator(".hero")).containsText(Pattern.compile("\\d+ × B[23]00_SXM"));
        }
    }

    private static String demand(String model, String scheme, String kvTokens) {
        String memory = kvTokens.isEmpty() ? "" : ", \"kv_tokens\": " + kvTokens;
        return """
                {"cost_model": "calibrated", "mode": "capacity", "model_id": "%s", "devices": ["B200_SXM", "B300_SXM"], "num_devices": 64,
                 "engine": {"backend": "sglang"%s}, "quantization": {"scheme": "%s"}, "demand": {"concurrency": 40},
                 "workload": {"input_length": 4000, "output_length": 500}, "slo": {"ttft_ms": 20000, "tpot_ms": 100}}""".formatted(model, memory, scheme);
    }

    private static Locator device(Visit visit, String name) {
        return visit.page().locator("#device-choices input[value=" + name + "]");
    }
}
