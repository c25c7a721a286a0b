package io.throughputoptimizer.core.load;

import io.throughputoptimizer.core.load.SteadyFigures.Ttft;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// TTFT by a simulation that runs when the TTFT is first read. Simulations are deterministic, so a second one by
/// another thread gives the same.
public final class SimulatedTtft {
    private final Supplier<Ttft> simulation;
    private @Nullable Ttft ttft;

    SimulatedTtft(Supplier<Ttft> simulation) {
        this.simulation = simulation;
    }

    Ttft get() {
        Ttft known = ttft;
        if (known == null) {
            known = simulation.get();
            ttft = known;
        }
        return known;
    }

    /// Compares the TTFT, which may run the simulations.
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof SimulatedTtft simulated && get().equals(simulated.get());
    }

    /// Returns one value for all, since others would run the simulation.
    @Override
    public int hashCode() {
        return SimulatedTtft.class.hashCode();
    }
}
