package io.throughputoptimizer.core.capacity;

import io.throughputoptimizer.core.capacity.CapacityProblem.Kind;
import io.throughputoptimizer.core.capacity.CapacityResult.InstancePeak;
import io.throughputoptimizer.core.measured.MeasuredProblem;
import io.throughputoptimizer.core.search.space.KvTransfer.Handover;
import io.throughputoptimizer.core.steady.SteadyFigures;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Equal instances on measured devices that serve a demand with its headroom.
///
/// @param count how many there are
/// @param load figures of a rank at its share of the demand
/// @param peak figures of a rank at its most
/// @param unfavourable how many it takes where every figure lies at the unfavourable end of its band; empty where no
///     number of them is known to do
public record MeasuredCapacityPlan(
        MeasuredInstance instance,
        long count,
        Requirement requirement,
        SteadyFigures load,
        SteadyFigures peak,
        Optional<Long> unfavourable)
        implements MeasuredPlan, InstancePeak {

    private static final double USUAL_PERCENTILE = 95;

    /// Of the instance at its share of a requirement; empty where its peak cannot be counted.
    static MeasuredCapacityPlan of(MeasuredInstance instance, Requirement requirement) {
        SteadyFigures peak = instance.peak();
        Ratio ability = instance.ability(requirement);
        long count = requirement.planned().dividedBy(ability).ceiling();
        SteadyFigures load =
                instance.load(requirement, requirement.asked().dividedBy(count)).orElse(peak);
        return new MeasuredCapacityPlan(
                instance,
                count,
                requirement,
                load,
                peak,
                instance.unfavourable(requirement)
                        .map(worst -> requirement.planned().dividedBy(worst).ceiling()));
    }

    /// Returns the latencies that a percentile of the requests keeps at the demand, by simulation of a rank: the
    /// percentile of the limits, else the 95th. Empty if no simulation supports the traffic.
    public Optional<SimulatedArrivals.Percentiles> percentiles() {
        Double asked = instance.priced().terms().limits().percentile();
        return instance.percentiles(
                requirement, requirement.asked().dividedBy(count), load, asked == null ? USUAL_PERCENTILE : asked);
    }

    @Override
    public MeasuredProblem problem() {
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

    /// Of one instance at its most.
    public double instanceMostRequestsPerSecond() {
        return instance.mostRate(requirement).value();
    }
}
