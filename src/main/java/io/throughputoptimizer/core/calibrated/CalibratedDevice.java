package io.throughputoptimizer.core.calibrated;

import io.throughputoptimizer.core.deployment.ParallelLayout;
import io.throughputoptimizer.core.feedback.CalibrationPosterior;
import io.throughputoptimizer.core.feedback.Server;
import io.throughputoptimizer.core.kernels.CalibratedDeployment;
import io.throughputoptimizer.core.kernels.Engine;
import io.throughputoptimizer.core.kernels.Precision;
import io.throughputoptimizer.core.kernels.calibration.Calibration;
import io.throughputoptimizer.core.load.RankBatches;
import io.throughputoptimizer.core.load.RequestLengths;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.replica.CalibratedRank;
import io.throughputoptimizer.core.replica.RankLimits;
import io.throughputoptimizer.core.workload.Phase;
import org.jspecify.annotations.Nullable;

/// A kind of device with the engine that serves on it.
///
/// @param name name of the kind of device in requests
/// @param limits limits of each rank
/// @param learnt corrections from measurements of this server; absent without measurements
public record CalibratedDevice(
        String name,
        Calibration calibration,
        Engine engine,
        Precision precision,
        RankLimits limits,
        @Nullable CalibrationPosterior learnt) {

    /// Returns an aggregated instance with the given layout.
    public CalibratedDeployment deployment(ModelArchitecture model, ParallelLayout layout) {
        return new CalibratedDeployment(model, calibration, layout, engine, precision);
    }

    /// Returns a prefill or decode instance with the given layout.
    public CalibratedDeployment deploymentApart(ModelArchitecture model, ParallelLayout layout) {
        return new CalibratedDeployment(model, calibration, layout, engine.apart(), precision);
    }

    public CalibratedDevice with(Calibration other) {
        return new CalibratedDevice(name, other, engine, precision, limits, learnt);
    }

    public CalibratedDevice with(Engine other) {
        return new CalibratedDevice(name, calibration, other, precision, limits, learnt);
    }

    /// Returns a copy with other number formats and without measurements.
    public CalibratedDevice with(Precision other) {
        return new CalibratedDevice(name, calibration, engine, other, limits, null);
    }

    /// Returns a copy with measurements.
    public CalibratedDevice with(CalibrationPosterior measurements) {
        return new CalibratedDevice(name, calibration, engine, precision, limits, measurements);
    }

    /// Returns the server of a model on this device.
    public Server serving(ModelArchitecture model) {
        return new Server(model, calibration, engine, precision, limits);
    }

    /// Returns the corrections of figures; absent without any, also if no measurement applies.
    public @Nullable CalibrationPosterior correction() {
        return learnt == null || learnt.figures() == 0 ? null : learnt;
    }

    /// Returns whether measurements correct figures.
    public boolean isCorrected() {
        return correction() != null;
    }

    /// Returns the limits of a rank.
    ///
    /// @param batches batch sizes per rank to try; absent for all that the rank can run
    CalibratedRank.Limits limits(
            CalibratedDeployment deployment, Phase phase, RequestLengths lengths, @Nullable RankBatches batches) {
        int most = batches == null ? deployment.engine().maxSequences() : batches.most();
        return limits.of(deployment, phase, lengths, most);
    }
}
