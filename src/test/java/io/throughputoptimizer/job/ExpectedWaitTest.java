package io.throughputoptimizer.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class ExpectedWaitTest {
    private static final List<Duration> MEAN_OF_FOUR_SECONDS = List.of(Duration.ofSeconds(2), Duration.ofSeconds(6));

    @Test
    void aTenthOfTheQueueHasToMoveOn() {
        assertThat(ExpectedWait.of(MEAN_OF_FOUR_SECONDS, 100, 2)).contains(Duration.ofSeconds(4 * (100 / 10) / 2));
    }

    @Test
    void inAShortQueueOneJobHasToMoveOn() {
        assertThat(ExpectedWait.of(MEAN_OF_FOUR_SECONDS, 3, 1)).contains(Duration.ofSeconds(4));
    }

    @Test
    void whileNothingRunsOneJobIsTakenToBeAboutTo() {
        assertThat(ExpectedWait.of(MEAN_OF_FOUR_SECONDS, 3, 0)).contains(Duration.ofSeconds(4));
    }

    @Test
    void withoutRecentJobsNothingIsExpected() {
        assertThat(ExpectedWait.of(List.of(), 100, 2)).isEmpty();
    }
}
