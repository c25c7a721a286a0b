package io.throughputoptimizer.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Download;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.options.BoundingBox;
import io.throughputoptimizer.fixture.EveryNight;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// The cards of a plan: frontier, layouts, changes that help, and accuracy.
@EveryNight
class DashboardFrontierIT extends BrowserTest {
    private static final int STEPS = 20;

    @Test
    void curvesAndRowsLightUpTogether() {
        try (Visit visit = ready(visit())) {
            Locator chart = chart(visit);
            assertThat(chart)
                    .hasAttribute(
                            "aria-label", Pattern.compile("Chart: Tokens/s per device over tokens/s per user\\..*"));
            Locator rows = visit.liveAnswer().locator(".layouts-card tbody tr");
            byte[] before = chart.screenshot();
            rows.nth(1).hover();
            assertThat(chart.screenshot()).isNotEqualTo(before);

            Locator lit = visit.liveAnswer().locator(".layouts-card tr.lit");
            BoundingBox plot = chart.locator(".u-over").boundingBox();
            for (int step = 1; step < STEPS && lit.count() == 0; step++) {
                visit.page().mouse().move(plot.x + plot.width * step / STEPS, plot.y + plot.height / 2);
            }
            assertThat(lit).hasCount(1);
            String layout = lit.locator("[data-layout]").getAttribute("data-layout");
            assertThat(visit.liveAnswer().locator(".frontier-card .tip")).containsText(layout + ", ");
        }
    }

    @Test
    void theFrontierIsSavedAsAPictureAndAsATable() throws IOException {
        try (Visit visit = ready(visit())) {
            Locator card = visit.liveAnswer().locator(".frontier-card");
            Download picture =
                    visit.page().waitForDownload(() -> card.getByText("PNG").click());
            Download table =
                    visit.page().waitForDownload(() -> card.getByText("CSV").click());

            assertThat(picture.suggestedFilename()).isEqualTo("Tokens_s per device over tokens_s per user.png");
            assertThat(Files.readAllBytes(picture.path())).startsWith(0x89, 'P', 'N', 'G');
            assertThat(table.suggestedFilename()).isEqualTo("frontier.csv");
            List<String> lines = Files.readAllLines(table.path());
            assertThat(lines.getFirst())
                    .isEqualTo(
                            "layout,concurrency,tokens_per_s_per_device,tokens_per_s_per_user,tpot_ms,ttft_ms,within_slo");
            assertThat(lines).hasSizeGreaterThan(10).anyMatch(line -> line.startsWith("\"4 × TP=2\","));
        }
    }

    @Test
    void anotherDeviceAddsItsCurve() {
        try (Visit visit = ready(visit())) {
            byte[] before = chart(visit).screenshot();
            visit.button("+ H200_SXM").click();

            assertThat(visit.button("+ H200_SXM")).hasCount(0);
            assertThat(chart(visit).screenshot()).isNotEqualTo(before);
        }
    }

    @Test
    void changesThatHelpAreTakenIntoTheQuestion() {
        try (Visit visit = ready(visit())) {
            Locator changes = visit.liveAnswer().locator(".levers li");
            assertThat(changes.first()).containsText(Pattern.compile("[+−][\\d.]+%"));
            String before = visit.page().locator("#plan-words").textContent();
            visit.liveAnswer().locator(".levers li :is(a, button)").first().click();

            assertThat(visit.page().locator("#plan-words")).not().hasText(before);
            assertThat(visit.button("Undo")).isVisible();
        }
    }

    @Test
    void theNearestMeasuredServersAreNamed() {
        try (Visit visit = ready(visit())) {
            Locator card = visit.liveAnswer().locator(".certainty");
            assertThat(card)
                    .containsText("No server of H100_SXM was measured. The nearest 60 ran Llama-3.1-70B on H200_SXM");
            assertThat(card).containsText(Pattern.compile("Median error of TPOT: [\\d.]+%"));
            visit.assertNoBarriers();
            card.locator("a").click();

            assertThat(visit.field("Device shown")).hasValue("H200_SXM");
        }
    }

    @Test
    void theSameModelIsNearerThanTheSameDevice() {
        try (Visit visit = visit()) {
            visit.open("/plan/deepseek-ai/DeepSeek-R1?gpu=8xH200_SXM&in=3500&out=500&ttft=2s&tpot=50ms");

            assertThat(visit.liveAnswer().locator(".certainty")).containsText("ran DeepSeek-R1/V3 on H200_SXM");
        }
    }

    @Test
    void storedPlansHaveTheSameCards() {
        try (Visit visit = visit()) {
            visit.openJob(visit.askForId(Questions.SILICON));

            for (String card : List.of(".hero", ".frontier-card", ".layouts-card", ".levers", ".certainty")) {
                assertThat(visit.page().locator("#job-view .plan-cards " + card))
                        .hasCount(1);
            }
            assertThat(visit.page().locator("#job-view .phase .hero")).hasCount(0);
        }
    }

    private static Visit ready(Visit visit) {
        visit.open("/");
        assertThat(visit.liveAnswer()).containsText("Run 4 instances");
        assertThat(chart(visit).locator("canvas")).isVisible();
        return visit;
    }

    private static Locator chart(Visit visit) {
        return visit.liveAnswer().locator(".frontier-card .chart");
    }
}
