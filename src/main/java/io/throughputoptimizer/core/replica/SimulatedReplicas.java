package io.throughputoptimizer.core.replica;

import io.throughputoptimizer.core.kernels.BandBasis;
import io.throughputoptimizer.core.kernels.BandBasis.Coverage;
import io.throughputoptimizer.core.kernels.Bands;
import io.throughputoptimizer.core.kernels.CalibratedDeployment;
import io.throughputoptimizer.core.kernels.CalibratedPass;
import io.throughputoptimizer.core.kernels.Flag;
import io.throughputoptimizer.core.kernels.calibration.Calibration;
import io.throughputoptimizer.core.kernels.calibration.KernelUse;
import io.throughputoptimizer.core.load.Arrivals;
import io.throughputoptimizer.core.load.LawOutcome;
import io.throughputoptimizer.core.load.MeanRequest;
import io.throughputoptimizer.core.load.ServingRank;
import io.throughputoptimizer.core.load.ServingRank.StepTimes;
import io.throughputoptimizer.core.load.ServingSimulation;
import io.throughputoptimizer.core.load.SimulationResult;
import io.throughputoptimizer.core.load.SteadyLaw;
import io.throughputoptimizer.core.load.Traffic;
import io.throughputoptimizer.core.load.Traffic.SimulatedLoad;
import io.throughputoptimizer.core.workload.TtftBasis;
import java.util.List;
import java.util.Set;

/// Equal replicas of a calibrated deployment under one load. All ranks get equal shares, so one is simulated.
///
/// @param replicas number of replicas
/// @param traffic traffic at a request rate, or else in a closed loop
/// @param basis whether the TTFT includes the opening burst of a closed loop
/// @param rankConcurrency requests in flight at each rank of a closed loop, or open conversations; unused at a
///     request rate
public record SimulatedReplicas(
        CalibratedDeployment deployment,
        CalibratedRank.Limits limits,
        int replicas,
        Traffic traffic,
        int rankConcurrency,
        TtftBasis basis)
        implements SimulatedDeployment {
    private static final double STEPS_OF_A_REQUEST = 4;

    @Override
    public CalibratedDeployment decoding() {
        return deployment;
    }

    @Override
    public List<Calibration> calibrations() {
        return List.of(deployment.calibration());
    }

    @Override
    public int shares() {
        return ranks();
    }

    /// Returns the attention data parallel ranks of all replicas.
    public int ranks() {
        return replicas * deployment.layout().dp();
    }

    /// Returns the mean requests that the cache of a rank holds; below 1 no request can be served.
    public double capacity() {
        return rank(deployment).capacity(traffic.mean());
    }

    @Override
    public double highestRatePerSecond() {
        return ranks() * new SteadyLaw(rank(deployment), traffic.mean(), traffic.waves()).highestRatePerSecond();
    }

    /// Returns an upper bound of the steps. Each request ends the step of its arrival, of its first and of its
    /// last token; of the others at least half of the budget goes to prompts, or else at least half of it to
    /// output, a token of which takes more than one of it if steps verify drafts.
    @Override
    public double mostSteps() {
        MeanRequest request = traffic.mean();
        double halfBudget =
                Math.max(1, deployment.engine().settings().scheduling().tokenBudget() / 2.0);
        StepTimes step = rank(deployment).step();
        double computed = request.outputTokens() * (step.tokensComputed() / step.tokensPerStep());
        return load().requests() * (STEPS_OF_A_REQUEST + (request.inputTokens() + computed) / halfBudget);
    }

    @Override
    public Outcome run(Coverage coverage, Runnable checkpoint) {
        CalibratedPass pass = CalibratedPass.of(deployment);
        ServingRank rank = CalibratedRank.of(pass, deployment.engine(), limits);
        SimulatedLoad load = load();
        SimulationResult result = ServingSimulation.run(rank, load, checkpoint);
        List<KernelUse> unexpected = pass.unexpectedUses();
        Set<Flag> flags =
                Flag.of(deployment, unexpected.stream().map(KernelUse::basis).toList(), false);
        flags.addAll(Flag.of(flaggedLoad(rank, load, result)));
        return new Outcome(
                result,
                deployment.calibration().isAscend()
                        ? ServingSimulation.run(rank(deployment.withoutLaunches()), load, checkpoint)
                        : null,
                new Bands(coverage, flags, BandBasis.tpot(deployment.model()), BandBasis.ttft(deployment.model())),
                unexpected);
    }

    /// Returns the load of one rank.
    @Override
    public SimulatedLoad load() {
        return traffic.share(ranks(), rankConcurrency, basis, this::law);
    }

    private LawOutcome law() {
        return new SteadyLaw(rank(deployment), traffic.mean(), traffic.waves()).at(rankConcurrency);
    }

    private ServingRank rank(CalibratedDeployment priced) {
        return CalibratedRank.of(priced, limits);
    }

    private Flag.Load flaggedLoad(ServingRank rank, SimulatedLoad load, SimulationResult result) {
        boolean closed = load.arrivals() instanceof Arrivals.ClosedLoop;
        double outstanding = closed ? rankConcurrency : meanOutstanding(result);
        return new Flag.Load(
                outstanding,
                Math.min(outstanding, rank.mostRunning(traffic.mean())),
                rank.capacity(traffic.mean()),
                outstanding * deployment.layout().dp(),
                traffic.mean().inputTokens(),
                closed || load.arrivals() instanceof Arrivals.Turns ? traffic.waves() : Double.POSITIVE_INFINITY);
    }

    /// Returns the mean requests in flight over the simulation.
    private static double meanOutstanding(SimulationResult result) {
        double sum = result.timeline().stream()
                .mapToDouble(interval ->
                        (interval.running() + interval.waiting()) * (interval.endMillis() - interval.startMillis()))
                .sum();
        return sum / result.span().makespanMillis();
    }
}
