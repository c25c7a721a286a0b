package io.throughputoptimizer.core.serving;

import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.core.workload.Lengths;
import io.throughputoptimizer.core.workload.Phase;
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
    private static final Accounting CORRECTED = ServingVectors.CORRECTED;
    private static final Workload FIXED = new Workload(new Lengths.Fixed(100_000), 100, 0, null);

    @Test
    void documentedBudgetForPromptsOfOneLengthIs8192() {
        assertThat(DOCUMENTED.budget().tried(FIXED)).containsExactly(8192);
        assertThat(DOCUMENTED.budget().least(FIXED)).isEqualTo(1);
    }

    @Test
    void documentedBudgetForMixedPromptsIsTheLongestOfThem() {
        Workload mixed = new Workload(new Lengths.Mixed(Distributions.named("builtin")), 100, 0, null);

        assertThat(DOCUMENTED.budget().tried(mixed)).containsExactly(140_000);
        assertThat(DOCUMENTED.budget().least(mixed)).isEqualTo(140_000);
    }

    @Test
    void documentedWavesHoldWhatTheBudgetHoldsButAtLeastOneRequest() {

        assertThat(DOCUMENTED.waves().size(100, 8192, 3, 3616)).isEqualTo(8192 / 3616);
        assertThat(DOCUMENTED.waves().size(100, 8192, 3, 8192)).isEqualTo(1);
    }

    @Test
    void aPhaseThatTakesNoTimeHasNoThroughput() {
        assertThat(DOCUMENTED.completion().tokensPerSecond(5, 0, 100)).isZero();
    }

    static Stream<Arguments> automaticBudgets() {
        return OptimizerVectors.arguments(OptimizerVectors.common("auto_max_batched_tokens_candidates"));
    }

    @ParameterizedTest
    @MethodSource("automaticBudgets")
    void correctedBudgetsAreTriedAsInTheReference(JsonNode vector) {
        Workload workload =
                new Workload(new Lengths.Fixed(vector.required("input_length").intValue()), 100, 0.5, null);

        assertThat(CORRECTED.budget().tried(workload)).isEqualTo(OptimizerVectors.integers(vector, "candidates"));
        assertThat(CORRECTED.budget().least(workload)).isEqualTo(1);
    }

    @Test
    void correctedBudgetsOfMixedPromptsAreMultiplesOfTheirMeanEffectiveLength() {
        Workload mixed = new Workload(new Lengths.Mixed(Distributions.named("builtin")), 100, 0.5, null);

        assertThat(CORRECTED.budget().tried(mixed)).containsExactly(4 * 2115, 2 * 2115, 2115);
    }

    @Test
    void correctedBudgetsEndWhereWholeNumbersDo() {
        Workload workload = new Workload(new Lengths.Fixed(1_000_000_000), 100, 0, null);

        assertThat(CORRECTED.budget().tried(workload)).containsExactly(Integer.MAX_VALUE, 2_000_000_000, 1_000_000_000);
    }

    @Test
    void correctedWavesFillTheBudgetOfEveryRankInPromptsOfOneChunkToo() {
        long budget = CORRECTED.budget().ofInstance(8192, 2);

        assertThat(CORRECTED.waves().size(100, budget, 1, 3616)).isEqualTo(2 * 8192 / 3616);
        assertThat(CORRECTED.waves().size(100, budget, 3, 20_000)).isEqualTo(1);
    }

    @Test
    void unequalLengthsAreServedByPrefillInstancesAndCorrectedByAllOthersToo() {
        assertThat(Stream.of(Phase.values()).filter(DOCUMENTED::servesMixedLengths))
                .containsExactly(Phase.PREFILL);
        assertThat(Stream.of(Phase.values()).filter(CORRECTED::servesMixedLengths))
                .containsExactlyInAnyOrder(Phase.values());
    }
}
