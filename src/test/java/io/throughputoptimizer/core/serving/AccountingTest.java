package io.throughputoptimizer.core.serving;

import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.core.workload.Lengths;
import io.throughputoptimizer.core.workload.PrefillChunks;
import io.throughputoptimizer.core.workload.Workload;
import io.throughputoptimizer.fixture.Distributions;
import org.junit.jupiter.api.Test;

class AccountingTest {
    private static final Accounting DOCUMENTED = new Accounting.Documented();
    private static final Workload FIXED = new Workload(new Lengths.Fixed(100_000), 100, 0, null);

    @Test
    void documentedBudgetForPromptsOfOneLengthIs8192() {
        assertThat(DOCUMENTED.defaultTokenBudget(FIXED)).isEqualTo(8192);
        assertThat(DOCUMENTED.leastTokenBudget(FIXED)).isEqualTo(1);
    }

    @Test
    void documentedBudgetForMixedPromptsIsTheLongestOfThem() {
        Workload mixed = new Workload(new Lengths.Mixed(Distributions.named("builtin")), 100, 0, null);

        assertThat(DOCUMENTED.defaultTokenBudget(mixed)).isEqualTo(140_000);
        assertThat(DOCUMENTED.leastTokenBudget(mixed)).isEqualTo(140_000);
    }

    @Test
    void documentedWavesHoldWhatTheBudgetHoldsButAtLeastOneRequest() {
        PrefillChunks chunks = new PrefillChunks(20_000, 8192);

        assertThat(DOCUMENTED.prefillWave(100, chunks, 3616)).isEqualTo(8192 / 3616);
        assertThat(DOCUMENTED.prefillWave(100, chunks, 8192)).isEqualTo(1);
    }

    @Test
    void aPhaseThatTakesNoTimeHasNoThroughput() {
        assertThat(DOCUMENTED.prefillTokensPerSecond(5, 0, 100)).isZero();
    }
}
