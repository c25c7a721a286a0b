package io.throughputoptimizer.core.capacity;

import io.throughputoptimizer.core.calibrated.CalibratedBinds;
import io.throughputoptimizer.core.calibrated.CalibratedDevice;
import io.throughputoptimizer.core.calibrated.CalibratedProblem;
import io.throughputoptimizer.core.calibrated.PricedInstance;
import io.throughputoptimizer.core.calibrated.PricedReplicas;
import io.throughputoptimizer.core.capacity.CapacityResult.InstanceRejection;
import io.throughputoptimizer.core.capacity.CapacityResult.InstanceRejection.NearestDeployment;
import io.throughputoptimizer.core.capacity.CapacityResult.LeftOut;
import io.throughputoptimizer.core.capacity.CapacityResult.Pairs;
import io.throughputoptimizer.core.capacity.PairSearchBudget.SearchGuard;
import io.throughputoptimizer.core.deployment.Obstacle;
import io.throughputoptimizer.core.kernels.CalibratedDeployment;
import io.throughputoptimizer.core.load.Breach;
import io.throughputoptimizer.core.load.TtftSimulations;
import io.throughputoptimizer.core.search.MemoryBudget;
import io.throughputoptimizer.core.search.OptimizationResult.Statistics;
import io.throughputoptimizer.core.search.SearchMonitor;
import io.throughputoptimizer.core.search.Workers;
import io.throughputoptimizer.core.serving.LimitBreach;
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
public final class CalibratedCapacityOptimizer {
    private final CalibratedCapacityProblem problem;
    private final SearchMonitor monitor;
    private final Workers workers;
    private final SearchGuard overseer;
    private final Comparator<DemandPlan> order;
    /// Instances by name of the kind of device.
    private final Map<String, List<CalibratedInstance>> instances = new HashMap<>();

    private final List<InstanceRejection> rejections = new ArrayList<>();
    private long points;

    private CalibratedCapacityOptimizer(
            CalibratedCapacityProblem problem, SearchMonitor monitor, MemoryBudget allowance, Workers workers) {
        this.problem = problem;
        this.monitor = monitor;
        this.workers = workers;
        this.overseer = new SearchGuard(monitor, allowance);
        this.order = DemandPlan.betterFirst(problem.measured().ranking());
    }

    /// Optimizes on the calling thread.
    ///
    /// @param allowance memory budget
    /// @throws io.throughputoptimizer.core.search.SearchMemoryException if the budget is exceeded
    /// @throws CancellationException if the monitor canceled the work
    public static CapacityResult optimize(
            CalibratedCapacityProblem problem, SearchMonitor monitor, MemoryBudget allowance) {
        return optimize(problem, monitor, allowance, Workers.ALONE);
    }

    /// Optimizes with workers in parallel: layouts of an instance, and for pairs kinds of device, sizes and
    /// demands of a curve.
    ///
    /// @param allowance memory budget
    /// @throws io.throughputoptimizer.core.search.SearchMemoryException if the budget is exceeded
    /// @throws CancellationException if the monitor canceled the work
    public static CapacityResult optimize(
            CalibratedCapacityProblem problem, SearchMonitor monitor, MemoryBudget allowance, Workers workers) {
        return new CalibratedCapacityOptimizer(problem, monitor, allowance, workers).run(true);
    }

    /// Optimizes without demand curves.
    ///
    /// @param allowance memory budget
    /// @throws io.throughputoptimizer.core.search.SearchMemoryException if the budget is exceeded
    /// @throws CancellationException if the monitor canceled the work
    public static CapacityResult withoutCurves(
            CalibratedCapacityProblem problem, SearchMonitor monitor, MemoryBudget allowance, Workers workers) {
        return new CalibratedCapacityOptimizer(problem, monitor, allowance, workers).run(false);
    }

    private CapacityResult run(boolean drawn) {
        monitor.candidatesTotal(Math.toIntExact(problem.candidates()));
        problem.measured().devices().forEach(device -> problem.sizes(device).forEach(size -> search(device, size)));
        List<CountedPlans> together =
                problem.measured().devices().stream().map(this::together).toList();
        List<CalibratedPairSearch> pairs = pairs();
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
                together.stream().flatMap(CalibratedCapacityOptimizer::ofSizes).toList(),
                rejections,
                leftOut(pairs),
                new Statistics(
                        Math.toIntExact(problem.candidates()),
                        points
                                + pairs.stream()
                                        .mapToLong(CalibratedPairSearch::points)
                                        .sum(),
                        0,
                        0));
    }

    /// Returns one plan per size, a reliable one if there is any.
    private static Stream<CalibratedCapacityPlan> ofSizes(CountedPlans plans) {
        return plans.all().stream()
                .map(CalibratedCapacityPlan.class::cast)
                .collect(Collectors.toMap(
                        plan -> plan.instance().size(),
                        plan -> plan,
                        (one, other) -> one.isReliable() ? one : other,
                        LinkedHashMap::new))
                .values()
                .stream();
    }

    private CountedPlans together(CalibratedDevice device) {
        EqualInstances<CalibratedInstance> equal =
                new EqualInstances<>(on(device), CalibratedCapacityPlan::of, order, overseer::checkpoint);
        return new CountedPlans(device.name(), problem.available(device), problem.requirement(), List.of(equal), order);
    }

    /// Returns the pair searches of each kind of device; empty if pairs are not compared.
    private List<CalibratedPairSearch> pairs() {
        return !problem.comparesPairs()
                ? List.of()
                : workers.run(problem.measured().devices().stream()
                        .<Supplier<CalibratedPairSearch>>map(device -> () -> {
                            CalibratedPairSearch search =
                                    new CalibratedPairSearch(problem, device, overseer, workers, rationOfEach());
                            search.run();
                            return search;
                        })
                        .toList());
    }

    private long rationOfEach() {
        return PairSearchBudget.ALL / problem.measured().devices().size();
    }

    private List<LeftOut> leftOut(List<CalibratedPairSearch> pairs) {
        long skipped = pairs.stream().mapToLong(CalibratedPairSearch::skipped).sum();
        return skipped == 0 && pairs.stream().anyMatch(CalibratedPairSearch::serves)
                ? List.of()
                : List.of(new Pairs(skipped, !problem.comparesPairs()));
    }

    private void search(CalibratedDevice device, int size) {
        CalibratedProblem one = problem.measured().about(device).with(size);
        List<CalibratedInstance> broken = new ArrayList<>();
        String obstacle =
                problem.connects(device, size) ? CalibratedCapacityProblem.NO_LAYOUT : problem.tooLarge(device, size);
        boolean serves = false;
        List<CalibratedDeployment> attempts = problem.attempts(device, size);
        List<Supplier<Optional<CalibratedInstance>>> tasks = attempts.stream()
                .<Supplier<Optional<CalibratedInstance>>>map(deployment -> () -> tried(one, deployment))
                .toList();
        List<Optional<CalibratedInstance>> tried = workers.run(tasks);
        for (int i = 0; i < attempts.size(); i++) {
            Optional<CalibratedInstance> instance = tried.get(i);
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
    private Optional<CalibratedInstance> tried(CalibratedProblem one, CalibratedDeployment deployment) {
        monitor.failWhenCancelled();
        Optional<CalibratedInstance> instance = PricedReplicas.of(
                        one, deployment, new TtftSimulations(_ -> overseer.checkpoint()))
                .map(priced -> CalibratedInstance.tried(
                        one, priced, problem.requirement().unit(), overseer));
        overseer.keep(instance.filter(CalibratedInstance::serves).isPresent() ? SearchGuard.INSTANCE_BYTES : 0);
        monitor.candidateDone();
        return instance;
    }

    /// Returns a rejection with the reason of the layout nearest to its violated limit.
    private static InstanceRejection rejection(
            CalibratedDevice device, int size, List<CalibratedInstance> broken, String obstacle) {
        return NearMiss.nearest(broken.stream()
                        .map(instance -> new NearMiss(instance.priced().instance(), instance.breaches())))
                .map(nearest -> nearest.rejects(device, Phase.AGGREGATION, size))
                .orElseGet(() -> InstanceRejection.impossible(device.name(), Phase.AGGREGATION, size, obstacle));
    }

    private List<CalibratedInstance> on(CalibratedDevice device) {
        return instances.computeIfAbsent(device.name(), _ -> new ArrayList<>());
    }

    /// A calibrated instance that violates limits.
    record NearMiss(PricedInstance instance, List<Breach> breaches) {

        /// Returns the instance nearest to its limit, or empty if none violates a limit.
        static Optional<NearMiss> nearest(Stream<NearMiss> all) {
            return all.filter(one -> !one.breaches.isEmpty()).min(Comparator.comparingDouble(NearMiss::excess));
        }

        /// Returns the figure of the first violated limit as a multiple of the limit.
        private double excess() {
            Breach breach = breaches.getFirst();
            return breach.allowed() > 0 ? breach.value() / breach.allowed() : Double.POSITIVE_INFINITY;
        }

        InstanceRejection rejects(CalibratedDevice device, Phase phase, int size) {
            Breach first = breaches.getFirst();
            return new InstanceRejection(
                    device.name(),
                    phase,
                    size,
                    new NearestDeployment(instance.deployment()),
                    CalibratedBinds.of(first),
                    instance.shortage(breaches)
                            .map(memory -> LimitBreach.shortage(
                                    memory.deviceBytes(),
                                    memory.weightBytes(),
                                    memory.engineBytes(),
                                    memory.requestBytes()))
                            .orElseGet(() -> LimitBreach.description(first, null)));
        }
    }
}
