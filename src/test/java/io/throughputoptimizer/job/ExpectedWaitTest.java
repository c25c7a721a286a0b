package io.throughputoptimizer.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.job.Admission.ExpectedWait;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ExpectedWaitTest {
    private static final List<Duration> MEAN_OF_FOUR_SECONDS = List.of(Duration.ofSeconds(2), Duration.ofSeconds(6));

    @Test
    void aTenthOfTheCallersJobsHasToMoveOn() {
        assertThat(of(alone(100), 125, 2)).contains(Duration.ofSeconds(4 * (100 / 10) / 2));
    }

    @Test
    void eachOfThoseWhoWaitHasItsTurnMeanwhile() {
        assertThat(of(new Admission.Waiting(90, 80, 3), 100, 2)).contains(Duration.ofSeconds(4 * (80 / 10) * 3 / 2));
    }

    @Test
    void notMoreJobsMoveOnThanWait() {
        assertThat(of(new Admission.Waiting(100, 80, 21), 100, 1)).contains(Duration.ofSeconds(4 * 100));
    }

    @Test
    void whoeverHasNoneNeedsOnePlaceWhoeverHadIt() {
        assertThat(of(new Admission.Waiting(100, 0, 7), 100, 1)).contains(Duration.ofSeconds(4));
    }

    @Test
    void inAShortQueueOneJobHasToMoveOn() {
        assertThat(of(alone(3), 4, 1)).contains(Duration.ofSeconds(4));
    }

    @Test
    void whileNothingRunsOneJobIsTakenToBeAboutTo() {
        assertThat(of(alone(3), 4, 0)).contains(Duration.ofSeconds(4));
    }

    /// Two of its own, and as many of the other's: 14 + 1 are at most four times the 4 that are left of 20.
    @Test
    void soManyJobsHaveToMoveOnThatTheCallerHasAPlace() {
        assertThat(of(new Admission.Waiting(19, 16, 2), 20, 1)).contains(Duration.ofSeconds(4 * 4));
    }

    /// Four that began together end together.
    @Test
    void jobsMoveOnInRounds() {
        assertThat(of(alone(3), 4, 4)).contains(Duration.ofSeconds(4));
        assertThat(of(new Admission.Waiting(19, 16, 2), 20, 3)).contains(Duration.ofSeconds(2 * 4));
    }

    @Test
    void withoutRecentJobsNothingIsExpected() {
        assertThat(ExpectedWait.of(List.of(), alone(100), 125, 2)).isEmpty();
    }

    private static Optional<Duration> of(Admission.Waiting waiting, int most, int running) {
        return ExpectedWait.of(MEAN_OF_FOUR_SECONDS, waiting, most, running);
    }

    private static Admission.Waiting alone(int jobs) {
        return new Admission.Waiting(jobs, jobs, 1);
    }
}
