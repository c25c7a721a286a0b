package io.throughputoptimizer.core.capacity;

import io.throughputoptimizer.core.capacity.CapacityProblem.Kind;
import io.throughputoptimizer.core.capacity.CapacityResult.CurvePoint;
import io.throughputoptimizer.core.hardware.DeviceProfile;
import io.throughputoptimizer.core.workload.Phase;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Deployments on one kind of device.
final class DevicePlans {
    private static final int CURVE_POINTS = 48;
    /// How far a curve goes beyond the demand, where the devices available reach as far.
    private static final double CURVE_RANGE = 4;

    private final CapacityProblem problem;
    private final int available;
    private final LoadedRows loads;
    private final Map<Phase, List<Peak>> byPhase;
    private final List<CapacityPlan> all;
    private final Comparator<DemandPlan> order;

    /// @param available devices of the kind
    DevicePlans(CapacityProblem problem, int available, List<Peak> peaks, LoadedRows loads) {
        this.problem = problem;
        this.available = available;
        this.loads = loads;
        this.byPhase = peaks.stream().collect(Collectors.groupingBy(Peak::phase));
        this.order = DemandPlan.betterFirst(problem.demand().ranking());
        this.all = Stream.of(Kind.values())
                .flatMap(kind -> plans(kind, problem.requirement()))
                .toList();
    }

    private List<Peak> peaks(Phase phase) {
        return byPhase.getOrDefault(phase, List.of());
    }

    private Map<Integer, List<Peak>> bySize(Phase phase) {
        return peaks(phase).stream().collect(Collectors.groupingBy(Peak::size, TreeMap::new, Collectors.toList()));
    }

    /// The best of each size, or of each pair of sizes.
    private Stream<CapacityPlan> plans(Kind kind, Requirement requirement) {
        Planner planner = planner(requirement);
        return switch (kind) {
            case AGGREGATED ->
                bySize(Phase.AGGREGATION).values().stream().flatMap(peaks -> planner.together(peaks).stream());
            case DISAGGREGATED -> {
                Map<Integer, List<Peak>> decode = bySize(Phase.DECODE);
                yield bySize(Phase.PREFILL).values().stream()
                        .flatMap(one -> decode.values().stream().flatMap(other -> planner.apart(one, other).stream()));
            }
        };
    }

    private Planner planner(Requirement requirement) {
        return new Planner(requirement, problem.demand().ranking(), loads);
    }

    /// Those within the devices available.
    List<CapacityPlan> plans() {
        return all.stream().filter(plan -> plan.deviceCount() <= available).toList();
    }

    /// The best of each kind.
    List<CapacityPlan> beyond() {
        return Stream.of(Kind.values())
                .flatMap(kind -> all.stream().filter(plan -> plan.kind() == kind).min(order).stream())
                .toList();
    }

    /// What the devices available serve at most, by kind of deployment.
    Stream<CapacityPlan> reaches() {
        return Stream.of(Kind.values())
                .flatMap(kind -> reach(kind).flatMap(most -> plans(kind, most).min(order)).stream());
    }

    private Optional<Requirement> reach(Kind kind) {
        Reach reach = new Reach(problem.requirement(), available);
        return switch (kind) {
            case AGGREGATED -> reach.together(peaks(Phase.AGGREGATION));
            case DISAGGREGATED -> reach.apart(peaks(Phase.PREFILL), peaks(Phase.DECODE), loads);
        };
    }

    /// Fewest devices for demands up to some times that which is asked for, as far as the devices available reach.
    Stream<CurvePoint> curve() {
        Requirement asked = problem.requirement();
        OptionalDouble most = Stream.of(Kind.values())
                .flatMap(kind -> reach(kind).stream())
                .mapToDouble(Requirement::amount)
                .max();
        double last = Math.min(most.orElse(0), CURVE_RANGE * asked.amount());
        return asked.parts(last, CURVE_POINTS)
                .flatMap(demand -> Stream.of(Kind.values()).flatMap(kind -> point(kind, demand).stream()));
    }

    private Optional<CurvePoint> point(Kind kind, Requirement demand) {
        OptionalLong devices = devices(kind, demand);
        return devices.isPresent() && devices.getAsLong() <= available
                ? Optional.of(new CurvePoint(device().name(), kind, demand.amount(), devices.getAsLong()))
                : Optional.empty();
    }

    private DeviceProfile device() {
        return byPhase.values().iterator().next().getFirst().device();
    }

    private OptionalLong devices(Kind kind, Requirement requirement) {
        Planner planner = planner(requirement);
        return switch (kind) {
            case AGGREGATED -> planner.devicesTogether(peaks(Phase.AGGREGATION));
            case DISAGGREGATED -> planner.devicesApart(peaks(Phase.PREFILL), peaks(Phase.DECODE));
        };
    }
}
