package io.throughputoptimizer.core.measured;

import io.throughputoptimizer.core.deployment.ParallelLayout;
import io.throughputoptimizer.core.feedback.Learnt;
import io.throughputoptimizer.core.feedback.Server;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.replica.CalibratedRank;
import io.throughputoptimizer.core.replica.RankLimits;
import io.throughputoptimizer.core.silicon.Engine;
import io.throughputoptimizer.core.silicon.Precision;
import io.throughputoptimizer.core.silicon.SiliconDeployment;
import io.throughputoptimizer.core.silicon.calibration.Calibration;
import io.throughputoptimizer.core.steady.RankBatches;
import io.throughputoptimizer.core.steady.RequestLengths;
import io.throughputoptimizer.core.workload.Phase;
import org.jspecify.annotations.Nullable;

/// A kind of device with the engine that serves on it.
///
/// @param name that it is asked for by
/// @param limits of each rank
/// @param learnt what measurements of this server teach; absent where there are none
public record MeasuredDevice(
        String name,
        Calibration calibration,
        Engine engine,
        Precision precision,
        RankLimits limits,
        @Nullable Learnt learnt) {

    /// Of which nothing was measured.
    public MeasuredDevice(String name, Calibration calibration, Engine engine, Precision precision, RankLimits limits) {
        this(name, calibration, engine, precision, limits, null);
    }

    /// An instance of that layout that does both phases.
    public SiliconDeployment deployment(ModelArchitecture model, ParallelLayout layout) {
        return new SiliconDeployment(model, calibration, layout, engine, precision);
    }

    /// The same of an instance that does one phase alone.
    public SiliconDeployment deploymentApart(ModelArchitecture model, ParallelLayout layout) {
        return new SiliconDeployment(model, calibration, layout, engine.apart(), precision);
    }

    public MeasuredDevice with(Calibration other) {
        return new MeasuredDevice(name, other, engine, precision, limits, learnt);
    }

    public MeasuredDevice with(Engine other) {
        return new MeasuredDevice(name, calibration, other, precision, limits, learnt);
    }

    /// With other number formats, of which nothing was measured.
    public MeasuredDevice with(Precision other) {
        return new MeasuredDevice(name, calibration, engine, other, limits);
    }

    /// The same where something was measured.
    public MeasuredDevice with(Learnt measurements) {
        return new MeasuredDevice(name, calibration, engine, precision, limits, measurements);
    }

    /// A model as it is served there.
    public Server serving(ModelArchitecture model) {
        return new Server(model, calibration, engine, precision, limits);
    }

    /// What corrects figures; absent where there is nothing, as where measurements fit nothing.
    public @Nullable Learnt correction() {
        return learnt == null || learnt.figures() == 0 ? null : learnt;
    }

    /// Whether there is anything that corrects figures.
    public boolean isCorrected() {
        return correction() != null;
    }

    /// @param batches requests of a rank that are tried; absent for all that it can run
    CalibratedRank.Limits limits(
            SiliconDeployment deployment, Phase phase, RequestLengths lengths, @Nullable RankBatches batches) {
        int most = batches == null ? deployment.engine().maxSequences() : batches.most();
        return limits.of(deployment, phase, lengths, most);
    }
}
