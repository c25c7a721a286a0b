package io.throughputoptimizer.core.replica;

import io.throughputoptimizer.core.kernels.BandBasis.Coverage;
import io.throughputoptimizer.core.kernels.Bands;
import io.throughputoptimizer.core.kernels.CalibratedDeployment;
import io.throughputoptimizer.core.kernels.calibration.Calibration;
import io.throughputoptimizer.core.kernels.calibration.KernelUse;
import io.throughputoptimizer.core.load.Arrivals;
import io.throughputoptimizer.core.load.SimulationResult;
import io.throughputoptimizer.core.load.Traffic;
import io.throughputoptimizer.core.load.Traffic.SimulatedLoad;
import java.util.List;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/// A deployment that is simulated under a load.
public sealed interface SimulatedDeployment permits SimulatedReplicas, SimulatedPair {

    /// Result of a simulation and its uncertainty.
    ///
    /// @param result result of one share of the load
    /// @param captured result on an Ascend device without launch overhead (captured graphs); absent on other
    ///     devices
    /// @param unexpectedUses kernels priced by neither the backend's own nor the joint measurements
    record Outcome(
            SimulationResult result,
            @Nullable SimulationResult captured,
            Bands bands,
            List<KernelUse> unexpectedUses) {}

    /// Returns an instance that decodes.
    CalibratedDeployment decoding();

    /// Returns the calibration of each kind of device.
    List<Calibration> calibrations();

    /// Returns the traffic of the clients.
    Traffic traffic();

    /// Returns the number of equal shares of the load, one of which is simulated: ranks of replicas; 1 for
    /// disaggregated deployments.
    int shares();

    /// Returns the load of one share.
    SimulatedLoad load();

    /// Returns the request rate above which an open loop is saturated, in requests/s.
    double highestRatePerSecond();

    /// Returns an upper bound of the simulated steps.
    double mostSteps();

    /// Runs the simulation.
    ///
    /// @param checkpoint called repeatedly; may cancel the simulation by an exception
    Outcome run(Coverage coverage, Runnable checkpoint);

    /// Returns the time over which clients stagger their second requests, in ms; empty without staggering, such
    /// as at a request rate.
    default OptionalDouble staggerMillis() {
        return load().arrivals() instanceof Arrivals.ClosedLoop loop && loop.staggerMillis() > 0
                ? OptionalDouble.of(loop.staggerMillis())
                : OptionalDouble.empty();
    }
}
