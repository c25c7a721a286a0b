package io.throughputoptimizer.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import io.throughputoptimizer.fixture.EveryNight;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What an answer assumes, in its card.
@EveryNight
class DashboardAssumptionsIT extends BrowserTest {
    private static final String CAPACITY = """
            {"cost_model": "calibrated", "model_id": "Qwen/Qwen3-32B", "devices": ["H100_SXM"], "num_devices": 64,
             "mode": "capacity", "demand": {"requests_per_s": 20}, "engine": {"backend": "sglang"},
             "quantization": {"scheme": "FP8"}, "instance_sizes": [2, 4], "search": {"batch_range": [1, 64]},
             "workload": {"input_length": 3500, "output_length": 1500}, "slo": {"ttft_ms": 2000, "tpot_ms": 30}}""";

    @Test
    void theCardSaysWhatItAssumesAndWhatTheEngineDoesByItself() {
        try (Visit visit = visit().openSettings()) {
            visit.startFrom("Calibrated");
            visit.field("TTFT target (ms)").fill("1000");
            visit.field("TPOT target (ms)").fill("30");
            visit.run();

            Locator card = visit.page().locator(".card.hero");
            assertThat(card.locator(".assumed"))
                    .containsText("Assumes FP8 weights; vllm as measured in 0.24.0 and 0.14.0; no prefix cache; all"
                            + " requests alike; no speculative decoding.");
            assertThat(card.locator(".assumed"))
                    .containsText(
                            "Assumes FP8 KV cache, by a flag or the checkpoint; vllm alone takes BF16: 8,569.8 tokens/s,"
                                    + " 20.7% less.");

            visit.link("Edit and rerun").click();
            assertThat(visit.field("TPOT target (ms)")).hasValue("30");
            visit.page().locator("[name='/engine/kv_cache_dtype']").selectOption("bf16");
            visit.run();
            assertThat(card.locator(".assumed")).containsText("BF16 KV cache");
            assertThat(card.locator(".assumed")).not().containsText("alone takes");
        }
    }

    @Test
    void cardsOfOtherModesSayItToo() {
        try (Visit visit = visit()) {
            visit.openJob(visit.askForId(Questions.PAIRS_SILICON));
            assertThat(visit.page().locator(".card.hero .assumed")).containsText("vllm alone takes BF16");
            visit.openJob(visit.askForId(CAPACITY));
            assertThat(visit.page().locator(".card.hero .assumed")).containsText("devices instead of");
            visit.openJob(visit.askForId(Questions.PD_RATIO));
            assertThat(visit.page().locator(".card.hero .assumed").first()).containsText("Assumes ");
            visit.openJob(visit.askForId(Questions.INFEASIBLE));
            assertThat(visit.page().locator(".card.hero .assumed").first()).containsText("Assumes ");
            visit.assertNoBarriers();
        }
    }

    /// What nothing keeps may be kept by what is not assumed.
    @ParameterizedTest
    @ValueSource(strings = {CAPACITY, Questions.PAIRS_SILICON, Questions.PD_RATIO})
    void cardsWithoutAPlanSayItToo(String question) {
        try (Visit visit = visit()) {
            visit.openJob(visit.askForId(question.replaceFirst("\"tpot_ms\": \\d+", "\"tpot_ms\": 1")));
            Locator card = visit.page().locator(".card.hero.none").first();
            assertThat(card).containsText(Pattern.compile("meets the targets|within the targets"));
            assertThat(card.locator(".assumed")).containsText("no prefix cache");
            visit.assertNoBarriers();
        }
    }

    @Test
    void theHeadingSaysOnceWhatToKnowOfDevicesAndTheirListBeforehand() {
        String question = """
                {"model_id": "Qwen/Qwen3-8B", "devices": ["H20", "910C"], "num_devices": 2, "mode": "disaggregation",
                 "workload": {"input_length": 1000, "output_length": 100}, "slo": {"ttft_ms": 2000}}""";
        try (Visit visit = visit()) {
            visit.openJob(visit.askForId(question));
            assertThat(visit.page().locator(".job-heading .notice")).hasText(new String[] {
                "H20 is not compared with silicon: its figures are those of data sheets and estimates.",
                "910C stands for ATLAS_800_A3_752T_128G_DIE: one of the two dies of an Ascend 910C: each counts"
                        + " as a device."
            });
            visit.assertNoBarriers();

            visit.openSettings();
            assertThat(visit.page().locator("#device-choices label:has(input[value='MI355X'])"))
                    .containsText("not validated against hardware");
            assertThat(visit.page().locator("#device-choices label:has(input[value='H200_SXM'])"))
                    .not()
                    .containsText("not compared");
        }
    }

    /// A limit on a percentile stays one.
    @Test
    void aQuestionThatIsChangedKeepsItsPercentile() {
        try (Visit visit = visit()) {
            visit.openJob(visit.askForId(Questions.PERCENTILE_SILICON));
            visit.link("Edit and rerun").click();
            assertThat(visit.showSettings().field("Percentile")).hasValue("95");
            assertThat(visit.page().getByLabel("curl command for optimizations"))
                    .containsText("\"percentile\": 95");
            visit.field("TPOT target (ms)").fill("45");
            visit.run();

            assertThat(visit.page().locator(".job-heading")).containsText("for 95 of 100 requests");
        }
    }
}
