package io.throughputoptimizer.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import io.throughputoptimizer.api.job.JobStatus;
import io.throughputoptimizer.core.forward.AnalyticForwardEstimator;
import io.throughputoptimizer.job.JobEvents;
import io.throughputoptimizer.job.JobStore;
import io.throughputoptimizer.job.OptimizationJob;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Primary;

/// Visits the dashboard of a service whose searches can be held.
@Import(HeldSearchTest.HeldSearches.class)
abstract class HeldSearchTest extends BrowserTest {
    static final int PASSES_BEFORE_HOLD = 5;
    private static final int MOST_JOBS = 100;
    private static final Duration LONGEST_SEARCH = Duration.ofMinutes(10);

    @Autowired
    private HeldEstimator passes;

    @Autowired
    private JobStore store;

    @Autowired
    private JobEvents<OptimizationJob.Standing> events;

    @TestConfiguration(proxyBeanMethods = false)
    static class HeldSearches {

        @Bean
        @Primary
        HeldEstimator heldEstimator(AnalyticForwardEstimator analytic) {
            return new HeldEstimator(analytic);
        }
    }

    /// Waits for the searches to end, so that none of them takes passes that the next test lets through.
    @AfterEach
    void releaseSearches() throws InterruptedException {
        passes.release();
        Set<JobStatus> unfinished = EnumSet.of(JobStatus.QUEUED, JobStatus.RUNNING);
        for (OptimizationJob job : store.list(new JobStore.Filter(unfinished, false, List.of()), null, null, MOST_JOBS)
                .entries()) {
            events.awaitFinish(job.id(), LONGEST_SEARCH);
        }
    }

    HeldEstimator passes() {
        return passes;
    }

    /// Submits an example whose search is held, and waits until the page follows it. No question that is answered
    /// while it is written takes passes from it.
    ///
    /// @return id of the job
    String startHeld(Visit visit, String preset) {
        visit.unansweredWhileWritten().openSettings().startFrom(preset);
        passes.holdAfter(PASSES_BEFORE_HOLD);
        visit.run();
        assertThat(visit.button("Cancel")).isVisible();
        return visit.shownJob();
    }

    /// As [#startHeld], until the page shows where the search is held.
    String runHeld(Visit visit, String preset) {
        String id = startHeld(visit, preset);
        assertThat(progress(visit)).hasText("0 of 4 layouts searched, 5 batch sizes tried");
        return id;
    }

    static Locator progress(Visit visit) {
        return visit.page().locator(".search-progress p").first();
    }

    static Locator badge(Visit visit) {
        return visit.page().locator(".badge");
    }
}
