package io.throughputoptimizer.core.measured;

import io.throughputoptimizer.core.deployment.ParallelLayout;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.replica.CalibratedRank;
import io.throughputoptimizer.core.replica.RankLimits;
import io.throughputoptimizer.core.silicon.Engine;
import io.throughputoptimizer.core.silicon.Precision;
import io.throughputoptimizer.core.silicon.SiliconDeployment;
import io.throughputoptimizer.core.silicon.calibration.Calibration;

/// A kind of device with the engine that serves on it.
///
/// @param name that it is asked for by
/// @param limits of each rank
public record MeasuredDevice(
        String name, Calibration calibration, Engine engine, Precision precision, RankLimits limits) {

    /// An instance of that layout that does both phases.
    public SiliconDeployment deployment(ModelArchitecture model, ParallelLayout layout) {
        return new SiliconDeployment(model, calibration, layout, engine, precision);
    }

    /// The same of an instance that does one phase alone.
    public SiliconDeployment deploymentApart(ModelArchitecture model, ParallelLayout layout) {
        return new SiliconDeployment(model, calibration, layout, engine.apart(), precision);
    }

    public MeasuredDevice with(Calibration other) {
        return new MeasuredDevice(name, other, engine, precision, limits);
    }

    public MeasuredDevice with(Engine other) {
        return new MeasuredDevice(name, calibration, other, precision, limits);
    }

    public MeasuredDevice with(Precision other) {
        return new MeasuredDevice(name, calibration, engine, other, limits);
    }

    CalibratedRank.Limits limits(SiliconDeployment deployment) {
        return limits.of(deployment);
    }
}
