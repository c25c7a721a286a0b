package io.throughputoptimizer.core.capacity;

import io.throughputoptimizer.core.calibrated.CalibratedProblem;
import io.throughputoptimizer.core.capacity.CapacityProblem.Kind;
import io.throughputoptimizer.core.capacity.CapacityResult.InstancePeak;
import io.throughputoptimizer.core.capacity.DemandPlan.CalibratedPlan;
import io.throughputoptimizer.core.load.SteadyFigures;
import io.throughputoptimizer.core.search.space.KvTransferLink.Handover;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Identical calibrated instances that serve a demand with headroom.
///
/// @param count number of instances
/// @param load figures of a rank at its share of the demand
/// @param peak figures of a rank at its peak
/// @param unfavourable instances needed if every figure is at the unfavorable end of its prediction interval;
///     empty if no count is known to suffice
public record CalibratedCapacityPlan(
        CalibratedInstance instance,
        long count,
        Requirement requirement,
        SteadyFigures load,
        SteadyFigures peak,
        Optional<Long> unfavourable)
        implements CalibratedPlan, InstancePeak {

    private static final double USUAL_PERCENTILE = 95;

    /// Returns the plan of an instance for a requirement. The load is that of the peak if no smaller
    /// concurrency serves the share.
    static CalibratedCapacityPlan of(CalibratedInstance instance, Requirement requirement) {
        SteadyFigures peak = instance.peak();
        Ratio ability = instance.ability(requirement);
        long count = requirement.planned().dividedBy(ability).ceiling();
        SteadyFigures load =
                instance.load(requirement, requirement.asked().dividedBy(count)).orElse(peak);
        return new CalibratedCapacityPlan(
                instance,
                count,
                requirement,
                load,
                peak,
                instance.unfavourable(requirement)
                        .map(worst -> requirement.planned().dividedBy(worst).ceiling()));
    }

    /// Returns simulated latencies of a rank at the demand, at the percentile of the limits or else p95. Empty
    /// if the simulation does not support the traffic.
    public Optional<SimulatedArrivals.Percentiles> percentiles() {
        Double asked = instance.priced().terms().limits().percentile();
        return instance.percentiles(
                requirement, requirement.asked().dividedBy(count), load, asked == null ? USUAL_PERCENTILE : asked);
    }

    @Override
    public CalibratedProblem problem() {
        return instance.problem();
    }

    @Override
    public Kind kind() {
        return Kind.AGGREGATED;
    }

    @Override
    public @Nullable Handover handover() {
        return null;
    }

    @Override
    public long deviceCount() {
        return count * instance.size();
    }

    @Override
    public @Nullable Long unfavourableDevices() {
        return unfavourable.map(many -> many * instance.size()).orElse(null);
    }

    @Override
    public boolean isReliable() {
        return instance.isReliable();
    }

    @Override
    public double utilization() {
        return requirement
                .asked()
                .dividedBy(instance.ability(requirement).times(count))
                .value();
    }

    @Override
    public double requestsPerSecond() {
        return requirement.unit().isAtOnce()
                ? instance.rate(load).times(count).value()
                : requirement.asked().value();
    }

    @Override
    public double mostRequestsPerSecond() {
        return instanceMostRequestsPerSecond() * count;
    }

    /// Returns the peak request rate of one instance.
    public double instanceMostRequestsPerSecond() {
        return instance.mostRate(requirement).value();
    }
}
