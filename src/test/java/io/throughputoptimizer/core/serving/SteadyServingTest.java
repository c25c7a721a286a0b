package io.throughputoptimizer.core.serving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.throughputoptimizer.core.deployment.ParallelLayout;
import io.throughputoptimizer.core.workload.LengthBin;
import io.throughputoptimizer.core.workload.LengthDistribution;
import io.throughputoptimizer.core.workload.Lengths;
import io.throughputoptimizer.core.workload.Limits;
import io.throughputoptimizer.core.workload.Workload;
import io.throughputoptimizer.fixture.LinearEstimator;
import io.throughputoptimizer.fixture.LinearEstimator.Latency;
import io.throughputoptimizer.fixture.LinearEstimator.Memory;
import io.throughputoptimizer.fixture.SmallDeployment;
import java.util.List;
import java.util.Random;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/// Prompts take `1 + 0.01 tokens` ms, a step of `n` requests `1 + 0.1 n` ms and a hundred-thousandth for each token of
/// their contexts.
class SteadyServingTest {
    private static final Offset<Double> EXACT = within(1e-9);
    private static final int RANKS = 4;
    private static final Latency LATENCY = new Latency(1, 0.01, 1, 0.1, 1e-5);
    private static final Memory ROOMY = new Memory(64, 10, 8, 1e-9);

    /// P = 11, D = 1 + 0.8 + 8 (1000 + 50 + 1) / 100000 = 1.88408, so TPOT = 1.88408 + 7 x 11 / 100 = 2.65408;
    /// rho = 8 x 11 / (265.408 + 11) = 0.318370, Q = 11 rho / (2 (1 - rho)) x 7/8 = 2.247812;
    /// TTFT = 0.1 x 4.5 x 11 + 0.9 (11 + 0.94204 + 2.247812) = 17.720867.
    @Test
    void aLastingLoadIsServedByTheSteadyLaw() {
        Figures figures = at(8, new Lengths.Fixed(1000), 100, 2000);

        assertThat(figures.tpotMillis()).isEqualTo(2.65408, EXACT);
        double rho = 88 / 276.408;
        double queue = 11 * rho / (2 * (1 - rho)) * 7 / 8;
        double ttft = 4.95 + 0.9 * (11 + 0.94204 + queue);
        assertThat(queue).isEqualTo(2.2478, within(1e-4));
        assertThat(figures.ttftMillis()).isEqualTo(ttft, EXACT);
        assertThat(figures.tokensPerSecond()).isEqualTo(RANKS * 1000 * 8 * 100 / (ttft + 265.408), EXACT);
        assertThat(figures.sustainedRequestsPerS()).isEqualTo(RANKS * 8000 / (88 + 188.408), EXACT);
    }

    @Test
    void aPromptIsCutByTheBudgetOfARank() {
        Figures cut = at(8, new Lengths.Fixed(1000), 100, 400);

        // three pieces, each with a base of its own
        assertThat(cut.tpotMillis()).isEqualTo(1.88408 + 7 * 13.0 / 100, EXACT);
    }

    /// One in four prompts has 2000 tokens and takes 21 ms, the others have 400 and take 5: 9 ms in the mean, and the
    /// mean of the squares is 129. A third of those who wait would wait longer.
    @Test
    void unequalPromptsQueueLonger() {
        Lengths mixed = new Lengths.Mixed(
                new LengthDistribution(List.of(new LengthBin(399, 400, 3), new LengthBin(1999, 2000, 1))));
        Figures figures = at(8, mixed, 100, 4000);

        double mean = 0.75 * (1 + 0.01 * midpoint(399, 400)) + 0.25 * (1 + 0.01 * midpoint(1999, 2000));
        double square =
                0.75 * Math.pow(1 + 0.01 * midpoint(399, 400), 2) + 0.25 * Math.pow(1 + 0.01 * midpoint(1999, 2000), 2);
        double decode = requireTpot(figures) - 7 * mean / 100;
        double generation = 100 * requireTpot(figures);
        double rho = 8 * mean / (generation + mean);
        double queue = square / mean * rho / (2 * (1 - rho)) * 7 / 8;
        assertThat(square / (mean * mean)).isGreaterThan(1.5);
        // contexts of a batch of eight: six of the short and two of the long.
        assertThat(decode)
                .isEqualTo(1.8 + 1e-5 * (6 * (midpoint(399, 400) + 51) + 2 * (midpoint(1999, 2000) + 51)), EXACT);
        assertThat(figures.ttftMillis()).isEqualTo(0.1 * 4.5 * mean + 0.9 * (mean + decode / 2 + queue), EXACT);
    }

    @Test
    void nobodyIsPromisedMoreThanTheDevicesHaveTimeFor() {
        Random random = new Random(7);
        for (int question = 0; question < 400; question++) {
            Lengths lengths = random.nextBoolean()
                    ? new Lengths.Fixed(1 + random.nextInt(30_000))
                    : new Lengths.Mixed(new LengthDistribution(List.of(
                            new LengthBin(0, 1 + random.nextInt(1000), 1 + random.nextInt(9)),
                            new LengthBin(1000, 1001 + random.nextInt(30_000), 1 + random.nextInt(9)))));
            int output = 2 + random.nextInt(2000);
            Figures figures = at(1 + random.nextInt(300), lengths, output, 1 + random.nextInt(20_000));

            assertThat(figures.tokensPerSecond() / output)
                    .isPositive()
                    .isLessThanOrEqualTo(figures.sustainedRequestsPerS() * (1 + 1e-12));
        }
    }

    @Test
    void aPromptThatDoesNotFitIsOutOfMemory() {
        ServingPoint point = serving(new Lengths.Fixed(1000), 100, 2000, new Memory(10, 1, 8, 1e-2))
                .at(1);

        assertThat(LimitBreach.first(point, Limits.NONE))
                .hasValueSatisfying(breach -> assertThat(breach).isInstanceOf(LimitBreach.OutOfMemory.class));
        assertThat(point.figures()).isEqualTo(Figures.OUT_OF_MEMORY);
    }

    /// Prefill alone: the opening batch is done one wave after the other, whoever asks later waits for all others.
    @Test
    void promptsThatComeBackWaitForAWholeRound() {
        LinearEstimator estimator = new LinearEstimator(LATENCY, ROOMY);
        Serving prefill = Serving.prefill(
                SmallDeployment.with(ParallelLayout.dense(1, RANKS)),
                terms(new Lengths.Fixed(1000), 100, 1000),
                estimator);

        Figures figures = prefill.at(4).figures();

        assertThat(figures.ttftMillis()).isEqualTo(0.1 * 27.5 + 0.9 * 44, EXACT);
        assertThat(figures.sustainedRequestsPerS()).isEqualTo(RANKS * 4000 / 44.0, EXACT);
        assertThat(figures.tokensPerSecond()).isEqualTo(RANKS * 1000 * 4000 / 44.0, EXACT);
    }

    private static int midpoint(int from, int to) {
        return new LengthBin(from, to, 1).midpoint();
    }

    private static double requireTpot(Figures figures) {
        assertThat(figures.tpotMillis()).isNotNull();
        return figures.tpotMillis();
    }

    private static Figures at(long batchSize, Lengths lengths, int output, int budget) {
        return serving(lengths, output, budget, ROOMY).at(batchSize).figures();
    }

    private static Serving serving(Lengths lengths, int output, int budget, Memory memory) {
        return Serving.aggregated(
                SmallDeployment.with(ParallelLayout.dense(1, RANKS)),
                terms(lengths, output, budget),
                new LinearEstimator(LATENCY, memory));
    }

    private static ServingTerms terms(Lengths lengths, int output, int budget) {
        return new ServingTerms(
                new Workload(lengths, output, 0, null), budget, 0, DraftAcceptance.NONE, Accounting.STEADY, false);
    }
}
