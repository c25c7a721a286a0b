package io.throughputoptimizer.core.capacity;

import io.throughputoptimizer.core.capacity.CapacityPlan.Group;
import io.throughputoptimizer.core.capacity.Requirement.Unit;
import io.throughputoptimizer.core.search.Objective;
import io.throughputoptimizer.core.search.ResultRow;
import io.throughputoptimizer.core.search.space.KvTransferLink.Handover;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Combines instances at their peaks into deployments for a requirement.
///
/// Identical instances are counted as in [EqualInstances]; the utilization is `D / (n R)`. Prefill and decode
/// instances are counted separately.
///
/// For a demand of `B` concurrent requests, `R` is the largest concurrency within the limits. It sets the
/// decode instances; prefill instances are counted by the request rate that decode completes at concurrency
/// `B`, rounded up to whole batches.
final class Planner {
    private final Requirement requirement;
    private final DemandOperatingPoints loads;
    private final Comparator<DemandPlan> betterFirst;

    /// Instances that share the demand equally.
    ///
    /// @param asked demand of all instances without headroom
    private record InstanceGroup(Peak peak, Ratio ability, Ratio asked, long count) {
        private static InstanceGroup of(Peak peak, Ratio ability, Ratio asked, Ratio reserve) {
            return new InstanceGroup(
                    peak,
                    ability,
                    asked,
                    asked.times(reserve).dividedBy(ability).ceiling());
        }

        private long devices() {
            return count * peak.size();
        }

        private Ratio share() {
            return asked.dividedBy(count);
        }

        private Ratio mostRate() {
            return rateAt(peak.row());
        }

        private Ratio rateAt(ResultRow load) {
            return peak.rate(load).times(count);
        }

        private Group group(ResultRow load) {
            return new Group(peak, count, share().dividedBy(ability).value(), load);
        }
    }

    Planner(Requirement requirement, Objective objective, DemandOperatingPoints loads) {
        this.requirement = requirement;
        this.loads = loads;
        this.betterFirst = DemandPlan.betterFirst(objective);
    }

    /// Returns the plan of identical aggregated instances.
    CapacityPlan together(Peak peak) {
        InstanceGroup staffed = staffed(peak);
        ResultRow load = loads.at(staffed.peak, staffed.share(), requirement.unit());
        Ratio served = requirement.unit().isAtOnce() ? staffed.rateAt(load) : requirement.asked();
        return plan(List.of(staffed.group(load)), served, staffed.mostRate(), null);
    }

    /// Returns the best plan of prefill instances of one size and decode instances of one size.
    Optional<CapacityPlan> apart(List<Peak> prefill, List<Peak> decode) {
        Stream<CapacityPlan> plans = requirement.isConcurrency()
                ? decode.stream().map(this::staffed).flatMap(one -> held(prefill, one).stream())
                : fewest(decode.stream().map(this::staffed).toList(), prefill);
        return plans.min(betterFirst);
    }

    /// Devices and capacity of a plan.
    ///
    /// @param most request rate at capacity
    record Counted(long devices, Ratio most) {}

    /// Returns the devices and capacity of a prefill and a decode instance type.
    Counted counted(Peak prefill, Peak decode) {
        InstanceGroup completing = staffed(decode);
        InstanceGroup feeding = staffed(prefill, served(completing));
        return new Counted(
                feeding.devices() + completing.devices(), Ratio.least(feeding.mostRate(), completing.mostRate()));
    }

    /// Returns the number of decode instances that the demand needs.
    long count(Peak decode) {
        return staffed(decode).count;
    }

    /// Returns the plan of a prefill and a decode instance type.
    CapacityPlan apart(Peak prefill, Peak decode) {
        InstanceGroup completing = staffed(decode);
        Ratio served = served(completing);
        return apart(staffed(prefill, served), completing, load(completing), served);
    }

    private ResultRow load(InstanceGroup decode) {
        return loads.at(
                decode.peak, decode.share(), requirement.isConcurrency() ? Unit.CONCURRENCY : Unit.REQUESTS_PER_S);
    }

    /// Returns the request rate that decode instances complete at the demand.
    private Ratio served(InstanceGroup decode) {
        return requirement.isConcurrency() ? decode.rateAt(load(decode)) : requirement.asked();
    }

    /// Returns the plan of decode instances that hold the demand, with prefill instances for their completion
    /// rate.
    private Optional<CapacityPlan> held(List<Peak> prefill, InstanceGroup decode) {
        ResultRow load = loads.at(decode.peak, decode.share(), Unit.CONCURRENCY);
        Ratio completed = decode.rateAt(load);
        return best(feeding(prefill, decode.peak).stream()
                        .map(one -> staffed(one, completed))
                        .toList())
                .map(one -> apart(one, decode, load, completed));
    }

    /// Returns plans of the decode instances with the fewest devices per kind of KV transfer, with their
    /// prefill instances.
    private Stream<CapacityPlan> fewest(List<InstanceGroup> decode, List<Peak> prefill) {
        return decode.stream()
                .filter(one -> isFewest(one, decode))
                .flatMap(one -> best(
                        feeding(prefill, one.peak).stream().map(this::staffed).toList())
                        .map(feeds -> apart(
                                feeds, one, loads.at(one.peak, one.share(), Unit.REQUESTS_PER_S), requirement.asked()))
                        .stream());
    }

    private boolean isFewest(InstanceGroup one, List<InstanceGroup> decode) {
        loads.failWhenCancelled();
        return decode.stream()
                .filter(other -> other.peak.handsLike(one.peak))
                .allMatch(other -> one.count <= other.count);
    }

    private CapacityPlan apart(InstanceGroup prefill, InstanceGroup decode, ResultRow decodeLoad, Ratio served) {
        ResultRow prefillLoad = loads.at(prefill.peak, prefill.share(), Unit.REQUESTS_PER_S);
        return plan(
                List.of(prefill.group(prefillLoad), decode.group(decodeLoad)),
                served,
                Ratio.least(prefill.mostRate(), decode.mostRate()),
                loads.handover(decode.peak));
    }

    private static List<Peak> feeding(List<Peak> prefill, Peak decode) {
        return prefill.stream().filter(one -> one.handsLike(decode)).toList();
    }

    private CapacityPlan plan(List<Group> groups, Ratio served, Ratio most, @Nullable Handover handover) {
        return new CapacityPlan(
                groups.getFirst().load().candidate().deployment().device(),
                groups,
                requirement,
                served.value(),
                most.value(),
                handover);
    }

    /// Checks for cancellation, since each phase can have tens of thousands of peaks.
    private InstanceGroup staffed(Peak peak) {
        loads.failWhenCancelled();
        return InstanceGroup.of(peak, peak.ability(requirement), requirement.asked(), requirement.reserve());
    }

    private InstanceGroup staffed(Peak prefill, Ratio rate) {
        return InstanceGroup.of(prefill, prefill.ability(requirement), rate, requirement.reserve());
    }

    /// Returns the devices of the best plan of prefill and decode instances.
    OptionalLong devicesApart(List<Peak> prefill, List<Peak> decode) {
        return decode.stream()
                .map(this::staffed)
                .flatMapToLong(one -> feeding(prefill, one.peak).stream()
                        .map(feed -> requirement.isConcurrency()
                                ? staffed(feed, one.rateAt(loads.at(one.peak, one.share(), Unit.CONCURRENCY)))
                                : staffed(feed))
                        .mapToLong(feed -> feed.devices() + one.devices()))
                .min();
    }

    private static Optional<InstanceGroup> best(List<InstanceGroup> all) {
        return all.stream()
                .min(Comparator.comparingLong((InstanceGroup one) -> one.count)
                        .thenComparing(one -> one.ability, Comparator.reverseOrder()));
    }
}
