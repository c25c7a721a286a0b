package io.throughputoptimizer.core.search;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.core.deployment.ParallelLayout;
import io.throughputoptimizer.core.forward.ForwardEstimator;
import io.throughputoptimizer.core.forward.MemoryFootprint;
import io.throughputoptimizer.core.search.space.Candidate;
import io.throughputoptimizer.core.search.space.KvTransferCosts;
import io.throughputoptimizer.core.search.space.KvTransferLink;
import io.throughputoptimizer.fixture.LinearEstimator;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class KvTransferCostsTest {
    private static final KvTransferLink TRANSFER = new KvTransferLink(MemoryFootprint.GIB, 5);

    private final LinearEstimator estimator = new LinearEstimator(
            new LinearEstimator.Latency(1, 0.01, 1, 0.1, 0), new LinearEstimator.Memory(64, 10, 8, 0.001));

    /// Otherwise the passes that an answer counts would depend on how its threads meet.
    @Test
    void whatTwoThreadsAskForAtOnceIsPricedOnce() throws InterruptedException {
        Candidate narrow = Candidates.of(ParallelLayout.dense(1, 4));
        Candidate wide = Candidates.of(ParallelLayout.dense(4, 1));
        AtomicReference<@Nullable KvTransferCosts> shared = new AtomicReference<>();
        Thread other = new Thread(() -> requireNonNull(shared.get()).of(wide));
        ForwardEstimator met = (deployment, shape) -> {
            if (!Thread.currentThread().equals(other)) {
                other.start();
                while (estimator.calls().isEmpty() && !waits(other)) {
                    Thread.onSpinWait();
                }
            }
            return estimator.estimate(deployment, shape);
        };
        KvTransferCosts handovers = new KvTransferCosts(TRANSFER, met);
        shared.set(handovers);

        KvTransferLink.Handover first = handovers.of(narrow);
        other.join();

        assertThat(estimator.calls()).hasSize(1);
        assertThat(handovers.of(wide)).isEqualTo(first);
    }

    private static boolean waits(Thread thread) {
        return List.of(Thread.State.BLOCKED, Thread.State.WAITING, Thread.State.TERMINATED)
                .contains(thread.getState());
    }
}
