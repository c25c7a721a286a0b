package io.throughputoptimizer.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PrecedenceTest {
    private final List<Long> pauses = new ArrayList<>();
    private long now;
    private final Precedence precedence = new Precedence(() -> now, pauses::add);

    @Test
    void queuedSearchesPauseUntilTheirTurnWhileACallerWaits() {
        precedence.begin();

        at(3 * Precedence.PERIOD_NANOS);
        at(3 * Precedence.PERIOD_NANOS + Precedence.TURN_NANOS - 1);
        assertThat(pauses).isEmpty();

        at(3 * Precedence.PERIOD_NANOS + Precedence.TURN_NANOS);
        at(-1);
        assertThat(pauses).containsExactly(Precedence.PERIOD_NANOS - Precedence.TURN_NANOS, 1L);
    }

    @Test
    void queuedSearchesDoNotPauseOnceNoCallerWaits() {
        precedence.begin();
        precedence.begin();
        precedence.end();
        at(Precedence.TURN_NANOS);
        assertThat(pauses).hasSize(1);

        precedence.end();
        at(Precedence.TURN_NANOS);
        assertThat(pauses).hasSize(1);
    }

    private void at(long nanos) {
        now = nanos;
        precedence.giveWay();
    }
}
