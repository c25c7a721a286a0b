package io.throughputoptimizer.core.capacity;

import io.throughputoptimizer.core.calibrated.PricedReplicas;
import io.throughputoptimizer.core.load.Breach;
import io.throughputoptimizer.core.load.SimulationResult;
import io.throughputoptimizer.core.load.SteadyFigures;
import io.throughputoptimizer.core.load.Traffic;
import io.throughputoptimizer.core.load.Traffic.SimulatedLoad;
import io.throughputoptimizer.core.load.TurnLengths;
import io.throughputoptimizer.core.workload.Limits;
import io.throughputoptimizer.core.workload.TtftBasis;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Simulations of one rank of an instance under its share of Poisson arrivals.
///
/// @param priced the instance
/// @param checkpoint called repeatedly; can throw to stop
public record SimulatedArrivals(PricedReplicas priced, Runnable checkpoint) {
    /// Requests per simulation; twenty of them exceed p99.
    private static final int REQUESTS = 2000;

    private static final long SEED = 1;
    private static final int HALVINGS = 9;

    /// The highest rate of a rank within percentile limits.
    ///
    /// @param perSecond requests per second; 0 if no rate is within the limits
    /// @param breaches limits violated at the next higher rate tried; empty at the highest rate requested
    record Highest(double perSecond, List<Breach> breaches) {}

    /// Latencies at a percentile of the requests, in milliseconds.
    ///
    /// @param tpotMillis null if requests have one output token
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

    /// Finds the highest rate within percentile limits by bisection.
    ///
    /// @param most maximum requests per second of a rank
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

    /// Returns the percentiles at a rate of a rank; empty if the simulation does not support the traffic.
    Optional<Percentiles> ofRate(double perSecond, double percent) {
        return priced.terms().traffic().lengths() instanceof TurnLengths || !priced.isSimulated()
                ? Optional.empty()
                : Optional.of(Percentiles.of(simulate(openLoop(perSecond)), percent));
    }

    /// Returns the percentiles of a closed loop; empty if the simulation does not support the traffic.
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
