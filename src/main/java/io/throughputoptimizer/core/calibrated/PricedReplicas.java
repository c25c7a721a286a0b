package io.throughputoptimizer.core.calibrated;

import io.throughputoptimizer.core.deployment.ParallelLayout;
import io.throughputoptimizer.core.feedback.CalibrationPosterior;
import io.throughputoptimizer.core.feedback.RankLaw;
import io.throughputoptimizer.core.kernels.BandBasis;
import io.throughputoptimizer.core.kernels.Bands;
import io.throughputoptimizer.core.kernels.CalibratedDeployment;
import io.throughputoptimizer.core.kernels.Flag;
import io.throughputoptimizer.core.load.BestConcurrency;
import io.throughputoptimizer.core.load.BestConcurrency.Found;
import io.throughputoptimizer.core.load.BestConcurrency.Preference;
import io.throughputoptimizer.core.load.Breach;
import io.throughputoptimizer.core.load.Breach.Limit;
import io.throughputoptimizer.core.load.ConcurrencySampling;
import io.throughputoptimizer.core.load.CrowdedLaw;
import io.throughputoptimizer.core.load.LawOutcome;
import io.throughputoptimizer.core.load.MeanRequest;
import io.throughputoptimizer.core.load.RankBatches;
import io.throughputoptimizer.core.load.RankCheck;
import io.throughputoptimizer.core.load.ServingRank;
import io.throughputoptimizer.core.load.ServingSimulation;
import io.throughputoptimizer.core.load.SimulationResult;
import io.throughputoptimizer.core.load.SteadyFigures;
import io.throughputoptimizer.core.load.Traffic;
import io.throughputoptimizer.core.load.Traffic.SimulatedLoad;
import io.throughputoptimizer.core.load.TtftSimulations;
import io.throughputoptimizer.core.load.TurnLengths;
import io.throughputoptimizer.core.load.TurnsLaw;
import io.throughputoptimizer.core.replica.CalibratedRank;
import io.throughputoptimizer.core.replica.SimulatedReplicas;
import io.throughputoptimizer.core.workload.Phase;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.DoubleFunction;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/// Equal calibrated instances that can be priced at any concurrency.
///
/// @param replicas number of replicas that takes all devices
/// @param simulations simulations of the TTFT of crowded steps
public record PricedReplicas(SteadyTerms terms, PricedInstance instance, int replicas, TtftSimulations simulations)
        implements CalibratedServing {

    /// A rank and its traffic, which together determine its simulations.
    private record LoadedRank(CalibratedDeployment deployment, CalibratedRank.Limits limits, Traffic traffic) {
        /// Returns a hash of parts that are small and often differ.
        @Override
        public int hashCode() {
            return Objects.hash(
                    deployment.layout(),
                    deployment.precision(),
                    deployment.calibration().peaks(),
                    limits.cacheTokens());
        }
    }

    /// Returns the replicas of a layout on the only device of a problem; empty if it cannot run or be priced.
    public static Optional<PricedReplicas> of(CalibratedProblem problem, ParallelLayout layout) {
        CalibratedDevice device = problem.devices().getFirst();
        return of(problem, device.deployment(problem.model(), layout), new TtftSimulations(_ -> {}));
    }

    /// Returns the replicas of a deployment on the only device of a problem; empty if it cannot run or be
    /// priced.
    public static Optional<PricedReplicas> of(
            CalibratedProblem problem, CalibratedDeployment deployment, TtftSimulations simulations) {
        CalibratedDevice device = problem.devices().getFirst();
        return deployment.servingObstacle().isPresent()
                ? Optional.empty()
                : Optional.of(of(problem, device, deployment, simulations));
    }

    /// Returns the replicas of a deployment.
    ///
    /// @param device kind of device of the problem
    static PricedReplicas of(
            CalibratedProblem problem,
            CalibratedDevice device,
            CalibratedDeployment deployment,
            TtftSimulations simulations) {
        SteadyTerms terms = problem.terms();
        return new PricedReplicas(
                !device.isCorrected() ? terms : terms.with(ConcurrencySampling.EACH),
                PricedInstance.of(deployment, device, Phase.AGGREGATION, terms),
                problem.available().of(device.name()) / deployment.layout().deviceCount(),
                simulations);
    }

    /// Returns the deployment of one replica.
    public CalibratedDeployment deployment() {
        return instance.deployment();
    }

    @Override
    public PricedInstance prefill() {
        return instance;
    }

    @Override
    public PricedInstance decode() {
        return instance;
    }

    @Override
    public CalibratedInstances.Replicas instances() {
        return new CalibratedInstances.Replicas(deployment(), replicas);
    }

    @Override
    public LawOutcome at(int rankConcurrency) {
        return outcomes().apply(rankConcurrency);
    }

    @Override
    public IntFunction<LawOutcome> outcomes() {
        CalibrationPosterior learnt = instance.learnt();
        if (learnt == null) {
            return law(deployment(), instance.rank())::apply;
        }
        RankLaw law = new RankLaw(
                deployment(),
                instance.pass(),
                instance.limits(),
                terms.request(),
                terms.traffic().waves());
        return concurrency -> law.at(concurrency, learnt);
    }

    private DoubleFunction<LawOutcome> law(CalibratedDeployment priced, ServingRank rank) {
        Traffic traffic = terms.traffic();
        return traffic.lengths() instanceof TurnLengths turns
                ? new TurnsLaw(rank, turns, traffic.waves())::at
                : new CrowdedLaw(rank, traffic, new LoadedRank(priced, instance.limits(), traffic), simulations)::at;
    }

    @Override
    public Found search(Runnable checkpoint) {
        return search(terms.preference(), outcomes(), checkpoint);
    }

    /// Searches all concurrencies for the best figures alone ([BestConcurrency#searchBest]).
    ///
    /// @param checkpoint called repeatedly; may cancel the search by an exception
    Found searchBest(Runnable checkpoint) {
        return concurrencies(terms.preference(), outcomes(), checkpoint)
                .searchBest(leastConcurrency(), mostConcurrency());
    }

    /// Searches all concurrencies for the best.
    ///
    /// @param law result of [#outcomes]
    /// @param checkpoint called repeatedly; may cancel the search by an exception
    public Found search(Preference preference, IntFunction<LawOutcome> law, Runnable checkpoint) {
        return concurrencies(preference, law, checkpoint)
                .search(leastConcurrency(), mostConcurrency(), terms.limits().percentile() == null);
    }

    private BestConcurrency concurrencies(Preference preference, IntFunction<LawOutcome> law, Runnable checkpoint) {
        ServingRank rank = instance.rank();
        RankCheck check = new RankCheck(terms.traffic(), terms.limits(), rank, ranks(), checkpoint);
        return new BestConcurrency(terms.scan(), preference, law, check, this::isReliable);
    }

    /// Returns the attention data parallel ranks of all replicas.
    public int ranks() {
        return instance.ranks(replicas);
    }

    @Override
    public int leastConcurrency() {
        RankBatches asked = terms.batches();
        return Math.max(asked == null ? 1 : asked.least(), Math.ceilDiv(terms.leastConcurrency(), ranks()));
    }

    @Override
    public int mostConcurrency() {
        RankBatches asked = terms.batches();
        return (asked == null
                        ? RankBatches.unaskedOfOne(instance.rank(), terms.request(), instance.maxSequences())
                        : asked)
                .most();
    }

    /// Returns the breach of a request rate that saturates these replicas, which leaves no steady percentiles;
    /// empty otherwise.
    public Optional<Breach> saturation() {
        Traffic.Rate rate = terms.traffic().rate();
        if (rate == null) {
            return Optional.empty();
        }
        double highest = simulated(1).highestRatePerSecond();
        return rate.perSecond() > highest
                ? Optional.of(new Breach(Limit.REQUEST_RATE, rate.perSecond(), highest))
                : Optional.empty();
    }

    /// Returns these replicas without latency targets.
    public PricedReplicas withoutLimits() {
        return new PricedReplicas(terms.withoutLimits(), instance, replicas, simulations);
    }

    /// Returns whether a simulation supports these instances: uncorrected figures, no prefix cache, and an
    /// engine that polls at every step.
    public boolean isSimulated() {
        return instance.learnt() == null
                && instance.limits().pollInterval() == 1
                && terms.traffic().prefixHitRate() == 0;
    }

    /// Simulates one rank under another load.
    ///
    /// @param checkpoint called repeatedly; may cancel the simulation by an exception
    public SimulationResult simulate(SimulatedLoad load, Runnable checkpoint) {
        return ServingSimulation.run(instance.rank(), load, checkpoint);
    }

    /// Simulates one rank.
    ///
    /// @param rankConcurrency requests in flight at the rank in a closed loop; unused at a request rate
    /// @param checkpoint called repeatedly; may cancel the simulation by an exception
    public SimulationResult simulate(int rankConcurrency, Runnable checkpoint) {
        return simulate(simulated(rankConcurrency).load(), checkpoint);
    }

    SimulatedReplicas simulated(int rankConcurrency) {
        return new SimulatedReplicas(
                deployment(),
                instance.limits(),
                replicas,
                terms.traffic(),
                clients(rankConcurrency),
                terms.limits().basis());
    }

    /// Returns the clients of a rank at that concurrency; for conversations including clients in think time.
    private int clients(int rankConcurrency) {
        return terms.traffic().lengths() instanceof TurnLengths
                        && at(rankConcurrency) instanceof SteadyFigures figures
                        && figures.kept() != null
                ? (int) Math.max(1, Math.rint(figures.kept().conversations()))
                : rankConcurrency;
    }

    @Override
    public Function<SteadyFigures, @Nullable SteadyFigures> captured() {
        if (!deployment().calibration().isAscend()) {
            return _ -> null;
        }
        DoubleFunction<LawOutcome> law = law(deployment().withoutLaunches(), instance.capturedRank());
        return figures -> (SteadyFigures) law.apply(figures.concurrency());
    }

    @Override
    public Bands bands(SteadyFigures figures) {
        CalibratedDeployment deployment = deployment();
        Set<Flag> flags = Flag.of(deployment, instance.pass().unexpectedBases(), false);
        Flag.untrusted(deployment, figures.concurrency() * deployment.layout().dp())
                .ifPresent(_ -> flags.add(Flag.UNCALIBRATED));
        MeanRequest request = terms.request();
        flags.addAll(terms.flags(new Flag.Load(
                figures.concurrency(),
                figures.steps().running(),
                instance.limits().cacheTokens()
                        / request.cached(instance.limits().use()),
                figures.concurrency() * deployment.layout().dp(),
                request.inputTokens(),
                terms.traffic().waves())));
        if (figures.steps().batch().isSaturated()) {
            flags.add(Flag.SATURATED);
        }
        Bands model = new Bands(
                terms.coverage(), flags, BandBasis.tpot(deployment.model()), BandBasis.ttft(deployment.model()));
        CalibrationPosterior learnt = instance.learnt();
        return learnt == null ? model : learnt.bands(model, figures, deployment.layout());
    }
}
