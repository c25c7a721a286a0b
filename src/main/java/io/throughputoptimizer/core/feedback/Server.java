package io.throughputoptimizer.core.feedback;

import io.throughputoptimizer.core.deployment.Obstacle;
import io.throughputoptimizer.core.deployment.ParallelLayout;
import io.throughputoptimizer.core.kernels.BandBasis;
import io.throughputoptimizer.core.kernels.BandBasis.Coverage;
import io.throughputoptimizer.core.kernels.Bands;
import io.throughputoptimizer.core.kernels.CalibratedDeployment;
import io.throughputoptimizer.core.kernels.CalibratedPass;
import io.throughputoptimizer.core.kernels.Engine;
import io.throughputoptimizer.core.kernels.Flag;
import io.throughputoptimizer.core.kernels.Precision;
import io.throughputoptimizer.core.kernels.calibration.Calibration;
import io.throughputoptimizer.core.load.CacheUse;
import io.throughputoptimizer.core.load.LawOutcome;
import io.throughputoptimizer.core.load.MeanRequest;
import io.throughputoptimizer.core.load.SteadyFigures;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.replica.CalibratedRank;
import io.throughputoptimizer.core.replica.RankLimits;
import io.throughputoptimizer.core.workload.Phase;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// A model served on a kind of device, in any layout: the common part of the rows of one benchmark.
///
/// @param engine engine settings
/// @param limits limits of each rank
public record Server(
        ModelArchitecture model, Calibration calibration, Engine engine, Precision precision, RankLimits limits) {

    /// Returns the reason a layout cannot run or has no price; empty if it can.
    public Optional<Obstacle> obstacle(ParallelLayout layout) {
        return deployment(layout).obstacle();
    }

    private CalibratedDeployment deployment(ParallelLayout layout) {
        return new CalibratedDeployment(model, calibration, layout, engine, precision);
    }

    /// Calibrates the model by rows, for all configurations.
    ///
    /// @throws IllegalArgumentException if a layout has an obstacle
    public CalibrationPosterior learn(List<ServedRow> rows) {
        return CalibrationPosterior.of(
                Prior.FITTED,
                rows.stream()
                        .map(row -> new CalibrationPosterior.Measured(
                                new Ran(row).law.configuration(row.ofRank()), row.tpotMillis(), row.ttftMillis()))
                        .toList());
    }

    /// Predicts a row with the model. Since the row ran, its KV cache is unlimited if the estimate is too
    /// small.
    ///
    /// @throws IllegalArgumentException if its layout has an obstacle
    public Prediction predict(ServedRow row, Coverage coverage) {
        return new Ran(row).prediction(null, coverage);
    }

    /// Predicts a row with the model calibrated by other rows of this server.
    public Prediction predict(ServedRow row, CalibrationPosterior learnt, Coverage coverage) {
        return new Ran(row).prediction(learnt, coverage);
    }

    /// Predicts each row with the model calibrated by all other rows.
    public List<Prediction> byTheOthers(List<ServedRow> rows, Coverage coverage) {
        return IntStream.range(0, rows.size())
                .mapToObj(index -> {
                    List<ServedRow> others = new ArrayList<>(rows);
                    ServedRow row = others.remove(index);
                    return predict(row, learn(others), coverage);
                })
                .toList();
    }

    /// A row and the law of its rank.
    private final class Ran {
        private final ServedRow row;
        private final CalibratedDeployment deployment;
        private final CalibratedPass pass;
        private final RankLaw law;

        Ran(ServedRow row) {
            this.row = row;
            this.deployment = deployment(row.layout());
            this.pass = CalibratedPass.of(deployment);
            MeanRequest request = row.lengths().mean(0);
            CalibratedRank.Limits unlimited = new CalibratedRank.Limits(
                    Double.POSITIVE_INFINITY, limits.maxRunning(), limits.pollInterval(), CacheUse.TOKENS, null);
            CalibratedRank.Limits known =
                    limits.isKnown(deployment) ? limits.of(deployment, Phase.AGGREGATION, row.lengths()) : unlimited;
            boolean hasRoom = known.cacheTokens() >= request.cached(known.use());
            this.law = new RankLaw(deployment, pass, hasRoom ? known : unlimited, request, row.waves());
        }

        Prediction prediction(@Nullable CalibrationPosterior learnt, Coverage coverage) {
            LawOutcome outcome = learnt == null ? law.at(row.ofRank()) : law.at(row.ofRank(), learnt);
            SteadyFigures figures = (SteadyFigures) outcome;
            Set<Flag> flags = Flag.of(deployment, pass.unexpectedBases(), false);
            flags.addAll(law.flags(figures));
            Bands plain = new Bands(coverage, flags, BandBasis.tpot(model), BandBasis.ttft(model));
            return new Prediction(
                    figures,
                    learnt == null ? plain : learnt.bands(plain, figures, row.layout()),
                    row.layout().dp());
        }
    }
}
