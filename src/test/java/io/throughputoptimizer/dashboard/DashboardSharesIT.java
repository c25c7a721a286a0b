package io.throughputoptimizer.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Download;
import com.microsoft.playwright.Locator;
import io.throughputoptimizer.api.key.Role;
import io.throughputoptimizer.fixture.EveryNight;
import io.throughputoptimizer.security.KeyRing;
import io.throughputoptimizer.security.ShareLinks;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.UUID;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.context.TestPropertySource;

/// Links of a service that asks for keys: their owner makes and revokes them, who has none reads what they show.
@EveryNight
@TestPropertySource(
        // Never asked: it makes the service ask for keys before there is any.
        properties = "optimizer.security.jwt.jwk-set=http://127.0.0.1:9/none")
class DashboardSharesIT extends HeldSearchTest {
    /// More than the page asks for at its start, together.
    private static final int CALLS = 10;

    static final String PRICED = """
            {"cost_model": "calibrated", "model_id": "Qwen/Qwen3-32B", "devices": ["H100_SXM"], "num_devices": 8,
             "engine": {"backend": "vllm"}, "quantization": {"scheme": "FP8"},
             "workload": {"input_length": 3500, "output_length": 1500}, "slo": {"ttft_ms": 1000, "tpot_ms": 30},
             "objective": {"name": "cost_per_million_tokens", "price_per_device_hour": 2.5, "currency": "EUR"}}""";

    private static final String CAPACITY = """
            {"cost_model": "analytic", "model_id": "Qwen/Qwen3-32B", "devices": ["H100_SXM"], "num_devices": 64, "mode": "capacity",
             "demand": {"requests_per_s": 2.5}, "instance_sizes": [8], "serving": {"compile": true},
             "workload": {"input_length": 3500, "output_length": 1500}, "slo": {"ttft_ms": 2000, "tpot_ms": 50}}""";

    @Autowired
    private KeyRing keys;

    @Autowired
    private ShareLinks links;

    private String key() {
        return keys.create("ann-" + UUID.randomUUID(), EnumSet.of(Role.SUBMIT), Duration.ofDays(1))
                .key()
                .reveal();
    }

    private String linkTo(String question) {
        try (Visit visit = visit()) {
            return links.create(UUID.fromString(visit.askForId(question, key())), Duration.ofDays(7))
                    .orElseThrow()
                    .token()
                    .reveal();
        }
    }

    @Test
    void whatALinkShowsIsExported() throws IOException {
        String token = linkTo(PRICED);
        try (Visit manager = visit().open("/s/" + token)) {
            Download download = manager.download("CSV");

            assertThat(download.suggestedFilename()).isEqualTo("plan.csv");
            assertThat(Files.readString(download.path())).contains("TP=2").contains("H100_SXM");
        }
    }

    @Test
    void aLinkShowsTheFrontier() throws IOException {
        String token = linkTo(PRICED);
        try (Visit manager = visit().open("/s/" + token)) {
            Locator card = manager.page().locator("#shared-view .frontier-card");
            assertThat(card.locator("canvas")).isVisible();
            assertThat(card.getByText("+ H200_SXM")).hasCount(0);
            Download picture =
                    manager.page().waitForDownload(() -> card.getByText("PNG").click());
            assertThat(Files.readAllBytes(picture.path())).startsWith(0x89, 'P', 'N', 'G');
        }
    }

    @Test
    void theOwnerMakesCopiesAndRevokesALink() {
        try (Visit ann = visit()) {
            for (int call = 0; call < CALLS; call++) {
                ann.expectRefusal();
            }
            String mine = key();
            String job = ann.askForId(PRICED, mine);
            ann.open("/jobs/" + job);
            ann.field("API key").fill(mine);
            ann.button("Use key").click();
            ann.page().getByText("Share link").click();
            ann.field("Expires in").selectOption("7");
            ann.button("Create link").click();
            assertThat(ann.page().locator(".share-list li")).hasCount(1);
            ann.button("Copy link").click();
            assertThat(ann.page().locator("#announcer")).hasText("Copied");
            String link = (String) ann.page().evaluate("navigator.clipboard.readText()");
            assertThat(link).startsWith(ann.origin() + "/#/s/tps_");
            assertThat(ann.field("Link (shown once)")).hasValue(link);
            ann.assertNoBarriers();
            ann.button("Revoke").click();

            assertThat(ann.page().locator(".share-list li")).hasCount(0);
            assertThat(ann.page().locator(".share-made")).isEmpty();
            assertThat(links.list(UUID.fromString(job))).isEmpty();
            try (Visit late = visit().expectRefusal()) {
                late.page().navigate(link);
                assertThat(late.page().locator("#shared-view h1")).hasText("Nothing to show");
                assertThat(late.page().locator("#shared-view")).containsText("was revoked");
            }
        }
    }

    /// Whatever mode the plan has, the paragraph says how many devices it takes.
    @Test
    void everyModeIsToldInAParagraph() {
        for (String question : List.of(
                Questions.AGGREGATED, CAPACITY, Questions.PD_RATIO, Questions.PAIRS_SILICON, Questions.INFEASIBLE)) {
            try (Visit manager = visit().open("/s/" + linkTo(question))) {
                assertThat(manager.page().locator("#shared-view .meaning"))
                        .containsText(Pattern.compile("needs \\d+ × .+They serve|cannot be served within the targets"));
                manager.assertFitsTheWidth();
            }
        }
    }
}
