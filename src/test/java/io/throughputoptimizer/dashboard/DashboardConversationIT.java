package io.throughputoptimizer.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import io.throughputoptimizer.fixture.EveryNight;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// Turns of conversations, a third kind of lengths.
@EveryNight
class DashboardConversationIT extends BrowserTest {
    private static final String CAPACITY = """
            {"model_id": "Qwen/Qwen3-32B", "devices": ["H100_SXM"], "num_devices": 64, "mode": "capacity",
             "demand": {"conversations": 2000}, "headroom": 0.2, "instance_sizes": [1, 2],
             "cost_model": "calibrated", "engine": {"backend": "vllm"}, "quantization": {"scheme": "FP8"},
             "workload": {"conversation": {"turns": 6, "system_tokens": 1000, "added_tokens": 400,
              "generated_tokens": 300, "think_time_s": 20}},
             "slo": {"ttft_ms": 1000, "tpot_ms": 30}}""";

    @Test
    void theFormAsksForTurnsInsteadOfLengthsAndRowsSayWhatTheCacheKeeps() {
        try (Visit visit = visit().openSettings()) {
            assertThat(visit.field("Input length")).isVisible();
            visit.page().locator("[name='length-kind'][value=turns]").check();
            assertThat(visit.field("Input length")).isHidden();
            assertThat(visit.field("Prefix cache hit rate")).isHidden();
            visit.page().locator("#turns").fill("4");
            visit.field("Tokens added per turn").fill("300");
            visit.field("Tokens generated per turn").fill("200");
            visit.field("Think time (s)").fill("10");
            assertThat(visit.page().locator("#plan-words"))
                    .containsText("conversations of 4 turns, 300 tokens added and 200 generated per turn");

            // Pairs serve them on measured devices alone: by the reference the lengths come back.
            visit.page().locator("[name='/cost_model'][value=calibrated]").check();
            visit.page().locator("[name='/mode'][value=pd_ratio]").check();
            assertThat(visit.page().locator("[name='length-kind'][value=turns]"))
                    .isChecked();
            visit.page().locator("[name='/cost_model'][value=analytic]").check();
            assertThat(visit.page().locator("[name='length-kind'][value=turns]"))
                    .isDisabled();
            assertThat(visit.field("Input length")).isVisible();

            visit.page().locator("[name='/mode'][value=aggregation]").check();
            visit.page().locator("[name='length-kind'][value=turns]").check();
            visit.run();
            assertThat(visit.page().locator("#job-view")).containsText("Cache hits");
        }
    }

    @Test
    void devicesForConversationsArePairedToo() {
        try (Visit visit = visit()) {
            visit.openJob(visit.askForId(CAPACITY));

            assertThat(visit.page().locator("#job-view")).containsText("2,000 concurrent conversations");
            assertThat(visit.page().locator(".phase > .table").first())
                    .containsText(Pattern.compile("\\d+ × \\d+ → \\d+ × \\d+"));
            assertThat(visit.page().locator("#job-view"))
                    .containsText("% of the turns after the first do not find the previous turn");
        }
    }
}
