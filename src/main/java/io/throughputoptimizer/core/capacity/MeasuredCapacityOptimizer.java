package io.throughputoptimizer.core.capacity;

import io.throughputoptimizer.core.capacity.CapacityProblem.Kind;
import io.throughputoptimizer.core.capacity.CapacityResult.CurvePoint;
import io.throughputoptimizer.core.deployment.Obstacle;
import io.throughputoptimizer.core.measured.MeasuredDevice;
import io.throughputoptimizer.core.measured.MeasuredProblem;
import io.throughputoptimizer.core.measured.PricedReplicas;
import io.throughputoptimizer.core.search.Allowance;
import io.throughputoptimizer.core.search.SearchMonitor;
import io.throughputoptimizer.core.search.Workers;
import io.throughputoptimizer.core.silicon.SiliconDeployment;
import io.throughputoptimizer.core.workload.Phase;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Finds out how few measured devices serve a demand, and in which instances, by the law of a lasting load; the same
/// however many threads help.
///
/// An instance is one replica. `R` is the most that it serves within the limits over all concurrencies of a rank, and
/// the load is the least concurrency at which it serves its share; both look at every concurrency. Prefill instances
/// that feed decode instances are priced together, in all numbers that may take fewest devices.
public final class MeasuredCapacityOptimizer {
    private static final int CURVE_POINTS = 48;
    private static final double CURVE_RANGE = 4;

    private final MeasuredCapacityProblem problem;
    private final SearchMonitor monitor;
    private final Workers workers;
    private final Overseer overseer;
    private final Comparator<DemandPlan> order;
    /// By name of the kind of device.
    private final Map<String, List<MeasuredInstance>> instances = new HashMap<>();

    private final List<InstanceRejection> rejections = new ArrayList<>();
    private long points;

    private MeasuredCapacityOptimizer(
            MeasuredCapacityProblem problem, SearchMonitor monitor, Allowance allowance, Workers workers) {
        this.problem = problem;
        this.monitor = monitor;
        this.workers = workers;
        this.overseer = new Overseer(monitor, allowance);
        this.order = DemandPlan.betterFirst(problem.measured().ranking());
    }

    /// On the calling thread alone.
    ///
    /// @param allowance what may be kept
    /// @throws io.throughputoptimizer.core.search.SearchMemoryException when that is not enough
    /// @throws CancellationException soon after the monitor asked for it
    public static MeasuredCapacityResult optimize(
            MeasuredCapacityProblem problem, SearchMonitor monitor, Allowance allowance) {
        return optimize(problem, monitor, allowance, Workers.ALONE);
    }

    /// Layouts of an instance, and kinds of device of pairs, side by side.
    ///
    /// @param allowance what may be kept
    /// @throws io.throughputoptimizer.core.search.SearchMemoryException when that is not enough
    /// @throws CancellationException soon after the monitor asked for it
    public static MeasuredCapacityResult optimize(
            MeasuredCapacityProblem problem, SearchMonitor monitor, Allowance allowance, Workers workers) {
        return new MeasuredCapacityOptimizer(problem, monitor, allowance, workers).run();
    }

    private MeasuredCapacityResult run() {
        monitor.candidatesTotal(Math.toIntExact(problem.candidates()));
        problem.measured().devices().forEach(device -> problem.sizes(device).forEach(size -> search(device, size)));
        List<MeasuredCapacityPlan> best = problem.measured().devices().stream()
                .flatMap(device -> best(device, problem.requirement()))
                .toList();
        List<MeasuredPairSearch> searches = new ArrayList<>();
        List<MeasuredPlan> plans =
                new ArrayList<>(best.stream().filter(this::isWithin).toList());
        List<MeasuredPlan> beyond = new ArrayList<>();
        List<MeasuredPlan> reaches = new ArrayList<>();
        List<CurvePoint> curve = new ArrayList<>();
        Map<MeasuredDevice, PairsFound> paired = pairs();
        for (MeasuredDevice device : problem.measured().devices()) {
            Optional<PairsFound> found = Optional.ofNullable(paired.get(device));
            Optional<MeasuredPairSearch> pairs = found.map(PairsFound::search);
            found.ifPresent(of -> {
                searches.add(of.search());
                plans.addAll(of.plans());
                rejections.addAll(of.search().rejections());
            });
            if (plans.stream().noneMatch(plan -> isOn(device, plan))) {
                best.stream().filter(plan -> isOn(device, plan)).min(order).ifPresent(beyond::add);
                pairs.flatMap(MeasuredPairSearch::beyond).ifPresent(beyond::add);
                reach(device).ifPresent(reaches::add);
                pairs.flatMap(MeasuredPairSearch::reach).ifPresent(reaches::add);
            }
            curve(device).forEach(curve::add);
            pairs.stream().flatMap(MeasuredPairSearch::curve).forEach(curve::add);
        }
        return new MeasuredCapacityResult(
                problem,
                plans.stream().sorted(order).toList(),
                beyond.stream().sorted(order).toList(),
                List.copyOf(reaches),
                best,
                List.copyOf(rejections),
                List.copyOf(curve),
                searches.stream().anyMatch(MeasuredPairSearch::serves),
                searches.stream().mapToLong(MeasuredPairSearch::skipped).sum(),
                points + searches.stream().mapToLong(MeasuredPairSearch::points).sum());
    }

    /// Of each kind of device, where pairs are asked about.
    private Map<MeasuredDevice, PairsFound> pairs() {
        if (!problem.comparesPairs()) {
            return Map.of();
        }
        List<Supplier<PairsFound>> tasks = problem.measured().devices().stream()
                .<Supplier<PairsFound>>map(device -> () -> {
                    MeasuredPairSearch search = new MeasuredPairSearch(problem, device, overseer);
                    return new PairsFound(device, search, search.run());
                })
                .toList();
        return workers.run(tasks).stream().collect(Collectors.toMap(PairsFound::device, Function.identity()));
    }

    private void search(MeasuredDevice device, int size) {
        MeasuredProblem one = problem.measured().about(device).with(size);
        List<MeasuredInstance> broken = new ArrayList<>();
        String obstacle =
                problem.connects(device, size) ? MeasuredCapacityProblem.NO_LAYOUT : problem.tooLarge(device, size);
        boolean serves = false;
        List<SiliconDeployment> attempts = problem.attempts(device, size);
        List<Supplier<Optional<MeasuredInstance>>> tasks = attempts.stream()
                .<Supplier<Optional<MeasuredInstance>>>map(deployment -> () -> tried(device, one, deployment))
                .toList();
        List<Optional<MeasuredInstance>> tried = workers.run(tasks);
        for (int i = 0; i < attempts.size(); i++) {
            Optional<MeasuredInstance> instance = tried.get(i);
            if (instance.isPresent()) {
                points += instance.get().points();
                (instance.get().serves() ? on(device) : broken).add(instance.get());
                serves |= instance.get().serves();
            } else {
                obstacle = attempts.get(i).obstacle().map(Obstacle::reason).orElse(obstacle);
            }
        }
        if (!serves) {
            rejections.add(rejection(device, size, broken, obstacle));
        }
    }

    private record PairsFound(MeasuredDevice device, MeasuredPairSearch search, List<MeasuredPairPlan> plans) {}

    /// @return nothing that cannot be run or priced
    private Optional<MeasuredInstance> tried(MeasuredDevice device, MeasuredProblem one, SiliconDeployment deployment) {
        monitor.failWhenCancelled();
        Optional<MeasuredInstance> instance =
                PricedReplicas.of(one, deployment).map(priced -> MeasuredInstance.tried(device, priced, overseer));
        overseer.keep(instance.filter(MeasuredInstance::serves)
                .map(MeasuredInstance::bytes)
                .orElse(0L));
        monitor.candidateDone();
        return instance;
    }

    /// Of layouts that break limits the one whose figure is nearest to its limit says why.
    private static InstanceRejection rejection(
            MeasuredDevice device, int size, List<MeasuredInstance> broken, String obstacle) {
        return NearMiss.nearest(broken.stream()
                        .map(instance -> new NearMiss(instance.priced().deployment(), instance.breaches())))
                .map(nearest -> nearest.rejects(device, Phase.AGGREGATION, size))
                .orElseGet(() -> InstanceRejection.impossible(device.name(), Phase.AGGREGATION, size, obstacle));
    }

    private boolean isWithin(MeasuredCapacityPlan plan) {
        return plan.deviceCount() <= problem.available(plan.device());
    }

    private static boolean isOn(MeasuredDevice device, MeasuredPlan plan) {
        return plan.device().name().equals(device.name());
    }

    private List<MeasuredInstance> on(MeasuredDevice device) {
        return instances.computeIfAbsent(device.name(), _ -> new ArrayList<>());
    }

    /// The best of each size.
    private Stream<MeasuredCapacityPlan> best(MeasuredDevice device, Requirement requirement) {
        return bySize(device).values().stream()
                .flatMap(of -> of.stream().map(instance -> plan(instance, requirement)).min(order).stream());
    }

    private MeasuredCapacityPlan plan(MeasuredInstance instance, Requirement requirement) {
        monitor.failWhenCancelled();
        return MeasuredCapacityPlan.of(instance, requirement);
    }

    private Map<Integer, List<MeasuredInstance>> bySize(MeasuredDevice device) {
        return on(device).stream()
                .collect(Collectors.groupingBy(MeasuredInstance::size, TreeMap::new, Collectors.toList()));
    }

    private Optional<MeasuredCapacityPlan> reach(MeasuredDevice device) {
        return mostDemand(device).flatMap(most -> best(device, most).min(order));
    }

    private Optional<Requirement> mostDemand(MeasuredDevice device) {
        Requirement asked = problem.requirement();
        long budget = problem.available(device);
        return on(device).stream()
                .filter(instance -> instance.size() <= budget)
                .map(instance -> ability(instance).times(budget / instance.size()))
                .max(Comparator.naturalOrder())
                .flatMap(asked::reaching);
    }

    private Ratio ability(MeasuredInstance instance) {
        monitor.failWhenCancelled();
        return instance.ability(problem.requirement(), instance.peak(problem.requirement()));
    }

    private Stream<CurvePoint> curve(MeasuredDevice device) {
        Requirement asked = problem.requirement();
        double last = Math.min(mostDemand(device).map(Requirement::amount).orElse(0.0), CURVE_RANGE * asked.amount());
        return asked.parts(last, CURVE_POINTS).flatMap(demand -> devices(device, demand).stream());
    }

    private Optional<CurvePoint> devices(MeasuredDevice device, Requirement requirement) {
        return on(device).stream()
                .map(instance ->
                        requirement.planned().dividedBy(ability(instance)).ceiling() * instance.size())
                .min(Comparator.naturalOrder())
                .filter(devices -> devices <= problem.available(device))
                .map(devices -> new CurvePoint(device.name(), Kind.AGGREGATED, requirement.amount(), devices));
    }
}
