package io.throughputoptimizer.core.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ConversationTest {
    /// Three turns after a system prompt of 100 tokens, of 50 tokens each that are answered by 200,
    /// 120 of them thought.
    private static Conversation conversation(boolean keepsThinking, boolean keepsCache) {
        return new Conversation(3, 100, 50, 200, keepsThinking ? 0 : 120, keepsCache, 1000);
    }

    private static List<Integer> turns(IntUnaryOperator figure) {
        return IntStream.rangeClosed(1, 3).map(figure).boxed().toList();
    }

    /// Prompts of 150, 150 + 200 + 50 and 400 + 200 + 50 tokens, of which all but what the user adds is there.
    @Test
    void turnsThatKeepThinkingComputeWhatTheUserAdds() {
        Conversation kept = conversation(true, true);
        assertThat(turns(kept::prompt)).containsExactly(150, 400, 650);
        assertThat(turns(kept::cached)).containsExactly(100, 350, 600);
        assertThat(turns(turn -> kept.computed(kept.prompt(turn)))).containsExactly(50, 50, 50);
        assertThat(kept.longestPrompt()).isEqualTo(650);
        assertThat(kept.meanPrompt()).isEqualTo(400);
        assertThat(kept.hitRate(1)).isEqualTo(1050 / 1200.0);
    }

    /// Prompts of 150, 150 + 80 + 50 and 280 + 80 + 50 tokens: behind the prompt before stands another answer than the
    /// one in the cache.
    @Test
    void turnsThatDropThinkingComputeTheAnswerAgain() {
        Conversation dropping = conversation(false, true);
        assertThat(turns(dropping::prompt)).containsExactly(150, 280, 410);
        assertThat(turns(dropping::cached)).containsExactly(100, 150, 280);
        assertThat(turns(turn -> dropping.computed(dropping.prompt(turn)))).containsExactly(50, 130, 130);
        assertThat(dropping.hitRate(1)).isEqualTo(530 / 840.0);
    }

    /// Turns that have lost the one before find what all conversations begin with.
    @Test
    void theHitRateIsOfTurnsThatFindTheOneBeforeAndOfThoseThatDoNot() {
        Conversation dropping = conversation(false, true);
        assertThat(dropping.hitRate(0)).isEqualTo(300 / 840.0);
        assertThat(dropping.hitRate(0.25)).isCloseTo((300 + 0.25 * 230) / 840, within(1e-15));
        assertThat(dropping.mix(true).meanNewTokens()).isCloseTo((50 + 130 + 130) / 3.0, within(1e-12));
        assertThat(dropping.mix(false).meanNewTokens()).isCloseTo((50 + 180 + 310) / 3.0, within(1e-12));
    }

    @Test
    void anEngineWithoutACacheFindsNothing() {
        Conversation none = conversation(true, false);
        assertThat(turns(none::cached)).containsExactly(0, 0, 0);
        assertThat(turns(turn -> none.computed(none.prompt(turn)))).containsExactly(150, 400, 650);
        assertThat(none.hitRate(1)).isZero();
    }

    /// A turn that no other goes on from is a request of one length.
    @Test
    void aSingleTurnIsAFixedLength() {
        assertThat(Workload.of(new Conversation(1, 0, 3500, 1500, 0, true, 5000)))
                .isEqualTo(new Workload(new Lengths.Fixed(3500), 1500, 0, null));
        assertThat(Workload.of(new Conversation(1, 500, 1500, 700, 0, true, 0)))
                .isEqualTo(new Workload(new Lengths.Fixed(2000), 700, 0.25, null));
        assertThat(Workload.of(new Conversation(1, 500, 1500, 700, 0, false, 0)))
                .isEqualTo(new Workload(new Lengths.Fixed(2000), 700, 0, null));
    }

    @Test
    void binsStandForTheLengthsOfTheTurns() {
        Conversation dropping = conversation(false, true);
        assertThat(dropping.distribution().shares()).isEqualTo(dropping.prompts());
        assertThat(Workload.of(dropping).longestInput()).isEqualTo(410);
    }

    @Test
    void whatIsNoConversationIsRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> new Conversation(0, 0, 1, 1, 0, true, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> new Conversation(2, 0, 0, 1, 0, true, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> new Conversation(2, 0, 1, 1, 2, true, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> new Conversation(2, 0, 1, 1, 0, true, -1));
    }
}
