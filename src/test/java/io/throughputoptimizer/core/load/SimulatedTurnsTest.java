package io.throughputoptimizer.core.load;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.throughputoptimizer.core.load.Traffic.SimulatedLoad;
import io.throughputoptimizer.core.workload.Conversation;
import org.junit.jupiter.api.Test;

/// Simulated conversations, worked by hand: a token of a prompt takes 1 ms, a decode step 10 ms.
class SimulatedTurnsTest {
    private static final LinearSteps STEPS =
            new LinearSteps(new LinearSteps.Decode(10, 0, 0), new LinearSteps.Prefill(0, 1, 0));

    /// Prompts of 100 and of 100 + 2 + 100 tokens, each answered by the token that its prompt makes and by
    /// one of a step.
    private static Conversation conversation(boolean keepsCache) {
        return new Conversation(2, 0, 100, 2, 0, keepsCache, 0);
    }

    private static SimulationResult run(Conversation conversation, int clients, double kvTokens, int requests) {
        return ServingSimulation.run(
                new ServingRank(STEPS, kvTokens, Ranks.MIXED, CacheUse.TOKENS),
                new SimulatedLoad(
                        new TurnLengths(conversation, PrefixCacheRetention.PROMPT_AND_ANSWER),
                        requests,
                        0,
                        new Arrivals.Turns(clients, conversation, 1)),
                () -> {});
    }

    private static SimulationResult.Turns turns(SimulationResult result) {
        return requireNonNull(result.turns());
    }

    @Test
    void aClientComputesOfItsSecondTurnWhatItAdds() {
        SimulationResult kept = run(conversation(true), 1, 1000, 4);
        assertThat(kept.span().makespanMillis()).isEqualTo(2 * (100 + 10) + 2 * (100 + 10));
        assertThat(turns(kept)).isEqualTo(new SimulationResult.Turns(102 / 302.0, 1, (101 + 203) / 2.0));

        SimulationResult none = run(conversation(false), 1, 1000, 4);
        assertThat(none.span().makespanMillis()).isEqualTo(2 * (100 + 10) + 2 * (202 + 10));
        assertThat(turns(none).hitRate()).isZero();
    }

    /// The first client begins at its first turn, the second at its second. Both run beside each other; then what the
    /// second has left, which nobody asks for again, makes room.
    @Test
    void whatWasLeftFirstMakesRoomThoughItMayBeOfNoUse() {
        SimulationResult result = run(conversation(true), 2, 310, 4);
        assertThat(result.span().makespanMillis()).isEqualTo((100 + 202 + 10) + (100 + 100 + 10));
        assertThat(turns(result).found()).isEqualTo(1);
        assertThat(turns(result).hitRate()).isCloseTo(102 / 302.0, within(1e-15));
    }

    /// With 250 tokens the second client's turn waits for the first to end, and then takes the place of what that left.
    @Test
    void aTurnThatWasForgottenIsComputedAgain() {
        SimulationResult result = run(conversation(true), 2, 250, 4);
        assertThat(result.span().makespanMillis()).isEqualTo((100 + 10) + (202 + 10) + (202 + 10) + (100 + 10));
        assertThat(turns(result).found()).isZero();
        assertThat(turns(result).hitRate()).isZero();
    }

    /// What all conversations begin with is found by every turn, whatever was forgotten.
    @Test
    void theSystemPromptIsNeverForgotten() {
        Conversation system = new Conversation(2, 50, 50, 2, 0, true, 0);
        SimulationResult result = run(system, 2, 200, 4);
        assertThat(turns(result).found()).isZero();
        assertThat(turns(result).hitRate()).isCloseTo(100 / 252.0, within(1e-15));
    }
}
