package io.throughputoptimizer.core.measured;

import io.throughputoptimizer.core.deployment.ParallelLayout;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.replica.CalibratedRank;
import io.throughputoptimizer.core.silicon.Engine;
import io.throughputoptimizer.core.silicon.Precision;
import io.throughputoptimizer.core.silicon.SiliconDeployment;
import io.throughputoptimizer.core.silicon.SiliconMemory;
import io.throughputoptimizer.core.silicon.calibration.Calibration;
import org.jspecify.annotations.Nullable;

/// A kind of device with the engine that serves on it.
///
/// @param name that it is asked for by
/// @param limits of each rank
public record MeasuredDevice(
        String name, Calibration calibration, Engine engine, Precision precision, RankLimits limits) {

    /// What bounds a rank besides the scheduling of its engine.
    ///
    /// @param cacheTokens that its KV cache holds; absent to estimate them from the memory
    /// @param maxRunning most requests that are admitted at once
    /// @param pollInterval steps after which the engine looks at new requests
    public record RankLimits(@Nullable Double cacheTokens, int maxRunning, int pollInterval) {
        /// The same for a rank of that deployment.
        public CalibratedRank.Limits of(SiliconDeployment deployment) {
            return new CalibratedRank.Limits(
                    cacheTokens == null ? SiliconMemory.of(deployment).cacheTokens() : cacheTokens,
                    maxRunning,
                    pollInterval);
        }
    }

    /// An instance of that layout.
    public SiliconDeployment deployment(ModelArchitecture model, ParallelLayout layout) {
        return new SiliconDeployment(model, calibration, layout, engine, precision);
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
