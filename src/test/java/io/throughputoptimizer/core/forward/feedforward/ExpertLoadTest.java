package io.throughputoptimizer.core.forward.feedforward;

import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.core.deployment.ParallelLayout.ExpertLayout;
import io.throughputoptimizer.core.model.FeedForwardSpec.Routing;
import io.throughputoptimizer.core.model.Router;
import io.throughputoptimizer.core.operator.Form;
import io.throughputoptimizer.core.operator.Quantities;
import io.throughputoptimizer.core.operator.Quantity;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExpertLoadTest {
    private static final Routing EIGHT_OF_256 = new Routing(256, 8, new Router.Softmax());

    private final Quantities quantities = new Quantities();

    @Test
    void fewTokensArriveMoreOftenThanTheyWereSent() {
        ExpertLoad load = load(2, split(16, 1, 1));

        assertThat(at(load.copies())).isEqualTo(2 * 8);
        assertThat(at(load.received())).isEqualTo(16 * 16);
        assertThat(groups(load)).containsExactly(new Counts(16, 16, 16));
    }

    @Test
    void theRemainderGoesToTheFirstExperts() {
        ExpertLoad load = load(100, split(2, 1, 1));

        int remainder = 100 * 8 % 256;
        assertThat(load.localExperts()).isEqualTo(128);
        assertThat(groups(load)).containsExactly(new Counts(remainder, 2 * 4, 2 * 4), new Counts(96, 2 * 3, 2 * 3));
        assertThat(at(load.received())).isEqualTo(2L * (remainder * 4 + 96 * 3));
        assertThat(at(load.liveExperts())).isEqualTo(128);
    }

    @Test
    void expertsWithoutTokensAreIdle() {
        ExpertLoad load = load(1, split(16, 1, 1));

        assertThat(load.localExperts()).isEqualTo(16);
        assertThat(at(load.liveExperts())).isEqualTo(8);
        assertThat(groups(load)).containsExactly(new Counts(8, 16, 16));

        ExpertSplit compiled = new ExpertSplit(EIGHT_OF_256, new ExpertLayout(16, 1, 1), 1, 16, true);
        assertThat(compiled.read(1, quantities).idleExperts()).isTrue();
        assertThat(compiled.read(32, quantities).idleExperts()).isFalse();
    }

    @Test
    void whatARankGetsFromOthersIsNeverLessThanWhatItSends() {
        Random random = new Random(256);
        for (int round = 0; round < 2000; round++) {
            Routing routing = new Routing(16 + random.nextInt(300), 1 + random.nextInt(16), new Router.Softmax());
            int ranks = 1 + random.nextInt(16);
            ExpertSplit split = new ExpertSplit(routing, new ExpertLayout(ranks, 1, 1), 1, ranks, false);
            ExpertLoad load = load(1 + random.nextInt(1000), split);

            double kept = at(load.received()) / ranks;
            assertThat(at(load.exchanged()))
                    .isEqualTo(kept * (ranks - 1))
                    .isGreaterThanOrEqualTo(at(load.copies()) - kept);
        }
    }

    @ParameterizedTest
    @CsvSource({"1, 48, EXACT", "16, 48, EXACT", "5, 50, PADDED", "32, 64, PADDED"})
    void tokensAreRoundedUpToTheNextMultipleOfTheTensorParallelSize(int tp, long padded, ExpertKind.Part part) {
        ExpertLoad load = load(96L * tp, split(16, tp, 1));

        assertThat(groups(load)).containsExactly(new Counts(16, 48, padded));
        assertThat(load.kind().lesser()).isEqualTo(part);
        assertThat(load.kind().fuller()).isEqualTo(ExpertKind.Part.ABSENT);
    }

    @Test
    void withoutExpertParallelismARankOwnsAllExpertsAndExchangesNothing() {
        ExpertLoad load = load(32, new ExpertSplit(EIGHT_OF_256, new ExpertLayout(1, 8, 1), 8, 1, true));

        assertThat(groups(load)).containsExactly(new Counts(256, 1, 8));
        assertThat(at(load.received())).isEqualTo(at(load.copies())).isEqualTo(256);
        assertThat(at(load.exchanged())).isZero();
    }

    @Test
    void anUnevenSplitGivesTheFirstRankOneExpertMore() {
        Routing ten = new Routing(10, 2, new Router.Softmax());

        assertThat(new ExpertSplit(ten, new ExpertLayout(4, 1, 1), 1, 4, true).localExperts())
                .isEqualTo(3);
    }

    @ParameterizedTest
    @CsvSource({"128, true", "129, false", "256, true", "136, false"})
    void compiledExpertsRunTogetherWhereNoneIsPadded(long tokens, boolean grouped) {
        Routing eightOf128 = new Routing(128, 8, new Router.Softmax());
        ExpertSplit split = new ExpertSplit(eightOf128, new ExpertLayout(1, 8, 1), 8, 1, true);

        assertThat(split.read(tokens, quantities).grouped()).isEqualTo(grouped);
    }

    /// Experts, their tokens, and those padded.
    private record Counts(double experts, double tokens, double paddedTokens) {}

    private List<Counts> groups(ExpertLoad load) {
        return load.groups().stream()
                .map(group -> new Counts(at(group.experts()), at(group.tokens()), at(group.paddedTokens())))
                .toList();
    }

    private static ExpertSplit split(int ep, int tp, int moeTp) {
        return new ExpertSplit(EIGHT_OF_256, new ExpertLayout(ep, moeTp, 1), tp, tp == 1 ? ep : 1, false);
    }

    private ExpertLoad load(long tokens, ExpertSplit split) {
        ExpertKind kind = split.read(tokens, quantities);
        Form own = split.path() == ExpertSplit.Path.SLICED ? Quantity.TOKEN_SHARE.form() : Quantity.TOKENS.form();
        quantities.set(Quantity.TOKENS, tokens);
        return new ExpertLoad(own, split, kind);
    }

    private double at(Form form) {
        return form.at(quantities);
    }
}
