package io.throughputoptimizer.core.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.throughputoptimizer.core.load.Traffic.SimulatedLoad;
import io.throughputoptimizer.core.workload.TtftBasis;
import java.util.Arrays;
import java.util.List;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

class ReplayTest {
    private static final ServingRank RANK = Ranks.rank(Ranks.SLOW, Ranks.MIXED);

    /// Those of a Poisson process, recorded and sent again, see the same to the last bit.
    @Test
    void requestsThatAreSentAgainSeeWhatTheySaw() {
        RequestLengths lengths = new SpreadLengths(2000, 300, 0.3);
        Arrivals.OpenLoop open = new Arrivals.OpenLoop(0.8, 7);
        SimulationResult seen = run(new SimulatedLoad(lengths, 400, 0, open));

        List<Double> sent = DoubleStream.of(open.times(400)).boxed().toList();
        SimulationResult again =
                run(new SimulatedLoad(recorded(lengths, 400, sent), 400, 0, new Arrivals.Recorded(sent)));

        assertThat(again.ttft().mean()).isEqualTo(seen.ttft().mean());
        assertThat(again.ttft().p99()).isEqualTo(seen.ttft().p99());
        assertThat(again.span()).isEqualTo(seen.span());
        assertThat(again.timeline()).isEqualTo(seen.timeline());
    }

    /// Two prompts of 1000 tokens at 0.12 ms, the second while the first is computed; the third finds nobody.
    @Test
    void eachComesAtItsTime() {
        RecordedLengths three =
                new RecordedLengths(new int[] {1000, 1000, 1000}, new int[] {1, 1, 1}, List.of(5000.0, 5060.0, 9000.0));
        SimulationResult result = run(traffic(three).replayed(three, 1));

        assertThat(result.ttft().percentile(0)).isEqualTo(120);
        assertThat(result.ttft().p50()).isEqualTo(120);
        assertThat(result.ttft().percentile(100)).isEqualTo(180);
        assertThat(result.span().makespanMillis()).isEqualTo(4120);
    }

    @Test
    void ranksTakeRequestsInTurn() {
        RecordedLengths five = new RecordedLengths(
                new int[] {1, 2, 3, 4, 5}, new int[] {10, 20, 30, 40, 50}, List.of(0.0, 1.0, 2.0, 3.0, 4.0));
        SimulatedLoad share = traffic(five).replayed(five, 2);

        assertThat(share.requests()).isEqualTo(3);
        assertThat(Arrays.asList(
                        share.lengths().input(0),
                        share.lengths().input(1),
                        share.lengths().input(2)))
                .containsExactly(1, 3, 5);
        assertThat(share.lengths().output(2)).isEqualTo(50);
        assertThat(share.arrivals()).isEqualTo(new Arrivals.Recorded(List.of(0.0, 2.0, 4.0)));
    }

    /// Requests of a closed loop take the recorded lengths one after the other, and then again.
    @Test
    void aClosedLoopGoesRoundThem() {
        RecordedLengths two = new RecordedLengths(new int[] {100, 200}, new int[] {10, 20}, List.of());
        SimulationResult result = run(new Traffic(two, 0, 5, 0, null).closedLoop(2, TtftBasis.BENCHMARK));

        assertThat(result.span().outputTokens()).isEqualTo(5 * 30);
    }

    @Test
    void theMeanIsThatOfPairs() {
        RecordedLengths pairs = new RecordedLengths(new int[] {100, 900}, new int[] {300, 100}, List.of());
        MeanRequest mean = pairs.mean(0);

        assertThat(mean.inputTokens()).isEqualTo(500);
        assertThat(mean.outputTokens()).isEqualTo(200);
        assertThat(mean.halfwayTokens()).isEqualTo(0.75 * (100 + 150) + 0.25 * (900 + 50));
    }

    @Test
    void timesAndLengthsBelongTogether() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new RecordedLengths(new int[] {1}, new int[] {1}, List.of(0.0, 1.0)));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new RecordedLengths(new int[] {1, 0}, new int[] {1, 1}, List.of()));
    }

    private static RecordedLengths recorded(RequestLengths lengths, int count, List<Double> sent) {
        int[] inputs = new int[count];
        int[] outputs = new int[count];
        Arrays.setAll(inputs, lengths::input);
        Arrays.setAll(outputs, lengths::output);
        return new RecordedLengths(inputs, outputs, sent);
    }

    private static Traffic traffic(RequestLengths lengths) {
        return new Traffic(lengths, 0, 10, 0, null);
    }

    private static SimulationResult run(SimulatedLoad load) {
        return ServingSimulation.run(RANK, load, () -> {});
    }
}
