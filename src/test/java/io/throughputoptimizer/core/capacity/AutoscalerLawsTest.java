package io.throughputoptimizer.core.capacity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.throughputoptimizer.core.capacity.AutoscalerLaws.Line;
import io.throughputoptimizer.core.capacity.AutoscalerLaws.Queueing;
import io.throughputoptimizer.core.capacity.AutoscalerLaws.Throughput;
import io.throughputoptimizer.fixture.Nightly;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Laws of autoscalers: examples by hand, and what they give back.
class AutoscalerLawsTest {
    private static final double INPUT = 3500;
    private static final double OUTPUT = 1500;
    private static final double PROMPT = 159.43;

    static LongStream seeds() {
        return Nightly.seeds(50);
    }

    @Test
    void areThoseOfTheExampleByHand() {
        Line itl = Line.through(1, 9.6167, 161, 49.8188).orElseThrow();
        assertThat(itl.beta()).isCloseTo(0.25126, places(5));
        assertThat(itl.alpha()).isCloseTo(9.3655, places(3));

        Line settled = Line.through(1, 199.24, 161, 252.15).orElseThrow();
        assertThat(settled.beta() / INPUT).isCloseTo(0.0000945, places(7));
        assertThat(settled.alpha()).isCloseTo(198.91, places(2));
        Line burst = Line.through(1, 198.76, 161, 1521.80).orElseThrow();
        assertThat(burst.beta() / INPUT).isCloseTo(0.0023626, places(7));
        assertThat(burst.alpha()).isCloseTo(190.49, places(2));

        Queueing queueing = Queueing.of(itl, PROMPT, INPUT, OUTPUT).orElseThrow();
        assertThat(queueing.gamma()).isCloseTo(0.00002344, places(8));
        assertThat(queueing.beta()).isCloseTo(0.045528, places(6));
        assertThat(queueing.alpha()).isCloseTo(9.2203, places(4));

        double held = 872_052 / (INPUT + OUTPUT / 2);
        Throughput throughput = Throughput.of(itl, held);
        assertThat(throughput.a()).isCloseTo(0.05156, places(5));
        assertThat(throughput.b()).isCloseTo(0.00937, places(5));
        assertThat(0.8 * held / (throughput.a() * 0.8 + throughput.b())).isCloseTo(3243, places(0));
    }

    /// The example of llm-d's guide to parameters: 64 requests of 128 tokens.
    @Test
    void areThoseOfTheGuide() {
        Line itl = Line.through(1, 7.0, 64, 8.7).orElseThrow();
        assertThat(List.of(itl.alpha(), itl.beta()))
                .satisfiesExactly(
                        alpha -> assertThat(alpha).isCloseTo(6.973, places(3)),
                        beta -> assertThat(beta).isCloseTo(0.027, places(3)));
        Line ttft = Line.through(1, 15, 64, 26).orElseThrow();
        assertThat(ttft.alpha()).isCloseTo(14.825, places(3));
        assertThat(ttft.beta() / 128).isCloseTo(0.001364, places(6));
    }

    /// Returns half a unit of the last place shown.
    private static Offset<Double> places(int places) {
        return within(0.500001 * Math.pow(10, -places));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void queueingGivesBackBothLoadsAndThePrompt(long seed) {
        Random random = new Random(seed);
        double few = 5 + random.nextDouble(20);
        double many = few + random.nextDouble(60);
        double highest = 2 + random.nextInt(500);
        double input = 10 + random.nextInt(8000);
        double output = 2 + random.nextInt(3000);
        double prompt = 1 + random.nextDouble(400);
        Line itl = Line.through(1, few, highest, many).orElseThrow();

        Queueing.of(itl, prompt, input, output).ifPresent(law -> {
            assertThat(itlMillis(law, 1)).isCloseTo(few, within(1e-9 * few));
            assertThat(itlMillis(law, highest)).isCloseTo(many, within(1e-9 * many));
            assertThat((law.beta() + law.gamma()) * law.input()).isCloseTo(prompt, within(1e-9 * prompt));
        });
    }

    private static double itlMillis(Queueing law, double concurrency) {
        double step = law.beta() * (law.input() + law.output()) / (law.output() + 1)
                + law.gamma() * (law.input() + law.output() / 2);
        return law.alpha() + concurrency * step + law.beta() + law.gamma() * (law.input() + (law.output() + 1) / 2);
    }

    @Test
    void needTwoLoads() {
        assertThat(Line.through(4, 10, 4, 10)).isEmpty();
        assertThat(Queueing.of(new Line(10, 0.0001), PROMPT, INPUT, OUTPUT)).isEmpty();
    }

    /// Instances by hour, by hand.
    @Test
    void replicasAreThoseByHand() {
        assertThat(List.of(2.0, 5.0, 12.0, 10.0, 8.0, 3.0, 0.0).stream()
                        .map(rate -> ScalableInstance.replicas(rate, 0.2, 2.111476)))
                .containsExactly(2L, 3L, 7L, 6L, 5L, 2L, 0L);
    }
}
