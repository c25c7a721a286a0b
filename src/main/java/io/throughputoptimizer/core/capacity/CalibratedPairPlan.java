package io.throughputoptimizer.core.capacity;

import io.throughputoptimizer.core.calibrated.CalibratedProblem;
import io.throughputoptimizer.core.capacity.CapacityProblem.Kind;
import io.throughputoptimizer.core.capacity.DemandPlan.CalibratedPlan;
import io.throughputoptimizer.core.load.SteadyFigures;
import io.throughputoptimizer.core.search.BindingLimit;
import io.throughputoptimizer.core.search.InstanceCounts;
import io.throughputoptimizer.core.search.space.KvTransferLink.Handover;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Calibrated prefill and decode instances that serve a demand with headroom.
///
/// @param counts number of instances of each phase
/// @param load figures of all instances at the demand
/// @param peak figures of all instances at their peak
/// @param binds bottleneck at the peak
/// @param unfavourable devices of the same layouts if every figure is at the unfavorable end of its prediction
///     interval; empty if no count is known to suffice
public record CalibratedPairPlan(
        CalibratedPair pair,
        InstanceCounts counts,
        Requirement requirement,
        SteadyFigures load,
        SteadyFigures peak,
        Set<BindingLimit> binds,
        Optional<Long> unfavourable)
        implements CalibratedPlan {

    CalibratedPairPlan withUnfavourable(Optional<Long> devices) {
        return new CalibratedPairPlan(pair, counts, requirement, load, peak, binds, devices);
    }

    /// Returns the bottleneck at the given figures of the plan.
    public Set<BindingLimit> binds(SteadyFigures of) {
        return of.concurrency() < peak.concurrency() ? Set.of(BindingLimit.DEMAND) : binds;
    }

    @Override
    public CalibratedProblem problem() {
        return pair.problem();
    }

    @Override
    public Kind kind() {
        return Kind.DISAGGREGATED;
    }

    @Override
    public long deviceCount() {
        return pair.devices(counts);
    }

    @Override
    public @Nullable Long unfavourableDevices() {
        return unfavourable.orElse(null);
    }

    @Override
    public boolean isReliable() {
        return pair.in(counts).isReliable(peak);
    }

    @Override
    public double utilization() {
        return requirement
                .asked()
                .dividedBy(CalibratedPair.ability(requirement, peak))
                .value();
    }

    @Override
    public @Nullable Handover handover() {
        return pair.in(counts).handover();
    }

    @Override
    public double requestsPerSecond() {
        return requirement.unit().isAtOnce()
                ? load.requestsPerSecond()
                : requirement.asked().value();
    }

    @Override
    public double mostRequestsPerSecond() {
        return peak.requestsPerSecond();
    }
}
