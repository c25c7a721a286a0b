package io.throughputoptimizer.core.capacity;

import io.throughputoptimizer.core.capacity.CapacityResult.LeftOut;
import io.throughputoptimizer.core.capacity.CapacityResult.Pairs;
import io.throughputoptimizer.core.deployment.Obstacle;
import io.throughputoptimizer.core.measured.MeasuredDevice;
import io.throughputoptimizer.core.measured.MeasuredProblem;
import io.throughputoptimizer.core.measured.PricedReplicas;
import io.throughputoptimizer.core.search.Allowance;
import io.throughputoptimizer.core.search.OptimizationResult.Statistics;
import io.throughputoptimizer.core.search.SearchMonitor;
import io.throughputoptimizer.core.search.Workers;
import io.throughputoptimizer.core.silicon.SiliconDeployment;
import io.throughputoptimizer.core.workload.Phase;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Finds the fewest devices that serve a demand, and their instances, by the steady-state law of the calibrated
/// model. The result does not depend on the number of threads.
///
/// An instance is one replica. `R` is its peak within the limits, as in a search of mode `aggregation`; its
/// load is the smallest concurrency that serves its share. Prefill and decode instances are evaluated together,
/// in all counts that can use the fewest devices.
public final class MeasuredCapacityOptimizer {
    private final MeasuredCapacityProblem problem;
    private final SearchMonitor monitor;
    private final Workers workers;
    private final Overseer overseer;
    private final Comparator<DemandPlan> order;
    /// Instances by name of the kind of device.
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

    /// Optimizes on the calling thread.
    ///
    /// @param allowance memory budget
    /// @throws io.throughputoptimizer.core.search.SearchMemoryException if the budget is exceeded
    /// @throws CancellationException if the monitor canceled the work
    public static CapacityResult optimize(MeasuredCapacityProblem problem, SearchMonitor monitor, Allowance allowance) {
        return optimize(problem, monitor, allowance, Workers.ALONE);
    }

    /// Optimizes with workers in parallel: layouts of an instance, and for pairs kinds of device, sizes and
    /// demands of a curve.
    ///
    /// @param allowance memory budget
    /// @throws io.throughputoptimizer.core.search.SearchMemoryException if the budget is exceeded
    /// @throws CancellationException if the monitor canceled the work
    public static CapacityResult optimize(
            MeasuredCapacityProblem problem, SearchMonitor monitor, Allowance allowance, Workers workers) {
        return new MeasuredCapacityOptimizer(problem, monitor, allowance, workers).run(true);
    }

    /// Optimizes without demand curves.
    ///
    /// @param allowance memory budget
    /// @throws io.throughputoptimizer.core.search.SearchMemoryException if the budget is exceeded
    /// @throws CancellationException if the monitor canceled the work
    public static CapacityResult withoutCurves(
            MeasuredCapacityProblem problem, SearchMonitor monitor, Allowance allowance, Workers workers) {
        return new MeasuredCapacityOptimizer(problem, monitor, allowance, workers).run(false);
    }

    private CapacityResult run(boolean drawn) {
        monitor.candidatesTotal(Math.toIntExact(problem.candidates()));
        problem.measured().devices().forEach(device -> problem.sizes(device).forEach(size -> search(device, size)));
        List<CountedPlans> together =
                problem.measured().devices().stream().map(this::together).toList();
        List<MeasuredPairSearch> pairs = pairs();
        List<List<DevicePlans>> devices = IntStream.range(0, together.size())
                .mapToObj(index -> Stream.concat(
                                Stream.of(together.get(index)),
                                pairs.stream().skip(index).limit(1))
                        .toList())
                .toList();
        DevicePlans.Compared found = DevicePlans.compared(devices, order, drawn);
        pairs.forEach(search -> rejections.addAll(search.rejections()));
        return new CapacityResult(
                found,
                together.stream().flatMap(MeasuredCapacityOptimizer::ofSizes).toList(),
                rejections,
                leftOut(pairs),
                new Statistics(
                        Math.toIntExact(problem.candidates()),
                        points
                                + pairs.stream()
                                        .mapToLong(MeasuredPairSearch::points)
                                        .sum(),
                        0));
    }

    /// Returns one plan per size, a reliable one if there is any.
    private static Stream<MeasuredCapacityPlan> ofSizes(CountedPlans plans) {
        return plans.all().stream()
                .map(MeasuredCapacityPlan.class::cast)
                .collect(Collectors.toMap(
                        plan -> plan.instance().size(),
                        plan -> plan,
                        (one, other) -> one.isReliable() ? one : other,
                        LinkedHashMap::new))
                .values()
                .stream();
    }

    private CountedPlans together(MeasuredDevice device) {
        EqualInstances<MeasuredInstance> equal =
                new EqualInstances<>(on(device), MeasuredCapacityPlan::of, order, overseer::checkpoint);
        return new CountedPlans(device.name(), problem.available(device), problem.requirement(), List.of(equal), order);
    }

    /// Returns the pair searches of each kind of device; empty if pairs are not compared.
    private List<MeasuredPairSearch> pairs() {
        return !problem.comparesPairs()
                ? List.of()
                : workers.run(problem.measured().devices().stream()
                        .<Supplier<MeasuredPairSearch>>map(device -> () -> {
                            MeasuredPairSearch search =
                                    new MeasuredPairSearch(problem, device, overseer, workers, rationOfEach());
                            search.run();
                            return search;
                        })
                        .toList());
    }

    private long rationOfEach() {
        return Ration.ALL / problem.measured().devices().size();
    }

    private List<LeftOut> leftOut(List<MeasuredPairSearch> pairs) {
        long skipped = pairs.stream().mapToLong(MeasuredPairSearch::skipped).sum();
        return skipped == 0 && pairs.stream().anyMatch(MeasuredPairSearch::serves)
                ? List.of()
                : List.of(new Pairs(skipped, !problem.comparesPairs()));
    }

    private void search(MeasuredDevice device, int size) {
        MeasuredProblem one = problem.measured().about(device).with(size);
        List<MeasuredInstance> broken = new ArrayList<>();
        String obstacle =
                problem.connects(device, size) ? MeasuredCapacityProblem.NO_LAYOUT : problem.tooLarge(device, size);
        boolean serves = false;
        List<SiliconDeployment> attempts = problem.attempts(device, size);
        List<Supplier<Optional<MeasuredInstance>>> tasks = attempts.stream()
                .<Supplier<Optional<MeasuredInstance>>>map(deployment -> () -> tried(one, deployment))
                .toList();
        List<Optional<MeasuredInstance>> tried = workers.run(tasks);
        for (int i = 0; i < attempts.size(); i++) {
            Optional<MeasuredInstance> instance = tried.get(i);
            if (instance.isPresent()) {
                points += instance.get().points();
                (instance.get().serves() ? on(device) : broken).add(instance.get());
                serves |= instance.get().serves();
            } else {
                obstacle =
                        attempts.get(i).servingObstacle().map(Obstacle::reason).orElse(obstacle);
            }
        }
        if (!serves) {
            rejections.add(rejection(device, size, broken, obstacle));
        }
    }

    /// @return the instance, or empty if it cannot run or has no price
    private Optional<MeasuredInstance> tried(MeasuredProblem one, SiliconDeployment deployment) {
        monitor.failWhenCancelled();
        Optional<MeasuredInstance> instance = PricedReplicas.of(one, deployment)
                .map(priced -> MeasuredInstance.tried(
                        one, priced, problem.requirement().unit(), overseer));
        overseer.keep(instance.filter(MeasuredInstance::serves).isPresent() ? Overseer.INSTANCE_BYTES : 0);
        monitor.candidateDone();
        return instance;
    }

    /// Returns a rejection with the reason of the layout nearest to its violated limit.
    private static InstanceRejection rejection(
            MeasuredDevice device, int size, List<MeasuredInstance> broken, String obstacle) {
        return NearMiss.nearest(broken.stream()
                        .map(instance -> new NearMiss(instance.priced().instance(), instance.breaches())))
                .map(nearest -> nearest.rejects(device, Phase.AGGREGATION, size))
                .orElseGet(() -> InstanceRejection.impossible(device.name(), Phase.AGGREGATION, size, obstacle));
    }

    private List<MeasuredInstance> on(MeasuredDevice device) {
        return instances.computeIfAbsent(device.name(), _ -> new ArrayList<>());
    }
}
