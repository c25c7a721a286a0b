package io.throughputoptimizer.core.steady;

import io.throughputoptimizer.core.steady.Breach.Limit;
import io.throughputoptimizer.core.steady.LawOutcome.OutOfMemory;
import io.throughputoptimizer.core.steady.SteadySearch.Candidate;
import io.throughputoptimizer.core.workload.Limits;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Which limits one layout breaks: means by the law, percentiles by simulation. Requests that come at a rate are
/// simulated once, because they do not depend on the concurrency.
final class CandidateCheck implements BestConcurrency.Check {
    private final Traffic traffic;
    private final Limits limits;
    private final Candidate<?> candidate;
    private final Runnable checkpoint;
    private @Nullable List<Breach> atRate;
    private int simulations;

    CandidateCheck(Traffic traffic, Limits limits, Candidate<?> candidate, Runnable checkpoint) {
        this.traffic = traffic;
        this.limits = limits;
        this.candidate = candidate;
        this.checkpoint = checkpoint;
    }

    int simulations() {
        return simulations;
    }

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
        double highest = candidate.highestRatePerSecond(traffic);
        return rate.perSecond() > highest
                ? List.of(new Breach(Limit.REQUEST_RATE, rate.perSecond(), highest))
                : simulate(traffic.openLoop(rate, candidate.ranks()), percentile);
    }

    private List<Breach> simulate(SimulatedLoad load, double percentile) {
        simulations++;
        return Breach.of(limits, ServingSimulation.run(candidate.rank(), load, checkpoint), percentile);
    }
}
