package io.throughputoptimizer.core.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.deployment.ParallelLayout;
import io.throughputoptimizer.core.forward.ForwardShape;
import io.throughputoptimizer.core.forward.ForwardShape.Uniform;
import io.throughputoptimizer.core.forward.ImageInput;
import io.throughputoptimizer.core.forward.Request;
import io.throughputoptimizer.fixture.LinearEstimator;
import io.throughputoptimizer.fixture.SmallDeployment;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class RememberingEstimatorTest {
    private static final Deployment CANDIDATE = SmallDeployment.with(ParallelLayout.dense(1, 4));
    private static final Request DECODE = Request.decode(1, 100);

    private final LinearEstimator estimator = new LinearEstimator(
            new LinearEstimator.Latency(1, 0.01, 1, 0.1, 0), new LinearEstimator.Memory(64, 10, 8, 0));
    private final AtomicBoolean cancelled = new AtomicBoolean();
    private final RememberingEstimator remembering = new RememberingEstimator(
            CANDIDATE,
            estimator,
            new SearchProgress(
                    new SearchMonitor() {
                        @Override
                        public boolean cancelled() {
                            return cancelled.get();
                        }
                    },
                    new MemoryBudget(Long.MAX_VALUE, 0)));

    @Test
    void shapesThatGiveARankAsManyRequestsShareAnEstimate() {
        for (int concurrency = 1; concurrency <= 12; concurrency++) {
            Uniform shape = new Uniform(concurrency, DECODE);
            assertThat(remembering.estimate(CANDIDATE, shape)).isEqualTo(estimator.estimate(CANDIDATE, shape));
        }

        long itsOwnCalls = estimator.calls().size() - 12L;
        assertThat(itsOwnCalls).isEqualTo(12 / 4);
    }

    @Test
    void requestsAndImagesTellShapesApart() {
        remembering.estimate(CANDIDATE, new Uniform(4, DECODE));
        remembering.estimate(CANDIDATE, new Uniform(4, Request.prefill(1, 100)));
        remembering.estimate(CANDIDATE, new Uniform(4, DECODE, new ImageInput(1, 2, 2)));
        remembering.estimate(CANDIDATE, new Uniform(4, DECODE, new ImageInput(2, 2, 2)));

        assertThat(estimator.calls()).hasSize(4);
    }

    @Test
    void requestListsAreAskedForEachTime() {
        ForwardShape list = new ForwardShape.RequestList(List.of(new ForwardShape.Group(2, Request.prefill(5, 5))));

        remembering.estimate(CANDIDATE, list);
        remembering.estimate(CANDIDATE, list);

        assertThat(estimator.calls()).containsExactly(list, list);
    }

    @Test
    void cancellationIsFeltEvenWhenThePassIsKnown() {
        remembering.estimate(CANDIDATE, new Uniform(4, DECODE));
        cancelled.set(true);

        assertThatExceptionOfType(CancellationException.class)
                .isThrownBy(() -> remembering.estimate(CANDIDATE, new Uniform(4, DECODE)));
    }

    @Test
    void aBoundedNumberOfEstimatesIsRemembered() {
        int shapes = 20_000;
        for (int round = 0; round < 2; round++) {
            for (int length = 1; length <= shapes; length++) {
                remembering.estimate(CANDIDATE, new Uniform(4, Request.decode(1, length)));
            }
        }

        assertThat(estimator.calls()).hasSize(shapes + shapes - 16_384);
    }

    @Test
    void anotherDeploymentIsRefused() {
        Deployment other = SmallDeployment.with(ParallelLayout.dense(2, 2));

        assertThatIllegalArgumentException()
                .isThrownBy(() -> remembering.estimate(other, new Uniform(4, DECODE)))
                .withMessageContaining("ParallelLayout[tp=2, pp=1, dp=2");
    }
}
