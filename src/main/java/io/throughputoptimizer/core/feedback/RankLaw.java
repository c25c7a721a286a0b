package io.throughputoptimizer.core.feedback;

import io.throughputoptimizer.core.kernels.CalibratedDeployment;
import io.throughputoptimizer.core.kernels.CalibratedPass;
import io.throughputoptimizer.core.kernels.Flag;
import io.throughputoptimizer.core.kernels.PassSplit;
import io.throughputoptimizer.core.load.LawOutcome;
import io.throughputoptimizer.core.load.MeanRequest;
import io.throughputoptimizer.core.load.ServingRank;
import io.throughputoptimizer.core.load.SteadyFigures;
import io.throughputoptimizer.core.load.SteadyLaw;
import io.throughputoptimizer.core.replica.CalibratedRank;
import java.util.Set;

/// The steady-state law of a rank whose passes are priced by part, so that a calibration can be applied. Each
/// step is priced once per concurrency.
public final class RankLaw {
    private final CalibratedDeployment deployment;
    private final CalibratedPass pass;
    private final MeanRequest request;
    private final double waves;
    private final ServingRank rank;
    private final PassSplit prefill;
    private final SteadyLaw law;

    /// @param pass priced pass of the deployment
    public RankLaw(
            CalibratedDeployment deployment,
            CalibratedPass pass,
            CalibratedRank.Limits limits,
            MeanRequest request,
            double waves) {
        this.deployment = deployment;
        this.pass = pass;
        this.request = request;
        this.waves = waves;
        this.rank = CalibratedRank.of(pass, deployment.engine(), limits);
        this.prefill = pass.prefillSplit(request.newTokens(), request.pairs()).plus(rank.prefillGapMillis());
        this.law = request.mix() == null
                ? new SteadyLaw(
                        rank,
                        request,
                        waves,
                        new MeanRequest.Prompts(prefill.millis(), 1, request.newTokens(), request.pairs()))
                : new SteadyLaw(rank, request, waves);
    }

    /// Returns the outcome of the model, corrected by a calibration.
    ///
    /// @param concurrency outstanding requests of the rank
    public LawOutcome at(double concurrency, CalibrationPosterior learnt) {
        Priced priced = new Priced(concurrency);
        return priced.outcome instanceof SteadyFigures figures
                ? learnt.correct(priced.configuration(figures), figures)
                : priced.outcome;
    }

    /// Returns the outcome of the uncorrected model.
    LawOutcome at(double concurrency) {
        return law.at(concurrency);
    }

    /// Returns the configuration at a concurrency that fits in memory.
    Configuration configuration(double concurrency) {
        Priced priced = new Priced(concurrency);
        return priced.configuration((SteadyFigures) priced.outcome);
    }

    Set<Flag> flags(SteadyFigures figures) {
        return Flag.of(new Flag.Load(
                figures.concurrency(),
                figures.steps().running(),
                rank.capacity(request),
                figures.concurrency() * deployment.layout().dp(),
                request.inputTokens(),
                waves));
    }

    /// Outcome of the law at one concurrency, with the parts of its decode step.
    private final class Priced {
        private final LawOutcome outcome;
        private PassSplit decode = new PassSplit(0, 0, 0);

        Priced(double concurrency) {
            outcome = law.at(concurrency, running -> {
                decode = pass.decodeSplit(running, running * request.halfwayTokens())
                        .plus(rank.engine().stepGapMillis());
                return decode.millis();
            });
        }

        Configuration configuration(SteadyFigures figures) {
            return new Configuration(
                    deployment.layout(),
                    deployment.model().experts().isPresent(),
                    new Configuration.Load(
                            figures.concurrency(),
                            figures.steps().batch(),
                            request.inputTokens(),
                            request.outputTokens(),
                            waves),
                    decode,
                    prefill,
                    rank.engine(),
                    flags(figures).contains(Flag.CAPACITY));
        }
    }
}
