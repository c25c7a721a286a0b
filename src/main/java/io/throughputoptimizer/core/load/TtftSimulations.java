package io.throughputoptimizer.core.load;

import io.throughputoptimizer.core.load.SteadyFigures.Ttft;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.IntConsumer;

/// TTFT simulations of crowded steps, shared by searches: equal ranks are simulated once per concurrency. Only the
/// first [#MOST] results are kept. Thread-safe.
public final class TtftSimulations {
    private static final int MOST = 1 << 16;

    private final Map<Load, Ttft> known;
    private final IntConsumer stepped;

    /// @param rank equal for ranks with equal simulations
    private record Load(Object rank, int concurrency) {}

    /// Creates an empty store.
    ///
    /// @param stepped receives numbers of simulated steps; may cancel the simulation by an exception
    public TtftSimulations(IntConsumer stepped) {
        this(new ConcurrentHashMap<>(), stepped);
    }

    private TtftSimulations(Map<Load, Ttft> known, IntConsumer stepped) {
        this.known = known;
        this.stepped = stepped;
    }

    /// Returns a view of the same results that reports its simulated steps elsewhere.
    public TtftSimulations reportingTo(IntConsumer other) {
        return new TtftSimulations(known, other);
    }

    /// Removes all results.
    public void clear() {
        known.clear();
    }

    /// Returns the known TTFT of a load, or simulates it.
    ///
    /// @param rank equal for ranks with equal simulations
    Ttft at(Object rank, int concurrency, Function<IntConsumer, Ttft> simulation) {
        Load load = new Load(rank, concurrency);
        Ttft before = known.get(load);
        if (before != null) {
            return before;
        }
        Ttft simulated = simulation.apply(stepped);
        if (known.size() < MOST) {
            known.put(load, simulated);
        }
        return simulated;
    }
}
