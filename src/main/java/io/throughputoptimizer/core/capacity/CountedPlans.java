package io.throughputoptimizer.core.capacity;

import io.throughputoptimizer.core.capacity.CapacityResult.CurvePoint;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/// Deployments whose instances are counted independently.
final class CountedPlans implements DevicePlans {
    private static final int CURVE_POINTS = 48;
    /// Length of a curve as a multiple of the demand, if the devices available suffice.
    private static final double CURVE_RANGE = 4;

    private final String device;
    private final int available;
    private final Requirement asked;
    private final List<PlanLaw> laws;
    private final Comparator<DemandPlan> order;
    private final List<DemandPlan> all;

    /// @param device name of the kind of device
    /// @param available devices of the kind
    /// @param order comparator with the best plan first
    CountedPlans(String device, int available, Requirement asked, List<PlanLaw> laws, Comparator<DemandPlan> order) {
        this.device = device;
        this.available = available;
        this.asked = asked;
        this.laws = laws;
        this.order = order;
        this.all = laws.stream().flatMap(law -> law.best(asked)).toList();
    }

    /// Returns the best plan of each size and pair of sizes, regardless of the devices available.
    List<DemandPlan> all() {
        return all;
    }

    @Override
    public List<DemandPlan> plans() {
        return all.stream().filter(plan -> plan.deviceCount() <= available).toList();
    }

    @Override
    public Stream<DemandPlan> beyond() {
        return laws.stream().flatMap(law -> all.stream().filter(plan -> plan.kind() == law.kind()).min(order).stream());
    }

    @Override
    public Stream<DemandPlan> reaches() {
        return laws.stream()
                .flatMap(law -> law
                        .reach(asked, available)
                        .flatMap(most -> law.best(most).min(order))
                        .stream());
    }

    /// Returns the curve up to the capacity of the devices available.
    @Override
    public Stream<CurvePoint> curve() {
        double most = laws.stream()
                .flatMap(law -> law.reach(asked, available).stream())
                .mapToDouble(Requirement::amount)
                .max()
                .orElse(0);
        return asked.parts(Math.min(most, CURVE_RANGE * asked.amount()), CURVE_POINTS)
                .flatMap(demand -> laws.stream().flatMap(law -> point(law, demand)));
    }

    private Stream<CurvePoint> point(PlanLaw law, Requirement demand) {
        return law.devices(demand).stream()
                .filter(devices -> devices <= available)
                .mapToObj(devices -> new CurvePoint(device, law.kind(), demand.amount(), devices));
    }
}
