package io.throughputoptimizer.core.replica;

import io.throughputoptimizer.core.silicon.BandBasis.Coverage;
import io.throughputoptimizer.core.silicon.Bands;
import io.throughputoptimizer.core.silicon.SiliconDeployment;
import io.throughputoptimizer.core.silicon.calibration.Calibration;
import io.throughputoptimizer.core.silicon.calibration.KernelUse;
import io.throughputoptimizer.core.steady.Arrivals;
import io.throughputoptimizer.core.steady.SimulatedLoad;
import io.throughputoptimizer.core.steady.SimulationResult;
import io.throughputoptimizer.core.steady.Traffic;
import java.util.List;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/// What is simulated under a load.
public sealed interface SimulatedDeployment permits SimulatedReplicas, SimulatedPair {

    /// What a simulation showed, and how far it can be trusted.
    ///
    /// @param result of one share of the load
    /// @param captured the same on an Ascend device whose launches are all for free; absent on other devices
    /// @param unexpectedUses kernels whose price is based on neither the backend's own nor the joint measurements
    record Outcome(
            SimulationResult result,
            @Nullable SimulationResult captured,
            Bands bands,
            List<KernelUse> unexpectedUses) {}

    /// An instance that decodes.
    SiliconDeployment decoding();

    /// Of each kind of device.
    List<Calibration> calibrations();

    /// What clients do.
    Traffic traffic();

    /// Equal parts of the load, of which one is simulated: ranks of replicas; 1 of pairs.
    int shares();

    /// The requests of one share.
    SimulatedLoad load();

    /// Requests per second above which an open loop is saturated.
    double highestRatePerSecond();

    /// More steps than the simulation takes.
    double mostSteps();

    /// @param checkpoint is called again and again, and may end the work by an exception
    Outcome run(Coverage coverage, Runnable checkpoint);

    /// Over which clients spread their second requests; empty where nothing does, as at a rate.
    default OptionalDouble staggerMillis() {
        return load().arrivals() instanceof Arrivals.ClosedLoop loop && loop.staggerMillis() > 0
                ? OptionalDouble.of(loop.staggerMillis())
                : OptionalDouble.empty();
    }
}
