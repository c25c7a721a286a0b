package io.throughputoptimizer.core.forward;

import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.core.deployment.ParallelLayout.ExpertLayout;
import io.throughputoptimizer.core.forward.ExpertLoad.Group;
import io.throughputoptimizer.core.model.FeedForwardSpec.Routing;
import io.throughputoptimizer.core.model.Router;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExpertLoadTest {
    private static final Routing EIGHT_OF_256 = new Routing(256, 8, new Router.Softmax());

    @Test
    void fewTokensArriveMoreOftenThanTheyWereSent() {
        ExpertLoad load = ExpertLoad.of(2, EIGHT_OF_256, new ExpertLayout(16, 1, 1), 1);

        assertThat(load.copies()).isEqualTo(2 * 8);
        assertThat(load.received()).isEqualTo(16 * 16);
        assertThat(load.groups()).containsExactly(new Group(16, 16, 16));
        assertThat(load.hasIdleExperts()).isFalse();
    }

    @Test
    void theRemainderGoesToTheFirstExperts() {
        ExpertLoad load = ExpertLoad.of(100, EIGHT_OF_256, new ExpertLayout(2, 1, 1), 1);

        int remainder = 100 * 8 % 256;
        assertThat(load.localExperts()).isEqualTo(128);
        assertThat(load.groups()).containsExactly(new Group(remainder, 2 * 4, 2 * 4), new Group(96, 2 * 3, 2 * 3));
        assertThat(load.received()).isEqualTo(2L * (remainder * 4 + 96 * 3));
    }

    @Test
    void expertsWithoutTokensAreIdle() {
        ExpertLoad load = ExpertLoad.of(1, EIGHT_OF_256, new ExpertLayout(16, 1, 1), 1);

        assertThat(load.groups()).containsExactly(new Group(8, 16, 16));
        assertThat(load.localExperts()).isEqualTo(16);
        assertThat(load.hasIdleExperts()).isTrue();
    }

    @Test
    void theLargerOfSendingAndReceivingIsExchanged() {
        ExpertLoad spread = ExpertLoad.of(64, EIGHT_OF_256, new ExpertLayout(16, 1, 1), 1);
        assertThat(spread.exchanged()).isEqualTo(64 * 8 - 64 * 8 / 16);

        ExpertLoad few = ExpertLoad.of(2, EIGHT_OF_256, new ExpertLayout(16, 1, 1), 1);
        assertThat(few.exchanged()).isEqualTo(15 * 16);
    }

    @ParameterizedTest
    @CsvSource({"1, 48, false", "16, 48, false", "5, 50, true", "32, 64, true"})
    void tokensAreRoundedUpToTheNextMultiple(int padding, long padded, boolean isPadded) {
        ExpertLoad load = ExpertLoad.of(96, EIGHT_OF_256, new ExpertLayout(16, 1, 1), padding);

        assertThat(load.groups()).containsExactly(new Group(16, 48, padded));
        assertThat(load.isPadded()).isEqualTo(isPadded);
    }

    @Test
    void withoutExpertParallelismARankOwnsAllExpertsAndExchangesNothingElse() {
        ExpertLoad load = ExpertLoad.of(32, EIGHT_OF_256, new ExpertLayout(1, 8, 1), 8);

        assertThat(load.groups()).containsExactly(new Group(256, 1, 8));
        assertThat(load.received()).isEqualTo(load.copies()).isEqualTo(256);
        assertThat(load.exchanged()).isZero();
    }

    @Test
    void anUnevenSplitGivesTheFirstRankOneExpertMore() {
        Routing ten = new Routing(10, 2, new Router.Softmax());

        assertThat(ExpertLoad.of(50, ten, new ExpertLayout(4, 1, 1), 1).localExperts())
                .isEqualTo(3);
    }
}
