package io.throughputoptimizer.core.capacity;

import io.throughputoptimizer.core.measured.PricedReplicas;
import io.throughputoptimizer.core.steady.Breach;
import io.throughputoptimizer.core.steady.SimulatedLoad;
import io.throughputoptimizer.core.steady.SimulationResult;
import io.throughputoptimizer.core.steady.SteadyFigures;
import io.throughputoptimizer.core.steady.Traffic;
import io.throughputoptimizer.core.steady.TurnLengths;
import io.throughputoptimizer.core.workload.Limits;
import io.throughputoptimizer.core.workload.TtftBasis;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Simulations of one rank of an instance at its share of Poisson arrivals.
///
/// @param priced the instance
/// @param checkpoint is called again and again, and may end the work by an exception
public record SimulatedArrivals(PricedReplicas priced, Runnable checkpoint) {
    /// Requests of one simulation: twenty lie beyond the 99th percentile.
    private static final int REQUESTS = 2000;

    private static final long SEED = 1;
    private static final int HALVINGS = 9;

    /// The highest rate of a rank that keeps limits on a percentile.
    ///
    /// @param perSecond requests; 0 if no rate keeps them
    /// @param breaches limits that the next higher rate tried breaks; none at the highest rate asked for
    record Highest(double perSecond, List<Breach> breaches) {}

    /// Latencies that a percentile of the requests keeps, in milliseconds.
    ///
    /// @param tpotMillis absent where requests have one token
    public record Percentiles(
            double percent, double ttftMillis, @Nullable Double tpotMillis, double requestLatencyMillis) {
        private static Percentiles of(SimulationResult result, double percent) {
            SimulationResult.Generation generation = result.generation();
            return new Percentiles(
                    percent,
                    result.ttft().percentile(percent),
                    generation == null ? null : (Double) generation.tpot().percentile(percent),
                    result.requestLatency().percentile(percent));
        }
    }

    /// Finds by bisection the highest rate that keeps limits on a percentile.
    ///
    /// @param most requests a second of a rank
    Highest highest(double most) {
        List<Breach> broken = breaches(most);
        if (broken.isEmpty()) {
            return new Highest(most, broken);
        }
        double low = 0;
        double high = most;
        for (int halving = 0; halving < HALVINGS; halving++) {
            double middle = (low + high) / 2;
            List<Breach> breaches = breaches(middle);
            if (breaches.isEmpty()) {
                low = middle;
            } else {
                high = middle;
                broken = breaches;
            }
        }
        return new Highest(low, broken);
    }

    private List<Breach> breaches(double perSecond) {
        Limits limits = priced.terms().limits();
        return Breach.of(limits, simulate(openLoop(perSecond)), Objects.requireNonNull(limits.percentile()));
    }

    /// Percentiles at a rate of a rank; empty where no simulation supports the traffic.
    Optional<Percentiles> ofRate(double perSecond, double percent) {
        return priced.terms().traffic().lengths() instanceof TurnLengths || !priced.isSimulated()
                ? Optional.empty()
                : Optional.of(Percentiles.of(simulate(openLoop(perSecond)), percent));
    }

    /// Percentiles of a closed loop; empty where no simulation supports the traffic.
    Optional<Percentiles> ofConcurrency(SteadyFigures load, double percent) {
        Traffic traffic = priced.terms().traffic();
        TtftBasis basis = priced.terms().limits().basis();
        int concurrency = (int) load.concurrency();
        return !priced.isSimulated() || !traffic.canLoop(concurrency) || !traffic.outlastsBurst(concurrency, basis)
                ? Optional.empty()
                : Optional.of(Percentiles.of(simulate(traffic.closedLoop(concurrency, basis, load)), percent));
    }

    private SimulatedLoad openLoop(double perSecond) {
        return priced.terms().traffic().openLoop(new Traffic.Rate(perSecond, REQUESTS, SEED), 1);
    }

    private SimulationResult simulate(SimulatedLoad load) {
        return priced.simulate(load, checkpoint);
    }
}
