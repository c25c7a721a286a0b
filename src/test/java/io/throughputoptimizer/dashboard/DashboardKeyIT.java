package io.throughputoptimizer.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import io.throughputoptimizer.api.key.Role;
import io.throughputoptimizer.fixture.EveryNight;
import io.throughputoptimizer.security.KeyRing;
import java.time.Duration;
import java.util.EnumSet;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.context.TestPropertySource;

/// The dashboard of a service that asks for keys.
@EveryNight
@TestPropertySource(
        // Never asked: it makes the service ask for keys before there is any.
        properties = "optimizer.security.jwt.jwk-set=http://127.0.0.1:9/none")
class DashboardKeyIT extends HeldSearchTest {
    /// More than the page asks for at its start, together.
    private static final int CALLS = 10;

    @Autowired
    private KeyRing keys;

    private String key(String name) {
        return keys.create(name, EnumSet.of(Role.SUBMIT), Duration.ofDays(1))
                .key()
                .reveal();
    }

    private Visit refused() {
        Visit visit = visit();
        for (int call = 0; call < CALLS; call++) {
            visit.expectRefusal();
        }
        return visit;
    }

    private static Locator dialog(Visit visit) {
        return visit.page().locator("dialog");
    }

    private static void give(Visit visit, String key) {
        visit.field("API key").fill(key);
        visit.button("Use key").click();
    }

    @Test
    void aKeyIsAskedForOnceAndUsedForEverything() {
        String mine = key("planner");
        try (Visit visit = refused().unansweredWhileWritten()) {
            visit.open("/");
            assertThat(dialog(visit)).containsText("API key required");
            give(visit, "tpo_0123456789abcdef_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA");
            assertThat(dialog(visit)).containsText("The key is not known.");
            give(visit, mine);
            assertThat(dialog(visit)).hasCount(0);

            visit.startFrom("Prefill instances");
            passes().holdAfter(5);
            visit.run();
            assertThat(progress(visit)).hasText("0 of 4 layouts searched, 5 batch sizes tried");
            String id = visit.shownJob();
            passes().holdAfter(30);
            assertThat(progress(visit)).containsText(" of 4 layouts searched, 35 batch sizes tried");
            assertThat(visit.requestsAbout(id)).containsExactly("fetch GET ", "fetch GET /events");
            passes().release();
            assertThat(visit.bestInWords()).containsText("120,457 tokens/s");
            visit.link("Jobs").click();
            assertThat(visit.page().locator(".jobs li")).hasCount(1);
            assertThat(visit.page().locator(".job-facts")).containsText(", by planner");
            assertThat(dialog(visit)).hasCount(0);
            assertThat(visit.page().evaluate("localStorage.length + sessionStorage.length + document.cookie.length"))
                    .isEqualTo(0);
        }
        try (Visit other = refused()) {
            other.open("/jobs");
            give(other, key("other"));
            assertThat(other.page().getByText("No jobs yet.")).isVisible();
        }
    }

    @Test
    void aJobOfSomebodyElseIsSaidToBeNotOnesOwnOrUnknown() {
        String theirs;
        try (Visit ann = refused()) {
            ann.open("/");
            give(ann, key("ann"));
            ann.startFrom("Prefill instances");
            ann.run();
            assertThat(ann.bestInWords()).isVisible();
            theirs = ann.shownJob();
        }
        try (Visit bob = refused()) {
            bob.open("/jobs/" + theirs);
            give(bob, key("bob"));

            assertThat(bob.page().locator("#job-view h1")).hasText("Not found, or not yours");
            assertThat(bob.page().locator("#job-view .notice"))
                    .containsText("that your key can read: role submit reads its own, role read all.");
        }
    }

    @Test
    void whoHasNoKeyIsToldWhatTheServiceSaid() {
        try (Visit visit = refused()) {
            visit.open("/jobs");
            visit.button("Cancel").click();

            assertThat(dialog(visit)).hasCount(0);
            assertThat(visit.page().locator("#jobs-view .notice"))
                    .containsText("Authentication required. Send the header Authorization: Bearer KEY.");
        }
    }

    @Test
    void theQuestionHasNoBarriers() {
        try (Visit visit = visit()) {
            for (int call = 0; call < CALLS; call++) {
                visit.expectRefusal();
            }
            visit.open("/");
            assertThat(visit.field("API key")).isFocused();
            visit.assertNoBarriers();
        }
    }

    @Test
    void theQuestionIsChinese() {
        try (ChineseWalk walk = ChineseWalk.with(refused())) {
            walk.page().locator("dialog button.quiet").click();
            assertThat(dialog(walk.visit())).hasCount(0);
            walk.visit().expectRefusal().open("/jobs");
            assertThat(dialog(walk.visit())).isVisible();
            walk.look("key");
            walk.assertNothingIsLeft();
        }
    }
}
