package io.throughputoptimizer.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Response;
import io.throughputoptimizer.cache.CachingForwardEstimator;
import io.throughputoptimizer.core.forward.AnalyticForwardEstimator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;

/// What a planner sees while a search runs.
class DashboardProgressIT extends BrowserTest {
    @Autowired
    private HeldEstimator passes;

    @TestConfiguration(proxyBeanMethods = false)
    static class HeldSearches {

        @Bean
        HeldEstimator heldEstimator(AnalyticForwardEstimator analytic) {
            return new HeldEstimator(analytic);
        }

        /// Remembers nothing, since what is remembered could not be held.
        @Bean
        @Primary
        CachingForwardEstimator forgetfulEstimator(HeldEstimator held) {
            return new CachingForwardEstimator(held, 0);
        }
    }

    @AfterEach
    void release() {
        passes.release();
    }

    @Test
    void progressIsShownUntilTheResultTakesItsPlace() {
        try (Visit visit = visit().open("/")) {
            visit.startFrom("Prefill instances");
            passes.holdAfter(5);
            visit.run();
            Locator progress = visit.page().locator(".search-progress p");

            assertThat(progress).hasText("0 of 4 layouts searched, 5 batch sizes tried");
            passes.holdAfter(30);
            assertThat(progress).containsText("35 batch sizes tried");
            assertThat(visit.page().locator(".badge")).hasText("running");
            passes.release();
            assertThat(visit.bestInWords()).containsText("42,342 tokens/s");
            assertThat(visit.page().locator(".badge")).hasText("succeeded");
        }
    }

    @Test
    void aRunningSearchCanBeCancelled() {
        try (Visit visit = visit().open("/")) {
            visit.startFrom("Prefill instances");
            passes.holdAfter(5);
            visit.run();
            assertThat(visit.page().locator(".search-progress p")).containsText("5 batch sizes tried");
            Response answer = visit.page()
                    .waitForResponse(
                            response -> response.request().method().equals("DELETE"),
                            () -> visit.button("Cancel").click());
            passes.release();

            assertThat(answer.status()).isEqualTo(202);
            assertThat(visit.page().locator(".badge")).hasText("cancelled");
            assertThat(visit.page().getByText("The job was cancelled before it had a result."))
                    .isVisible();
        }
    }

    @Test
    void theListOfJobsFollowsARunningSearch() {
        try (Visit visit = visit().open("/")) {
            visit.startFrom("Decode instances");
            passes.holdAfter(5);
            visit.run();
            assertThat(visit.page().locator(".search-progress p")).containsText("5 batch sizes tried");
            visit.link("Jobs").click();
            Locator newest = visit.page().locator(".jobs li").first().locator(".badge");

            assertThat(newest).hasText("running");
            passes.release();
            assertThat(newest).hasText("succeeded");
        }
    }
}
