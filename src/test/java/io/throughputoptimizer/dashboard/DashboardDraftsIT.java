package io.throughputoptimizer.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import io.throughputoptimizer.core.kernels.AcceptanceCurve;
import io.throughputoptimizer.fixture.EveryNight;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// What a planner says of steps that draft, and what the answer shows of them, of both cost models.
@EveryNight
class DashboardDraftsIT extends BrowserTest {
    private static final String DRAFTING = """
            {"model_id": "Qwen/Qwen3.5-397B-A17B", "devices": ["B200_SXM"], "num_devices": 8,
             "cost_model": "calibrated", "engine": {"backend": "vllm"}, "quantization": {"scheme": "FP8_BLOCK"},
             "workload": {"input_length": 1000, "output_length": 200}, "slo": {"tpot_ms": 50},
             "speculation": {"num_draft_tokens": 3, "acceptance": {"length": 2.6}}, "search": {"tp_sizes": [8], "batch_range": [1, 32]}}""";
    private static final String RISING = """
            {"cost_model": "analytic", "model_id": "Qwen/Qwen3.5-397B-A17B", "devices": ["B200_SXM"], "num_devices": 8,
             "quantization": {"linear": "FP8"}, "slo": {"tpot_ms": 50},
             "serving": {"compile": true, "num_mtp_tokens": 2, "mtp_acceptance_rate": [0.5, 0.7]},
             "workload": {"input_length": 1000, "output_length": 200},
             "search": {"tp_sizes": [8], "batch_range": [1, 32]}}""";

    @Test
    void everyPublishedCurveIsOffered() {
        try (Visit visit = visit().openSettings()) {
            List<String> curves = Stream.concat(Stream.of(""), AcceptanceCurve.names().stream())
                    .toList();
            for (String pointer : List.of("/speculation/acceptance/curve", "/serving/mtp_acceptance/curve")) {
                assertThat(visit.page()
                                .locator("[name='" + pointer + "'] option")
                                .evaluateAll("options => options.map(({ value }) => value)"))
                        .isEqualTo(curves);
            }
        }
    }

    @Test
    void stepsOfMeasuredKernelsDraftAsTheFormSays() {
        try (Visit visit = visit().openSettings()) {
            visit.startFrom("Calibrated");
            visit.field("Model").fill("Qwen/Qwen3.5-397B-A17B");
            visit.page().locator("#device-choices input[value=H100_SXM]").uncheck();
            visit.page().locator("#device-choices input[value=B200_SXM]").check();
            visit.page().locator("#backend").selectOption("sglang");
            visit.page().locator("#scheme").selectOption("FP8_BLOCK");
            visit.field("TTFT target (ms)").fill("");
            open(visit, "/speculation");
            visit.page().locator("[name='/speculation/num_draft_tokens']").fill("3");
            visit.page().locator("[name='/speculation/acceptance/length']").fill("2.6");
            Locator curl = visit.page().getByLabel("curl command for optimizations");
            assertThat(curl).containsText("\"length\": 2.6");
            visit.run();

            assertThat(visit.bestInWords()).containsText("tokens/s");
            assertThat(visit.page().locator(".job-heading")).containsText("3 draft tokens, acceptance length 2.6");
            JsonNode best = job(visit).at("/result/devices/0/phases/0/rows/0");
            assertThat(best.at("/speculation/acceptance_length").doubleValue()).isEqualTo(2.6);
            assertThat(visit.page().locator(".hero .figures"))
                    .containsText("in %.1f ms"
                            .formatted(best.at("/speculation/step_ms").doubleValue()));
            assertThat(visit.page().locator(".hero .figures")).containsText("Tokens per step");

            visit.link("Edit and rerun").click();
            assertThat(visit.page().locator("[name='/speculation/num_draft_tokens']"))
                    .hasValue("3");
            assertThat(visit.page().locator("[name='/speculation/acceptance/length']"))
                    .hasValue("2.6");
        }
    }

    /// The roofline, too, verifies three drafts a step; asked back, kernels yield as many tokens.
    @Test
    void theOtherCostModelDraftsTheSame() {
        try (Visit visit = visit()) {
            visit.openJob(visit.askForId(DRAFTING));
            visit.button("Compare with roofline model").click();
            Locator rows = visit.page().getByLabel("Best plans: Aggregated");
            assertThat(rows).containsText("roofline");
            rows.locator("thead a").last().click();
            assertThat(visit.page().locator(".job-heading")).containsText("3 draft tokens, acceptance length 2.6");
            JsonNode reference = job(visit);
            assertThat(reference.at("/request/serving/num_mtp_tokens").intValue())
                    .isEqualTo(3);
            assertThat(reference.at("/request/serving/mtp_acceptance/length").doubleValue())
                    .isEqualTo(2.6);

            visit.button("Compare with calibrated model").click();
            assertThat(rows.locator("tbody tr").first())
                    .hasText(Pattern.compile("Cost model\\s*roofline\\s*calibrated"));
            rows.locator("thead a").last().click();
            assertThat(visit.page().locator(".job-heading")).containsText("3 draft tokens, acceptance length 2.6");
            assertThat(job(visit).at("/request/speculation/acceptance/length").doubleValue())
                    .isEqualTo(2.6);
        }
    }

    @Test
    void ratesThatRiseAreAReasonNotToAsk() {
        try (Visit visit = visit()) {
            visit.openJob(visit.askForId(RISING));

            assertThat(visit.page().locator(".other-model"))
                    .hasText(
                            "The calibrated model does not support this request: it does not support acceptance rates that"
                                    + " increase with position.");
        }
    }

    @Test
    void stepsOfTheRooflineTakeACurveInPlaceOfTheirRates() {
        try (Visit visit = visit().openSettings()) {
            visit.startFrom("Roofline");
            visit.field("Model").fill("deepseek-ai/DeepSeek-V3.1");
            visit.field("Devices").fill("16");
            visit.field("TTFT target (ms)").fill("");
            visit.field("TPOT target (ms)").fill("");
            open(visit, "/serving");
            visit.page().locator("[name='/serving/num_mtp_tokens']").fill("1");
            visit.page().locator("[name='/serving/mtp_acceptance/curve']").selectOption("glm-5.2-fp8/mtp/thinking");
            Locator curl = visit.page().getByLabel("curl command for optimizations");
            assertThat(curl).containsText("\"curve\": \"glm-5.2-fp8/mtp/thinking\"");
            assertThat(curl).not().containsText("mtp_acceptance_rate");
            visit.run();

            assertThat(visit.bestInWords()).containsText("tokens/s");
            assertThat(visit.page().locator(".job-heading")).containsText("acceptance curve glm-5.2-fp8/mtp/thinking");
            assertThat(visit.page().locator(".hero .figures").first()).containsText("Tokens per step");
            assertThat(visit.page().locator(".hero .figures").first()).containsText("1.84");
        }
    }

    private static void open(Visit visit, String part) {
        visit.page().locator("details[data-pointer='" + part + "'] > summary").click();
    }

    private static JsonNode job(Visit visit) {
        return JsonMapper.shared()
                .readTree(visit.get("/api/v1/optimizations/" + visit.shownJob(), "application/json")
                        .text());
    }
}
