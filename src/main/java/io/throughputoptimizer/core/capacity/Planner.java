package io.throughputoptimizer.core.capacity;

import io.throughputoptimizer.core.capacity.CapacityPlan.Group;
import io.throughputoptimizer.core.capacity.Requirement.Unit;
import io.throughputoptimizer.core.search.Objective;
import io.throughputoptimizer.core.search.ResultRow;
import io.throughputoptimizer.core.search.space.KvTransfer.Handover;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Puts instances together that serve a requirement, given the peak of one of each.
///
/// Equal instances are counted as [EqualInstances] says, and the demand uses `D / (n R)` of them. Of prefill and decode
/// instances each kind is counted so for itself.
///
/// Where the demand is `B` requests at once, `R` is the most that an instance holds within the limits. Decode instances
/// are counted by it, and prefill instances by the requests a second that decode completes while it holds `B`, rounded
/// up to whole batches.
final class Planner {
    private final Requirement requirement;
    private final LoadedRows loads;
    private final Comparator<DemandPlan> betterFirst;

    /// Instances that serve a share of the demand each.
    ///
    /// @param asked without headroom, of all instances
    private record Staffed(Peak peak, Ratio ability, Ratio asked, long count) {
        private static Staffed of(Peak peak, Ratio ability, Ratio asked, Ratio reserve) {
            return new Staffed(
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

    Planner(Requirement requirement, Objective objective, LoadedRows loads) {
        this.requirement = requirement;
        this.loads = loads;
        this.betterFirst = DemandPlan.betterFirst(objective);
    }

    /// Equal instances that do both.
    CapacityPlan together(Peak peak) {
        Staffed staffed = staffed(peak);
        ResultRow load = loads.at(staffed.peak, staffed.share(), requirement.unit());
        Ratio served = requirement.unit().isAtOnce() ? staffed.rateAt(load) : requirement.asked();
        return plan(List.of(staffed.group(load)), served, staffed.mostRate(), null);
    }

    /// The best deployment of prefill instances of one size that feed decode instances of one size.
    Optional<CapacityPlan> apart(List<Peak> prefill, List<Peak> decode) {
        Stream<CapacityPlan> plans = requirement.isConcurrency()
                ? decode.stream().map(this::staffed).flatMap(one -> held(prefill, one).stream())
                : fewest(decode.stream().map(this::staffed).toList(), prefill);
        return plans.min(betterFirst);
    }

    /// Instances of each kind that the demand takes.
    ///
    /// @param most requests a second that they would serve
    record Counted(long devices, Ratio most) {}

    /// Of a prefill instance that feeds a decode instance.
    Counted counted(Peak prefill, Peak decode) {
        Staffed completing = staffed(decode);
        Staffed feeding = staffed(prefill, served(completing));
        return new Counted(
                feeding.devices() + completing.devices(), Ratio.least(feeding.mostRate(), completing.mostRate()));
    }

    /// How many of an instance that completes requests the demand takes.
    long count(Peak decode) {
        return staffed(decode).count;
    }

    /// A prefill instance that feeds a decode instance, as many of each as the demand takes.
    CapacityPlan apart(Peak prefill, Peak decode) {
        Staffed completing = staffed(decode);
        Ratio served = served(completing);
        return apart(staffed(prefill, served), completing, load(completing), served);
    }

    private ResultRow load(Staffed decode) {
        return loads.at(
                decode.peak, decode.share(), requirement.isConcurrency() ? Unit.CONCURRENCY : Unit.REQUESTS_PER_S);
    }

    /// Requests a second that decode instances complete at the demand.
    private Ratio served(Staffed decode) {
        return requirement.isConcurrency() ? decode.rateAt(load(decode)) : requirement.asked();
    }

    /// Decode instances that hold the demand, fed as fast as they complete.
    private Optional<CapacityPlan> held(List<Peak> prefill, Staffed decode) {
        ResultRow load = loads.at(decode.peak, decode.share(), Unit.CONCURRENCY);
        Ratio completed = decode.rateAt(load);
        return best(feeding(prefill, decode.peak).stream()
                        .map(one -> staffed(one, completed))
                        .toList())
                .map(one -> apart(one, decode, load, completed));
    }

    /// Decode instances in the fewest numbers of each kind of hand-over, with the prefill instances that feed them.
    private Stream<CapacityPlan> fewest(List<Staffed> decode, List<Peak> prefill) {
        return decode.stream()
                .filter(one -> isFewest(one, decode))
                .flatMap(one -> best(
                        feeding(prefill, one.peak).stream().map(this::staffed).toList())
                        .map(feeds -> apart(
                                feeds, one, loads.at(one.peak, one.share(), Unit.REQUESTS_PER_S), requirement.asked()))
                        .stream());
    }

    private boolean isFewest(Staffed one, List<Staffed> decode) {
        loads.failWhenCancelled();
        return decode.stream()
                .filter(other -> other.peak.handsLike(one.peak))
                .allMatch(other -> one.count <= other.count);
    }

    private CapacityPlan apart(Staffed prefill, Staffed decode, ResultRow decodeLoad, Ratio served) {
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

    /// There may be tens of thousands of peaks of each side.
    private Staffed staffed(Peak peak) {
        loads.failWhenCancelled();
        return Staffed.of(peak, peak.ability(requirement), requirement.asked(), requirement.reserve());
    }

    private Staffed staffed(Peak prefill, Ratio rate) {
        return Staffed.of(prefill, prefill.ability(requirement), rate, requirement.reserve());
    }

    /// Devices of the best deployment of prefill instances that feed decode instances.
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

    private static Optional<Staffed> best(List<Staffed> all) {
        return all.stream()
                .min(Comparator.comparingLong((Staffed one) -> one.count)
                        .thenComparing(one -> one.ability, Comparator.reverseOrder()));
    }
}
