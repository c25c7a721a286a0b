package io.throughputoptimizer.core.capacity;

import io.throughputoptimizer.core.calibrated.PricedInstance;
import io.throughputoptimizer.core.capacity.CalibratedPair.Ends;
import io.throughputoptimizer.core.capacity.CapacityPlan.Group;
import io.throughputoptimizer.core.capacity.CapacityProblem.Kind;
import io.throughputoptimizer.core.capacity.ServingUnits.ServingUnit.Part;
import io.throughputoptimizer.core.kernels.CalibratedDeployment;
import io.throughputoptimizer.core.load.SteadyFigures;
import io.throughputoptimizer.core.search.InstanceCounts;
import io.throughputoptimizer.core.search.space.KvTransferLink.Handover;
import io.throughputoptimizer.core.workload.Phase;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The units available to serve a demand, from the result of a capacity search: the best aggregated instance of
/// each size, and the best pairs of sizes of each kind of device, in counts that serve the whole demand, half
/// of it, and so on.
public final class ServingUnits {
    /// Fractions of the demand for which pairs are counted.
    private static final List<Double> SHARES =
            DoubleStream.of(1, 1.0 / 2, 1.0 / 4, 1.0 / 8).boxed().toList();

    /// Maximum number of pairs of sizes per kind of device.
    private static final int MOST_PAIRS = 4;

    private ServingUnits() {}

    /// Returns the units of a capacity result for a requirement.
    ///
    /// @param unfavourable true to count calibrated instances, limits included, by the unfavorable ends of
    ///     their prediction intervals. Then units without intervals and disaggregated units are left out
    public static List<ServingUnit> of(CapacityResult result, Requirement requirement, boolean unfavourable) {
        Stream<ServingUnit> together = result.instances().stream().flatMap(instance -> switch (instance) {
            case Peak peak -> together(peak, requirement).stream();
            case CalibratedCapacityPlan plan -> together(plan, unfavourable).stream();
        });
        Stream<ServingUnit> apart = unfavourable
                ? Stream.empty()
                : best(result).flatMap(plan -> switch (plan) {
                    case CapacityPlan pair -> pairs(pair);
                    case CalibratedPairPlan pair -> pairs(pair);
                    case CalibratedCapacityPlan _ -> Stream.empty();
                });
        return Stream.concat(together, apart).distinct().toList();
    }

    /// Returns the first pairs of each kind of device.
    private static Stream<DemandPlan> best(CapacityResult result) {
        Map<String, Integer> seen = new HashMap<>();
        return Stream.concat(result.plans().stream(), result.beyond().stream())
                .filter(plan -> plan.kind() == Kind.DISAGGREGATED)
                .filter(plan -> seen.merge(plan.deviceName(), 1, Integer::sum) <= MOST_PAIRS);
    }

    private static Optional<ServingUnit> together(Peak peak, Requirement requirement) {
        return peak.phase() == Phase.AGGREGATION
                ? Optional.of(new ServingUnit(
                        peak.device().name(),
                        Kind.AGGREGATED,
                        List.of(part(peak, 1)),
                        peak.ability(requirement).floored(),
                        peak.row().figures().ttftMillis(),
                        peak.row().figures().tpotMillis()))
                : Optional.empty();
    }

    private static Part part(Peak peak, long count) {
        return new Part(peak.phase(), peak.candidate().label(), peak.size(), Math.toIntExact(count));
    }

    private static Stream<ServingUnit> pairs(CapacityPlan plan) {
        Group prefill = plan.groups().getFirst();
        Group decode = plan.groups().getLast();
        Requirement whole = plan.requirement();
        // The completion rate of decode instances depends on how many share the requests.
        if (whole.isConcurrency()) {
            Ratio held = decode.peak().ability(whole).times(decode.count());
            return Stream.of(pair(plan, prefill.count(), decode.count(), held));
        }
        Ratio fed = prefill.peak().ability(whole);
        Ratio completed = decode.peak().ability(whole);
        return SHARES.stream().map(share -> {
            Ratio planned = whole.with(whole.amount() * share).planned();
            long feeding = planned.dividedBy(fed).ceiling();
            long completing = planned.dividedBy(completed).ceiling();
            return pair(plan, feeding, completing, Ratio.least(fed.times(feeding), completed.times(completing)));
        });
    }

    private static ServingUnit pair(CapacityPlan plan, long feeding, long completing, Ratio ability) {
        Peak prefill = plan.groups().getFirst().peak();
        Peak decode = plan.groups().getLast().peak();
        Handover handover = plan.handover();
        Double ttft = prefill.row().figures().ttftMillis();
        return new ServingUnit(
                plan.deviceName(),
                Kind.DISAGGREGATED,
                List.of(part(prefill, feeding), part(decode, completing)),
                ability.floored(),
                ttft == null || handover == null ? ttft : Double.valueOf(ttft + handover.millis()),
                decode.row().figures().tpotMillis());
    }

    private static Optional<ServingUnit> together(CalibratedCapacityPlan plan, boolean unfavourable) {
        CalibratedInstance instance = plan.instance();
        Optional<Ratio> ability = unfavourable
                ? instance.unfavourable(plan.requirement())
                : Optional.of(instance.ability(plan.requirement()));
        return ability.map(known -> new ServingUnit(
                plan.deviceName(),
                Kind.AGGREGATED,
                List.of(new Part(Phase.AGGREGATION, label(instance.priced().deployment()), instance.size(), 1)),
                known.floored(),
                plan.peak().ttftMillis(plan.problem().demand().limits().basis()),
                plan.peak().tpotMillis()));
    }

    private static String label(CalibratedDeployment deployment) {
        return deployment.form().label();
    }

    private static Stream<ServingUnit> pairs(CalibratedPairPlan plan) {
        CalibratedPair pair = plan.pair();
        Requirement whole = plan.requirement();
        int most = CalibratedPair.mostDevices(plan.problem());
        List<ServingUnit> units = new ArrayList<>();
        units.add(unit(plan, plan.counts(), plan.peak()));
        for (double share : SHARES.subList(1, SHARES.size())) {
            double amount = whole.isConcurrency() ? Math.ceil(whole.amount() * share) : whole.amount() * share;
            new FewestDevicePairs(pair, whole.with(amount), Ends.NONE, most, false)
                    .counts().stream()
                            .findFirst()
                            .flatMap(counts -> pair.most(counts, whole, Ends.NONE)
                                    .map(found -> unit(plan, counts, found.figures())))
                            .ifPresent(units::add);
        }
        return units.stream();
    }

    private static ServingUnit unit(CalibratedPairPlan plan, InstanceCounts counts, SteadyFigures peak) {
        return new ServingUnit(
                plan.deviceName(),
                Kind.DISAGGREGATED,
                List.of(
                        part(Phase.PREFILL, plan.pair().prefill(), counts.prefill()),
                        part(Phase.DECODE, plan.pair().decode(), counts.decode())),
                CalibratedPair.ability(plan.requirement(), peak).floored(),
                peak.ttftMillis(plan.problem().demand().limits().basis()),
                peak.tpotMillis());
    }

    private static Part part(Phase phase, PricedInstance instance, int count) {
        return new Part(phase, label(instance.deployment()), instance.layout().deviceCount(), count);
    }

    /// Returns the demand with headroom for an amount, in the unit of capacities, rounded up to 15 digits.
    ///
    /// @param amount amount in the unit of the requirement; 0 or above
    public static double planned(Requirement requirement, double amount) {
        if (amount == 0) {
            return 0;
        }
        Ratio planned = requirement.with(amount).planned();
        double below = planned.floored();
        return Ratio.of(below).compareTo(planned) >= 0 ? below : below * (1 + 1e-14);
    }

    /// A group of instances on one kind of device that is deployed as a whole: an aggregated instance, or prefill
    /// instances with their decode instances. Capacities of several units add up.
    ///
    /// @param device name of the kind of device
    /// @param ability capacity within the limits in the unit of a requirement, requests per second or concurrency;
    ///     rounded down to 15 digits
    /// @param ttftMillis TTFT at capacity, KV transfer included; null if unknown
    /// @param tpotMillis TPOT at capacity; null if unknown
    public record ServingUnit(
            String device,
            Kind kind,
            List<Part> parts,
            double ability,
            @Nullable Double ttftMillis,
            @Nullable Double tpotMillis) {

        /// Identical instances of a unit.
        ///
        /// @param layout label of the layout
        /// @param size devices per instance
        /// @param count number of instances in the unit
        public record Part(Phase phase, String layout, int size, int count) {}

        public ServingUnit {
            parts = List.copyOf(parts);
            if (!(ability > 0 && Double.isFinite(ability)) || parts.isEmpty()) {
                throw new IllegalArgumentException("a unit of " + parts + " that serves " + ability);
            }
        }

        /// Returns the devices of all instances.
        public int devices() {
            return parts.stream().mapToInt(part -> part.size * part.count).sum();
        }

        /// Returns the number of replicas it counts for: its aggregated instances, or the instances of the less
        /// numerous phase.
        public int replicas() {
            return parts.stream().mapToInt(Part::count).min().orElseThrow();
        }
    }
}
