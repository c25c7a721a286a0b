package io.throughputoptimizer.core.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.throughputoptimizer.core.load.EngineSettings.Policy;
import io.throughputoptimizer.core.load.EngineSettings.Scheduling;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/// Simulations of crowded steps that several laws share.
class TtftSimulationsTest {
    private static final int LOADS = 100;
    /// Most steps between two reports.
    private static final int STEPS_PER_CHECK = 256;

    /// A crowded load: short responses, many at once.
    private record Load(ServingRank rank, Traffic traffic, int concurrency) {
        static Load of(long seed) {
            Random random = new Random(seed * 0x9E3779B97F4A7C15L);
            RequestLengths lengths = new SpreadLengths(
                    200 + random.nextInt(4000), 1 + random.nextInt(32), random.nextBoolean() ? 1 : 0.5);
            Scheduling scheduling =
                    new Scheduling(random.nextBoolean() ? Policy.MIXED : Policy.ALTERNATE, 2048 << random.nextInt(4));
            return new Load(
                    Ranks.rank(Ranks.random(random), Ranks.engine(scheduling)),
                    new Traffic(lengths, 10, 0, null, random.nextBoolean()),
                    32 + random.nextInt(200));
        }

        SteadyFigures figures(Object key, TtftSimulations simulations) {
            return (SteadyFigures) new CrowdedLaw(rank, traffic, key, simulations).at(concurrency);
        }
    }

    @Test
    void sharedSimulationsGiveTheFiguresOfOwnOnesWithoutASingleStep() {
        AtomicLong steps = new AtomicLong();
        TtftSimulations shared = new TtftSimulations(steps::addAndGet);
        TtftSimulations view = shared.reportingTo(_ -> {
            throw new AssertionError("a known load is not simulated");
        });
        for (Load load : LongStream.range(0, LOADS).mapToObj(Load::of).toList()) {
            long before = steps.get();
            SteadyFigures first = load.figures(load, shared);
            assertThat(first.simulated()).as(load.toString()).isNotNull();
            assertThat(first.ttft())
                    .isEqualTo(load.figures(load, new TtftSimulations(_ -> {})).ttft())
                    .isEqualTo(load.figures(load, view).ttft());
            assertThat(steps.get()).isGreaterThan(before);
        }
    }

    @Test
    void otherRanksAndClearedOnesAreSimulated() {
        AtomicLong steps = new AtomicLong();
        TtftSimulations shared = new TtftSimulations(steps::addAndGet);
        Load load = Load.of(1);
        load.figures("one", shared).ttft();
        long once = steps.get();
        load.figures("other", shared).ttft();
        assertThat(steps).hasValue(2 * once);
        shared.clear();
        load.figures("one", shared).ttft();
        assertThat(steps).hasValue(3 * once);
    }

    @Test
    void aSimulationEndsAtTheReportThatCancelsIt() {
        Load load = Load.of(2);
        List<Integer> reports = new ArrayList<>();
        TtftSimulations cancelled = new TtftSimulations(steps -> {
            reports.add(steps);
            throw new CancellationException();
        });
        SteadyFigures figures = load.figures(load, cancelled);
        assertThatThrownBy(figures::ttft).isInstanceOf(CancellationException.class);
        assertThat(reports).containsExactly(STEPS_PER_CHECK);
        assertThatThrownBy(figures::ttft).as("nothing is kept").isInstanceOf(CancellationException.class);
    }
}
