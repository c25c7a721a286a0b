package io.throughputoptimizer.core.serving;

import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.core.workload.Lengths;
import io.throughputoptimizer.core.workload.Workload;
import io.throughputoptimizer.fixture.Distributions;
import io.throughputoptimizer.fixture.OptimizerVectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

class AccountingTest {
    private static final Accounting DOCUMENTED = ServingVectors.DOCUMENTED;
    private static final Accounting STEADY = ServingVectors.STEADY;
    private static final Workload FIXED = new Workload(new Lengths.Fixed(100_000), 100, 0, null);

    @Test
    void documentedBudgetForPromptsOfOneLengthIs8192() {
        assertThat(DOCUMENTED.tokenBudgets(FIXED)).containsExactly(8192);
        assertThat(DOCUMENTED.leastTokenBudget(FIXED)).isEqualTo(1);
    }

    @Test
    void documentedBudgetForMixedPromptsIsTheLongestOfThem() {
        Workload mixed = new Workload(new Lengths.Mixed(Distributions.named("builtin")), 100, 0, null);

        assertThat(DOCUMENTED.tokenBudgets(mixed)).containsExactly(140_000);
        assertThat(DOCUMENTED.leastTokenBudget(mixed)).isEqualTo(140_000);
    }

    @Test
    void documentedWavesHoldWhatTheBudgetHoldsButAtLeastOneRequest() {

        assertThat(DOCUMENTED.waveSize(100, 8192, 3, 3616)).isEqualTo(8192 / 3616);
        assertThat(DOCUMENTED.waveSize(100, 8192, 3, 8192)).isEqualTo(1);
    }

    @Test
    void aPhaseThatTakesNoTimeHasNoThroughput() {
        assertThat(DOCUMENTED.promptTokensPerSecond(5, 0, 100)).isZero();
    }

    static Stream<Arguments> automaticBudgets() {
        return OptimizerVectors.arguments(OptimizerVectors.common("auto_max_batched_tokens_candidates"));
    }

    @ParameterizedTest
    @MethodSource("automaticBudgets")
    void steadyBudgetsAreTriedAsInTheReference(JsonNode vector) {
        Workload workload =
                new Workload(new Lengths.Fixed(vector.required("input_length").intValue()), 100, 0.5, null);

        assertThat(STEADY.tokenBudgets(workload)).isEqualTo(OptimizerVectors.integers(vector, "candidates"));
        assertThat(STEADY.leastTokenBudget(workload)).isEqualTo(1);
    }

    @Test
    void steadyBudgetsOfMixedPromptsAreMultiplesOfTheirMeanEffectiveLength() {
        Workload mixed = new Workload(new Lengths.Mixed(Distributions.named("builtin")), 100, 0.5, null);

        assertThat(STEADY.tokenBudgets(mixed)).containsExactly(4 * 2115, 2 * 2115, 2115);
    }

    @Test
    void steadyBudgetsEndWhereWholeNumbersDo() {
        Workload workload = new Workload(new Lengths.Fixed(1_000_000_000), 100, 0, null);

        assertThat(STEADY.tokenBudgets(workload)).containsExactly(Integer.MAX_VALUE, 2_000_000_000, 1_000_000_000);
    }

    @Test
    void steadyWavesFillTheBudgetOfEveryRankInPromptsOfOneChunkToo() {
        long budget = STEADY.instanceTokenBudget(8192, 2);

        assertThat(STEADY.waveSize(100, budget, 1, 3616)).isEqualTo(2 * 8192 / 3616);
        assertThat(STEADY.waveSize(100, budget, 3, 20_000)).isEqualTo(1);
    }

    @Test
    void onlySteadyInstancesDecodeRequestsOfUnequalLength() {
        assertThat(DOCUMENTED.decodesMixedLengths()).isFalse();
        assertThat(STEADY.decodesMixedLengths()).isTrue();
    }
}
