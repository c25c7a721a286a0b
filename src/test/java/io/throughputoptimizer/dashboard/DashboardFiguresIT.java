package io.throughputoptimizer.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import io.throughputoptimizer.fixture.EveryNight;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

/// What the page chooses by itself and says beside the answer: whose figures, and what the other mode would serve.
@EveryNight
class DashboardFiguresIT extends BrowserTest {
    @Test
    void figuresAreThoseOfMeasuredKernelsWhereThereAreAny() {
        try (Visit visit = ready(visit())) {
            Locator badge = visit.page().locator("#figures-why");
            assertThat(badge).containsText("The calibrated model: based on measured kernels");
            visit.page()
                    .locator("summary")
                    .getByText("Devices not supported by the calibrated model")
                    .click();
            visit.button("MI300X").click();
            assertThat(badge).containsText("The roofline model: the calibrated model has no kernels of MI300X.");
            assertThat(model(visit)).hasValue("analytic");
            assertThat(device(visit, "MI300X")).isFocused();
            assertThat(visit.liveAnswer()).containsText("MI300X");
            device(visit, "H100_SXM").check();
            device(visit, "MI300X").uncheck();

            assertThat(model(visit)).hasValue("calibrated");
            assertThat(badge).containsText("The calibrated model");
            assertThat(visit.liveAnswer()).containsText("Run 4 instances of 2 × H100_SXM");
            visit.page().locator("[name='/cost_model'][value=analytic]").check();
            device(visit, "H200_SXM").check();
            assertThat(model(visit)).hasValue("analytic");
        }
    }

    @Test
    void anAscendDeviceBringsItsEngine() {
        try (Visit visit = ready(visit())) {
            device(visit, "ATLAS_800_A2_376T_64G").check();
            assertThat(visit.page().locator("#backend")).hasValue("vllm");
            device(visit, "H100_SXM").uncheck();
            assertThat(visit.page().locator("#backend")).hasValue("vllm-ascend");
            assertThat(visit.page().locator("#scheme")).hasValue("W8A8");
            assertThat(visit.liveAnswer()).containsText("ATLAS_800_A2_376T_64G");
            device(visit, "H100_SXM").check();
            device(visit, "ATLAS_800_A2_376T_64G").uncheck();

            assertThat(visit.page().locator("#backend")).hasValue("vllm");
            assertThat(visit.page().locator("#scheme")).hasValue("");
        }
    }

    @Test
    void anotherModelHasTheWeightsOfItsCheckpoint() {
        try (Visit visit = ready(visit())) {
            device(visit, "H200_SXM").check();
            assertThat(visit.page().locator("#scheme")).hasValue("FP8");
            choose(visit, "deepseek-ai/DeepSeek-V3.1");

            assertThat(visit.page().locator("#scheme")).hasValue("");
            assertThat(visit.page().locator("#plan-words")).containsText("weights as the checkpoint");
            assertThat(visit.liveAnswer()).containsText("Assumes FP8_BLOCK weights");
            assertThat(visit.page().locator("#scheme option").first()).hasText("as the checkpoint (FP8_BLOCK)");
        }
    }

    @Test
    void theRooflineModelHasTheWeightsOfTheCheckpointToo() {
        try (Visit visit = ready(visit())) {
            visit.page().locator("[name='/cost_model'][value=analytic]").check();
            assertThat(visit.page().locator("#plan-words")).containsText("as W8A8_DYNAMIC");
            choose(visit, "nvidia/MiniMax-M2.5-NVFP4");
            assertThat(visit.field("Linear layers")).hasValues(new String[] {"MXFP4"});
            assertThat(visit.field("Non-expert layers")).hasValues(new String[] {"DISABLED"});
            assertThat(visit.page().locator("#group-size")).hasValue("16");

            choose(visit, "Qwen/Qwen3-8B");
            assertThat(visit.page().locator("#plan-words")).containsText("as BF16");
            assertThat(visit.field("Non-expert layers")).hasValues(new String[] {});
            assertThat(visit.page().locator("#group-size")).hasValue("32");
            assertThat(visit.liveAnswer()).containsText("Assumes BF16 weights; BF16 KV cache");

            device(visit, "ATLAS_800_A2_376T_64G").check();
            choose(visit, "Qwen/Qwen3-32B");
            assertThat(visit.page().locator("#plan-words")).containsText("as W8A8_DYNAMIC");
        }
    }

    @Test
    void aModelWithOneTypeOfKvCacheIsAnsweredAfterAnyOther() {
        try (Visit visit = ready(visit())) {
            visit.page().locator("#kv-cache").selectOption("bf16");
            device(visit, "B300_SXM").check();
            device(visit, "H100_SXM").uncheck();
            visit.field("Devices").fill("16");
            choose(visit, "deepseek-ai/DeepSeek-V4-Pro");

            assertThat(visit.page().locator("#kv-cache")).hasValue("");
            assertThat(visit.liveAnswer()).containsText("deepseek-ai/DeepSeek-V4-Pro");
            assertThat(visit.liveAnswer()).containsText("FP8 KV cache");
            assertThat(visit.liveRemark()).isHidden();
            assertThat(visit.page().locator("#kv-cache option").first()).hasText("as the checkpoint (fp8)");
        }
    }

    /// The line says what the service says of that question, and the button asks it.
    @Test
    void theOtherModeIsAnAnswer() {
        List<String> beside = new ArrayList<>();
        try (Visit visit = visit()) {
            visit.page().onResponse(response -> {
                if (response.request().url().endsWith("/optimizations?store=false")
                        && response.ok()
                        && JsonMapper.shared()
                                .readTree(response.text())
                                .at("/result/devices/0/pd_ratio/rows")
                                .isArray()) {
                    beside.add(response.text());
                }
            });
            ready(visit);
            Locator line = visit.page().locator(".other-mode");
            assertThat(line).containsText("Disaggregated: ");
            assertThat(line).containsText("tokens/s");
            double apart = rate(beside.getLast(), "/result/devices/0/pd_ratio/rows");
            assertThat(line).containsText(String.format(Locale.ROOT, "%,.0f tokens/s", apart));
            assertThat(line).containsText("% less");
            visit.assertNoBarriers();
            visit.button("Use this mode").click();

            assertThat(visit.page().locator("[name='/mode']:checked")).hasValue("pd_ratio");
            assertThat(visit.field("Devices per prefill instance")).hasValue("");
            assertThat(visit.liveAnswer()).containsText("prefill instances");
            assertThat(line).containsText("Aggregated on 8 devices: ");
            assertThat(line).containsText("% more");
            visit.button("Undo").click();
            assertThat(visit.page().locator("[name='/mode']:checked")).hasValue("aggregation");
        }
    }

    private static double rate(String answer, String rows) {
        return JsonMapper.shared()
                .readTree(answer)
                .at(rows)
                .valueStream()
                .mapToDouble(row -> row.required("tokens_per_s").doubleValue())
                .max()
                .orElseThrow();
    }

    private static void choose(Visit visit, String model) {
        visit.field("Model").fill(model);
        visit.field("Model").press("Escape");
    }

    private static Locator model(Visit visit) {
        return visit.page().locator("[name='/cost_model']:checked");
    }

    private static Locator device(Visit visit, String name) {
        return visit.page().locator("#device-choices input[value=" + name + "]");
    }

    private static Visit ready(Visit visit) {
        visit.openSettings();
        assertThat(visit.liveAnswer()).containsText("Run 4 instances");
        return visit;
    }
}
