package io.throughputoptimizer.core.load;

import io.throughputoptimizer.core.load.Breach.Limit;
import io.throughputoptimizer.core.load.LawOutcome.OutOfMemory;
import io.throughputoptimizer.core.load.Traffic.SimulatedLoad;
import io.throughputoptimizer.core.workload.Limits;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Check of latency targets for equal ranks that share a load: means by the law, percentiles by simulation.
/// Requests at a rate do not depend on the concurrency, so they are simulated once. Used once, by one thread.
public final class RankCheck implements BestConcurrency.Check {
    private final Traffic traffic;
    private final Limits limits;
    private final ServingRank rank;
    private final int ranks;
    private final Runnable checkpoint;
    private @Nullable List<Breach> atRate;
    private int simulations;

    /// Creates a check.
    ///
    /// @param ranks number of ranks that share the load
    /// @param checkpoint called repeatedly; may cancel the check by an exception
    public RankCheck(Traffic traffic, Limits limits, ServingRank rank, int ranks, Runnable checkpoint) {
        this.traffic = traffic;
        this.limits = limits;
        this.rank = rank;
        this.ranks = ranks;
        this.checkpoint = checkpoint;
    }

    @Override
    public boolean exceedsTpot(LawOutcome outcome) {
        checkpoint.run();
        return limits.percentile() == null && Breach.isOfTpot(limits, outcome);
    }

    @Override
    public int simulations() {
        return simulations;
    }

    /// Returns the exceeded targets.
    ///
    /// @throws IllegalArgumentException if percentile targets are combined with a prefix cache or an engine
    ///     that does not poll every step: simulations do not support them
    @Override
    public List<Breach> breaches(int concurrency, LawOutcome outcome) {
        checkpoint.run();
        Double percentile = limits.percentile();
        if (percentile == null || outcome instanceof OutOfMemory) {
            return Breach.of(limits, outcome);
        }
        Traffic.Rate rate = traffic.rate();
        if (rate == null) {
            return simulate(traffic.closedLoop(concurrency, limits.basis(), outcome), percentile);
        }
        List<Breach> known = atRate;
        if (known == null) {
            known = atRate(rate, percentile);
            atRate = known;
        }
        return known;
    }

    private List<Breach> atRate(Traffic.Rate rate, double percentile) {
        double highest = ranks * new SteadyLaw(rank, traffic.mean(), traffic.waves()).highestRatePerSecond();
        return rate.perSecond() > highest
                ? List.of(new Breach(Limit.REQUEST_RATE, rate.perSecond(), highest))
                : simulate(traffic.openLoop(rate, ranks), percentile);
    }

    private List<Breach> simulate(SimulatedLoad load, double percentile) {
        simulations++;
        return Breach.of(limits, ServingSimulation.run(rank, load, checkpoint), percentile);
    }
}
