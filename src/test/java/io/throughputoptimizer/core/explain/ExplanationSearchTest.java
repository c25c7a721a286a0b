package io.throughputoptimizer.core.explain;

import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.core.explain.Lever.Choice;
import io.throughputoptimizer.core.forward.AnalyticForwardEstimator;
import io.throughputoptimizer.core.search.Optimizer;
import io.throughputoptimizer.core.search.SearchMonitor;
import org.junit.jupiter.api.Test;

/// What an inquiry may spend on one device.
class ExplanationSearchTest {

    @Test
    void changesThatSimulationsDoNotSufficeForAreNamedOnceAndTheNextDeviceHasItsOwn() {
        ExplanationSearch inquiry =
                new ExplanationSearch(new Optimizer(new AnalyticForwardEstimator()), SearchMonitor.SILENT, 1);
        for (int simulation = 0; simulation < ExplanationSearch.MOST_SIMULATIONS; simulation++) {
            assertThat(inquiry.affords(Choice.MAX_BATCHED_TOKENS)).isTrue();
            inquiry.countSimulation();
        }

        assertThat(inquiry.affords(Choice.INPUT_LENGTH)).isFalse();
        assertThat(inquiry.affords(Lever.Limit.TTFT_LIMIT)).isFalse();
        assertThat(inquiry.affords(Choice.INPUT_LENGTH)).isFalse();

        assertThat(inquiry.leftOut()).containsExactly(Choice.INPUT_LENGTH, Lever.Limit.TTFT_LIMIT);
        assertThat(inquiry.affords(Choice.INPUT_LENGTH)).isTrue();
        assertThat(inquiry.leftOut()).isEmpty();
        assertThat(inquiry.simulations()).isEqualTo(ExplanationSearch.MOST_SIMULATIONS);
    }
}
