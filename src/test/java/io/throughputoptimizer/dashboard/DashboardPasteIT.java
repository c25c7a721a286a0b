package io.throughputoptimizer.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.JSHandle;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.options.AriaRole;
import io.throughputoptimizer.fixture.EveryNight;
import io.throughputoptimizer.web.description.Examples;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// The box that takes commands, addresses, configurations, requests and logs into the form.
@EveryNight
class DashboardPasteIT extends BrowserTest {
    @Test
    void aConfigurationNamesItsWeightFormat() {
        try (Visit visit = ready(visit())) {
            take(visit, """
                    {"_name_or_path": "Qwen/Qwen2.5-7B-Instruct-AWQ", "architectures": ["Qwen2ForCausalLM"], "model_type": "qwen2",
                     "hidden_act": "silu", "hidden_size": 3584, "intermediate_size": 18944, "max_position_embeddings": 32768,
                     "num_attention_heads": 28, "num_hidden_layers": 28, "num_key_value_heads": 4, "rms_norm_eps": 1e-6, "vocab_size": 152064,
                     "tie_word_embeddings": false, "torch_dtype": "float16", "quantization_config": {"bits": 4,
                     "group_size": 128, "quant_method": "awq", "version": "gemm", "zero_point": true}}""");

            assertThat(visit.page().locator("#scheme")).hasValue("");
            assertThat(visit.liveAnswer()).containsText("Assumes W4A16 weights");
        }
    }

    @Test
    void aTextIsPastedAnywhereOnThePage() {
        try (Visit visit = visit().open("/")) {
            assertThat(visit.liveAnswer()).containsText("Run 4 instances");
            visit.page().evaluate("""
                            (text) => {
                              const data = new DataTransfer();
                              data.setData("text", text);
                              document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true }));
                            }""", "https://huggingface.co/Qwen/Qwen3-8B");

            assertThat(visit.page().locator("#plan-words")).containsText("Qwen/Qwen3-8B");
            assertThat(visit.page().locator("#paste-remark")).isVisible();
        }
    }

    @Test
    void aRequestIsReadInWords() {
        try (Visit visit = ready(visit())) {
            take(visit, "50 req/s, 2k/500, p95 TTFT 1 s, TPOT 40 ms, H200");

            assertThat(remark(visit)).hasText("Recognized: a request in words.");
            assertThat(visit.page().locator("#plan-words"))
                    .containsText(
                            "on 256 × H200_SXM with vllm, FP8, for 2,000 input tokens, 500 output tokens: find the fewest devices for 50 requests/s within TTFT ≤ 1,000 ms and TPOT ≤ 40 ms for 95 of 100 requests");
            assertThat(visit.liveAnswer().locator(".best-words")).containsText("× H200_SXM");
            take(visit, "DeepSeek-V3.1 P/D on 16 H200");
            assertThat(visit.page().locator("#plan-words"))
                    .containsText(
                            "Serve deepseek-ai/DeepSeek-V3.1 on 16 × H200_SXM with vllm, weights as the checkpoint, disaggregated");
            assertThat(visit.liveAnswer().locator(".best-words")).containsText("prefill instance");
        }
    }

    @Test
    void aCommandFillsTheFormAndFlagsWithoutAPlaceAreNamed() {
        try (Visit visit = ready(visit())) {
            take(visit, "throughput_optimizer --jobs 8");
            assertThat(remark(visit)).containsText("The command line must start with a model.");

            take(
                    visit,
                    "python -m cli.inference.throughput_optimizer Qwen/Qwen3-8B --device ATLAS_800_A2_376T_64G"
                            + " --input-length 3500 --tpot-limits 40 --compile --jobs 8");
            assertThat(remark(visit)).containsText("Recognized: an msmodeling command.");
            assertThat(visit.field("Model")).hasValue("Qwen/Qwen3-8B");
            assertThat(visit.page().locator("#device-choices input:checked")).hasValue("ATLAS_800_A2_376T_64G");
            assertThat(visit.field("Input length")).hasValue("3500");
            assertThat(visit.field("TPOT target (ms)")).hasValue("40");
            assertThat(visit.page().locator("[name='/serving/compile']")).isChecked();
            assertThat(remark(visit).locator("li")).hasText("--jobs is not part of a request");
            visit.assertNoBarriers();
        }
    }

    @Test
    void anAddressOfAHubNamesTheModel() {
        try (Visit visit = ready(visit())) {
            take(visit, "https://huggingface.co/Qwen/Qwen3-8B/tree/main");

            assertThat(remark(visit)).hasText("Recognized: a page of a model hub.");
            assertThat(visit.field("Model")).hasValue("Qwen/Qwen3-8B");
            assertThat(visit.field("TPOT target (ms)")).hasValue("50");
            assertThat(visit.liveAnswer()).containsText("Assumes BF16 weights");
        }
    }

    @Test
    void aConfigurationTakesThePlaceOfTheModel() {
        try (Visit visit = ready(visit().unansweredWhileWritten())) {
            take(
                    visit,
                    "{\"architectures\": [\"Qwen3ForCausalLM\"], \"model_type\": \"qwen3\", \"hidden_size\": 4096}");

            assertThat(remark(visit)).hasText("Recognized: a model configuration.");
            assertThat(visit.page().locator("#model-config")).hasValue(Pattern.compile("\"hidden_size\": ?4096"));
            assertThat(visit.field("Model")).hasValue("");
            assertThat(visit.page().locator("#plan-words")).containsText("Serve a pasted model on 8 × H100_SXM");
        }
    }

    @Test
    void aRequestIsTakenFromItsCurlCall() {
        try (Visit visit = ready(visit())) {
            take(
                    visit,
                    "curl -s localhost:8080/api/v1/optimizations -H 'Content-Type: application/json' -d '"
                            + Questions.SILICON.replace("\"num_devices\": 8", "\"num_devices\": 4") + "'");

            assertThat(remark(visit)).hasText("Recognized: a request.");
            assertThat(visit.field("Devices")).hasValue("4");
            assertThat(visit.liveAnswer()).containsText("Run 2 instances of 2 × H100_SXM");
            visit.button("Undo").click();
            assertThat(visit.field("Devices")).hasValue("8");
        }
    }

    @Test
    void aStartUpLogFillsTheMemoryOfTheEngine() {
        try (Visit visit = ready(visit())) {
            take(visit, Examples.text("engine-log.txt"));

            assertThat(remark(visit)).containsText("Recognized: a start-up log.");
            assertThat(remark(visit).locator("tbody tr")).hasCount(4);
            assertThat(visit.page().locator("#kv-tokens")).hasValue("418688");
        }
    }

    @Test
    void aDroppedCommandAndScrapeBecomeAComparison() {
        try (Visit visit = ready(visit())) {
            drop(
                    visit,
                    List.of(
                            List.of("start.sh", Examples.text("server-command.txt")),
                            List.of("metrics.txt", Examples.text("server-metrics.txt"))));

            assertThat(remark(visit)).containsText("Recognized: the command of a server.");
            assertThat(remark(visit)).containsText("Recognized: metrics of a server.");
            Locator card = remark(visit).locator(".card");
            assertThat(card.locator("h3")).hasText("Now and best");
            assertThat(card.locator("strong")).containsText("You run TP=8 x 1.");
            Locator rows = card.locator("tbody tr");
            assertThat(rows).hasCount(2);
            assertThat(rows.nth(0)).containsText(Pattern.compile("^Running now.*TP=8 x 1"));
            assertThat(rows.nth(1)).containsText(Pattern.compile("^Best plan.*TP="));
            assertThat(remark(visit).locator("table").first()).containsText("3,741.1");
            visit.assertNoBarriers();

            rows.nth(0).getByRole(AriaRole.BUTTON).click();
            assertThat(visit.page().locator("#tp-sizes")).hasValue("8");
            assertThat(visit.liveAnswer()).containsText("Run 1 instance of 8 × H100_SXM");
        }
    }

    @Test
    void metricsFillTheDemandAndBecomeAMeasurement() {
        try (Visit visit = ready(visit())) {
            take(visit, Examples.text("server-metrics.txt"));
            assertThat(remark(visit)).containsText("Add its command or start-up log");
            assertThat(visit.page().locator("#demand-requests")).hasValue(Pattern.compile("^1\\.083"));

            take(visit, Examples.text("server-command.txt"));
            Locator use = remark(visit).getByText("Use as a measurement");
            use.click();
            Locator stored = remark(visit).locator(".card [role=status]").first();
            assertThat(stored).hasText("Set the engine version under Engine first.");

            visit.page()
                    .locator("#engine-version")
                    .evaluate(
                            "field => { field.value = '0.24.0'; field.dispatchEvent(new Event('input', {bubbles: true})); }");
            use.click();
            assertThat(stored).containsText("Median prediction error: TPOT");
            visit.assertNoBarriers();
        }
    }

    @Test
    void theCardIsChinese() {
        try (ChineseWalk walk = ChineseWalk.with(visit())) {
            Visit visit = walk.visit();
            visit.page().locator("summary[data-t='form.paste_what_you_have']").click();
            drop(
                    visit,
                    List.of(
                            List.of("start.sh", Examples.text("server-command.txt")),
                            List.of("metrics.txt", Examples.text("server-metrics.txt"))));
            Locator card = remark(visit).locator(".card");

            assertThat(card.locator("h3")).hasText("当前与最佳");
            assertThat(card.locator("tbody tr").nth(0)).containsText("当前运行");
            assertThat(card.locator("tbody button").first()).hasText("规划此布局");
            walk.look("running server");
            walk.assertNothingIsLeft();
        }
    }

    @Test
    void aDroppedTraceAndAnInputOfAisimulateAreRecognized() {
        try (Visit visit = ready(visit())) {
            drop(
                    visit,
                    List.of(List.of("trace.jsonl", "{\"input_tokens\": 3500, \"output_tokens\": 1500}\n".repeat(2))));
            assertThat(remark(visit)).hasText("Recognized: a trace. Its figures are under Workload.");
            assertThat(visit.page().locator("#trace-figures caption")).containsText("2 requests");
            assertThat(visit.field("Output length")).hasValue("1500");

            drop(visit, List.of(List.of("predict.yaml", Examples.text("aisimulate.yaml"))));
            assertThat(remark(visit)).hasText("Recognized: an input of AISimulate.");
            assertThat(visit.field("Devices")).hasValue("1");
        }
    }

    @Test
    void aBenchmarkWithoutAVersionSaysSo() {
        try (Visit visit = ready(visit()).expectRefusal()) {
            take(visit, "{\"completed\": 10, \"mean_ttft_ms\": 12.5}");

            assertThat(remark(visit)).containsText("Recognized, but not usable:");
        }
    }

    @Test
    void anythingElseIsNotRecognized() {
        try (Visit visit = ready(visit())) {
            take(visit, "hello");
            assertThat(remark(visit)).containsText("Not recognized. Paste a server or msmodeling command");
            take(visit, "");
            assertThat(remark(visit)).hasText("Nothing pasted.");
            assertThat(visit.field("Model")).hasValue("Qwen/Qwen3-32B");
        }
    }

    private static Visit ready(Visit visit) {
        visit.open("/");
        assertThat(visit.field("Model")).hasValue("Qwen/Qwen3-32B");
        visit.page().getByText("Paste what you have").click();
        return visit;
    }

    private static Locator remark(Visit visit) {
        return visit.page().locator("#paste-remark");
    }

    private static void drop(Visit visit, List<List<String>> files) {
        JSHandle dropped = visit.page().evaluateHandle("""
                files => {
                  const data = new DataTransfer();
                  files.forEach(([name, text]) => data.items.add(new File([text], name)));
                  return data;
                }""", files);
        visit.page().dispatchEvent("#paste-drop", "drop", Map.of("dataTransfer", dropped));
    }

    private static void take(Visit visit, String text) {
        visit.page().locator("#paste").fill(text);
        visit.button("Read it").click();
    }
}
