package io.throughputoptimizer.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.throughputoptimizer.api.InvalidRequestException;
import io.throughputoptimizer.api.Violation;
import io.throughputoptimizer.core.search.SearchMonitor;
import io.throughputoptimizer.fixture.GatedSearch;
import io.throughputoptimizer.fixture.ManualClock;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;

class JobRunnerTest {
    private static final Duration LONG = Duration.ofMinutes(1);

    private final ManualClock clock = new ManualClock();
    private final JobStore store = new JobStore(10);
    private final GatedSearch search = new GatedSearch();

    @Test
    void aJobThatSucceedsKeepsItsResultAndTimes() throws InterruptedException {
        try (JobRunner runner = runner(search)) {
            OptimizationJob job = accepted(runner.submit("{}", null));
            search.awaitStart();
            clock.advance(Duration.ofSeconds(3));
            search.release();
            runner.awaitFinish(job.id(), LONG);

            assertThat(state(job))
                    .isEqualTo(new JobState.Succeeded(
                            job.submittedAt(),
                            job.submittedAt().plusSeconds(3),
                            new JobProgress(1, 4, 1),
                            "{\"search\":{\"candidates\":1}}"));
        }
    }

    @Test
    void aJobWhoseRequestNoLongerFitsTheCatalogueFailsWithItsFaults() throws InterruptedException {
        Violation gone = new Violation("/model_id", "is gone");
        try (JobRunner runner = runner((_, _) -> {
            throw new InvalidRequestException(List.of(gone));
        })) {
            OptimizationJob job = accepted(runner.submit("{}", null));
            runner.awaitFinish(job.id(), LONG);

            assertThat(state(job))
                    .isInstanceOfSatisfying(
                            JobState.Failed.class,
                            failed -> assertThat(failed.problem().errors())
                                    .extracting("pointer")
                                    .containsExactly("/model_id"));
        }
    }

    @Test
    void anErrorOfTheVirtualMachineFailsTheJobOnly() throws InterruptedException {
        try (JobRunner runner = runner((request, _) -> {
            if (request.equals("deep")) {
                throw new StackOverflowError();
            }
            return "{}";
        })) {
            OptimizationJob failed = accepted(runner.submit("deep", null));
            OptimizationJob next = accepted(runner.submit("{}", null));
            runner.awaitFinish(failed.id(), LONG);
            runner.awaitFinish(next.id(), LONG);

            assertThat(state(failed).status()).isEqualTo(JobStatus.FAILED);
            assertThat(state(next).status()).isEqualTo(JobStatus.SUCCEEDED);
        }
    }

    @Test
    void aRefusedJobLeavesNoTrace() {
        try (JobRunner runner = runner(search)) {
            accepted(runner.submit("1", null));
            search.awaitStart();
            accepted(runner.submit("2", null));
            accepted(runner.submit("3", null));

            assertThat(runner.submit("4", "key")).isInstanceOf(Submission.QueueFull.class);
            assertThat(store.list(Set.of(), null, 10).jobs()).hasSize(3);
            assertThat(store.findByKey("key")).isEmpty();
        }
    }

    @Test
    void aFinishedJobCannotBeCancelled() throws InterruptedException {
        try (JobRunner runner = runner(search)) {
            OptimizationJob job = accepted(runner.submit("{}", null));
            search.release();
            runner.awaitFinish(job.id(), LONG);

            assertThat(runner.cancel(job.id())).isFalse();
            assertThat(state(job).status()).isEqualTo(JobStatus.SUCCEEDED);
        }
    }

    @Test
    void waitingEndsWithTheWaitNotWithTheJob() throws InterruptedException {
        try (JobRunner runner = runner(search)) {
            OptimizationJob job = accepted(runner.submit("{}", null));
            runner.awaitFinish(job.id(), Duration.ofMillis(1));

            assertThat(state(job).isFinished()).isFalse();
        }
    }

    @Test
    void closingEndsAllJobs() {
        OptimizationJob running;
        OptimizationJob queued;
        try (JobRunner runner = runner(search)) {
            running = accepted(runner.submit("1", null));
            search.awaitStart();
            queued = accepted(runner.submit("2", null));
        }

        assertThat(state(running).status()).isEqualTo(JobStatus.CANCELLED);
        assertThat(state(queued).status()).isEqualTo(JobStatus.CANCELLED);
    }

    @Test
    void withoutWorkersOrQueueThereIsNoRunner() {
        assertThatThrownBy(() -> new JobRunner.Capacity(0, 1)).hasMessageContaining("workers is 0");
        assertThatThrownBy(() -> new JobRunner.Capacity(1, 0)).hasMessageContaining("queued 0");
    }

    private JobRunner runner(BiFunction<String, SearchMonitor, String> search) {
        return new JobRunner(store, search, new JobRunner.Capacity(1, 2), clock);
    }

    private static OptimizationJob accepted(Submission submission) {
        return ((Submission.Accepted) submission).job();
    }

    private JobState state(OptimizationJob job) {
        return store.find(job.id()).orElseThrow().state();
    }
}
