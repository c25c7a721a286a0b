package io.throughputoptimizer.core.serving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.throughputoptimizer.core.cost.BoundBreakdown;
import io.throughputoptimizer.core.cost.BoundShares;
import io.throughputoptimizer.core.deployment.ParallelLayout;
import io.throughputoptimizer.core.forward.ForwardEstimate;
import io.throughputoptimizer.core.forward.ForwardEstimator;
import io.throughputoptimizer.core.forward.ForwardShape;
import io.throughputoptimizer.core.forward.ImageInput;
import io.throughputoptimizer.core.forward.MemoryFootprint;
import io.throughputoptimizer.core.forward.Request;
import io.throughputoptimizer.core.serving.ServingPoint.PhaseCosts;
import io.throughputoptimizer.core.workload.Lengths;
import io.throughputoptimizer.core.workload.Workload;
import io.throughputoptimizer.fixture.LinearEstimator;
import io.throughputoptimizer.fixture.SmallDeployment;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PrefillServingTest {
    private static final LinearEstimator.Latency LATENCY = new LinearEstimator.Latency(1, 0.01, 1, 0.01, 0);
    private static final LinearEstimator.Memory MEMORY = new LinearEstimator.Memory(64, 10, 8, 1e-4);

    /// 5 requests of 10 tokens in chunks of 8 and 2 tokens: the first in 5 waves of 1, the second in waves of 4 and 1.
    /// Every token takes as many ms as its chunk's share says, so each wave has shares of its own.
    @Test
    void sharesOfChunkedPrefillAreTheMeanOverItsWaves() {
        ForwardEstimator estimator = (deployment, shape) -> {
            ForwardShape.Uniform wave = (ForwardShape.Uniform) shape;
            BoundBreakdown breakdown = wave.request().queryLength() == 8
                    ? new BoundBreakdown(3, 1, 0, 0)
                    : wave.concurrency() == 4 ? new BoundBreakdown(0, 0, 40, 10) : BoundBreakdown.ZERO;
            return new ForwardEstimate(1, breakdown, memory(wave.concurrency()));
        };

        PhaseCosts costs = prefill(terms(10, 8, ServingVectors.DOCUMENTED), estimator)
                .at(5)
                .costs();

        // The last wave has no time to share out and does not count.
        int waves = 5 + 1;
        assertThat(costs)
                .isEqualTo(PhaseCosts.ofPrefill(
                        new BoundShares(5 * 75.0 / waves, 5 * 25.0 / waves, 80.0 / waves, 20.0 / waves), memory(4)));
    }

    @Test
    void oneChunkPrefillsAllAtOnceWhateverTheBudget() {
        LinearEstimator estimator = new LinearEstimator(LATENCY, MEMORY);

        prefill(terms(2048, 4096, ServingVectors.DOCUMENTED), estimator).at(100);

        assertThat(estimator.calls()).containsExactly(new ForwardShape.Uniform(100, Request.prefill(2048, 2048)));
    }

    @Test
    void requestsCarryAsManyImagesAsTheBatchHasRequestsUnlessTold() {
        LinearEstimator estimator = new LinearEstimator(LATENCY, MEMORY);

        prefill(terms(10, 8, new Workload.Images(null, 224, 448)), estimator).at(3);
        prefill(terms(10, 8, new Workload.Images(2, 224, 448)), estimator).at(3);

        assertThat(estimator.calls().stream()
                        .map(shape -> ((ForwardShape.Uniform) shape).images())
                        .distinct())
                .containsExactly(new ImageInput(3, 224, 448), new ImageInput(2, 224, 448));
    }

    @Test
    void aBatchOfHalfAMillionAsksForTwoPassesPerChunk() {
        LinearEstimator estimator = new LinearEstimator(LATENCY, MEMORY);

        ServingPoint point =
                prefill(terms(10, 8, ServingVectors.DOCUMENTED), estimator).at(524_287);

        assertThat(estimator.calls())
                .containsExactly(
                        new ForwardShape.Uniform(1, Request.prefill(8, 8)),
                        new ForwardShape.Uniform(4, Request.prefill(2, 10)),
                        new ForwardShape.Uniform(524_287 % 4, Request.prefill(2, 10)));
        double millis = 0;
        for (int wave = 0; wave < 524_287; wave++) {
            millis += 1 + 0.01 * 8;
        }
        for (int wave = 0; wave < 524_287 / 4; wave++) {
            millis += 1 + 0.01 * (4 * 2);
        }
        assertThat(point.figures().ttftMillis()).isEqualTo(millis + (1 + 0.01 * (524_287 % 4 * 2)));
    }

    /// Chunks of 8 and 2 tokens; only the first fits in memory. 5 requests need 5 waves of the first, 2 of the second.
    @Test
    void steadyPrefillEndsWithThePassThatDoesNotFit() {
        LinearEstimator estimator = new LinearEstimator(LATENCY, new LinearEstimator.Memory(8, 0, 0, 1));

        ServingPoint point =
                prefill(terms(10, 8, ServingVectors.STEADY), estimator).at(5);

        assertThat(estimator.calls())
                .containsExactly(
                        new ForwardShape.Uniform(1, Request.prefill(8, 8)),
                        new ForwardShape.Uniform(4, Request.prefill(2, 10)));
        double millis = 0;
        for (int wave = 0; wave < 5; wave++) {
            millis += 1 + 0.01 * 8;
        }
        assertThat(point.figures().ttftMillis()).isEqualTo(millis + (1 + 0.01 * (4 * 2)));
        assertThat(point.costs().memory().availableGib()).isEqualTo(8.0 - 4 * 10);
    }

    /// Chunks of 8 and 2 tokens for 5 requests: the second in a wave of 4, done at t, and one of 1.
    @Test
    void steadyTtftWeighsTheMeanWithTheEnd() {
        LinearEstimator estimator = new LinearEstimator(LATENCY, MEMORY);

        ServingPoint point =
                prefill(terms(10, 8, ServingVectors.STEADY), estimator).at(5);

        double firstChunks = 5 * (1 + 0.01 * 8);
        double fourDone = firstChunks + (1 + 0.01 * 8);
        double allDone = fourDone + (1 + 0.01 * 2);
        assertThat(point.figures().ttftMillis())
                .isCloseTo(0.1 * (4 * fourDone + allDone) / 5 + 0.9 * allDone, within(1e-12));
        assertThat(point.figures().tokensPerSecond()).isCloseTo(5 * 10 / allDone * 1000, within(1e-9));
    }

    @Test
    void steadyRequestsOfOnePassAreDoneWithThePhase() {
        ServingPoint point = prefill(terms(10, 100, ServingVectors.STEADY), new LinearEstimator(LATENCY, MEMORY))
                .at(6);

        double millis = 1 + 0.01 * (6 * 10);
        assertThat(point.figures().ttftMillis()).isCloseTo(millis, within(1e-12));
    }

    private static Serving prefill(ServingTerms terms, ForwardEstimator estimator) {
        return Serving.prefill(SmallDeployment.with(ParallelLayout.dense(1, 1)), terms, estimator);
    }

    private static ServingTerms terms(int inputTokens, int maxBatchedTokens, Workload.@Nullable Images images) {
        return new ServingTerms(
                new Workload(new Lengths.Fixed(inputTokens), 100, 0, images),
                maxBatchedTokens,
                0,
                DraftAcceptance.NONE,
                ServingVectors.DOCUMENTED,
                false);
    }

    private static ServingTerms terms(int inputTokens, int maxBatchedTokens, Accounting accounting) {
        return new ServingTerms(
                new Workload(new Lengths.Fixed(inputTokens), 100, 0, null),
                maxBatchedTokens,
                0,
                DraftAcceptance.NONE,
                accounting,
                false);
    }

    private static MemoryFootprint memory(long concurrency) {
        return new MemoryFootprint(100, 0, 0, concurrency, 1, 0, 0, false, true);
    }
}
