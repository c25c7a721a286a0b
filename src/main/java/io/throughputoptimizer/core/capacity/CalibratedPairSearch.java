package io.throughputoptimizer.core.capacity;

import io.throughputoptimizer.core.calibrated.CalibratedDevice;
import io.throughputoptimizer.core.calibrated.CalibratedProblem;
import io.throughputoptimizer.core.calibrated.PricedInstance;
import io.throughputoptimizer.core.capacity.CalibratedCapacityOptimizer.NearMiss;
import io.throughputoptimizer.core.capacity.CalibratedPair.Ends;
import io.throughputoptimizer.core.capacity.CapacityProblem.Kind;
import io.throughputoptimizer.core.capacity.CapacityResult.CurvePoint;
import io.throughputoptimizer.core.capacity.CapacityResult.InstanceRejection;
import io.throughputoptimizer.core.capacity.PairSearchBudget.SearchGuard;
import io.throughputoptimizer.core.deployment.Obstacle;
import io.throughputoptimizer.core.search.InstanceCounts;
import io.throughputoptimizer.core.search.Workers;
import io.throughputoptimizer.core.workload.Phase;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// A search for the layouts and instance counts with the fewest devices, for each pair of sizes on one kind of
/// device. Single use, from one thread. Other threads compute figures ahead; this thread requests all of them
/// in order, so the result does not depend on the number of threads.
final class CalibratedPairSearch implements DevicePlans {
    private static final int CURVE_POINTS = 24;
    private static final double CURVE_RANGE = 4;

    private final CalibratedCapacityProblem problem;
    private final CalibratedDevice device;
    private final CalibratedProblem measured;
    private final SearchGuard overseer;
    private final Workers workers;
    private final PairSearchBudget ration;
    private final Comparator<DemandPlan> order;
    private final List<CalibratedPair> serving = new ArrayList<>();
    private final List<CalibratedPair> broken = new ArrayList<>();
    private final List<CalibratedPairPlan> plans = new ArrayList<>();
    private final List<InstanceRejection> rejections = new ArrayList<>();
    private long skipped;

    CalibratedPairSearch(
            CalibratedCapacityProblem problem,
            CalibratedDevice device,
            SearchGuard overseer,
            Workers workers,
            long ration) {
        this.problem = problem;
        this.device = device;
        this.measured = problem.apart(device);
        this.order = DemandPlan.betterFirst(problem.measured().ranking());
        this.overseer = overseer;
        this.workers = workers;
        this.ration = new PairSearchBudget(overseer, ration);
    }

    /// Searches all pairs of sizes.
    void run() {
        Map<Integer, List<PricedInstance>> decoding = new LinkedHashMap<>();
        Map<Integer, List<PricedInstance>> feeding = new LinkedHashMap<>();
        problem.sizes(device).stream()
                .filter(size -> problem.connects(device, size) && size < CalibratedPair.mostDevices(measured))
                .forEach(size -> {
                    decoding.put(size, priced(size, Phase.DECODE));
                    feeding.put(size, fastest(priced(size, Phase.PREFILL)));
                });
        List<SizePair> sizes = feeding.values().stream()
                .flatMap(prefill ->
                        decoding.values().stream().map(decode -> new SizePair(measured, prefill, decode, ration)))
                .toList();
        ahead(sizes.stream().map(pairs -> () -> pairs.lookAhead(problem.requirement(), available())));
        sizes.forEach(this::search);
        problem.sizes(device).forEach(size -> {
            reject(Phase.PREFILL, size, feeding.getOrDefault(size, List.of()));
            reject(Phase.DECODE, size, decoding.getOrDefault(size, List.of()));
        });
        ahead(plans.stream().map(plan -> () -> unfavourable(plan, true)));
        plans.replaceAll(plan -> plan.withUnfavourable(unfavourable(plan, false)));
    }

    private Optional<Long> unfavourable(CalibratedPairPlan plan, boolean isAhead) {
        return new FewestDevicePairs(
                        plan.pair(),
                        plan.requirement(),
                        Ends.UNFAVOURABLE,
                        CalibratedPair.mostDevices(measured),
                        isAhead)
                .devices();
    }

    /// Computes figures in parallel that are requested sequentially later. Does nothing without parallel
    /// workers.
    private void ahead(Stream<Runnable> tasks) {
        if (workers.parallelism() > 1) {
            workers.run(tasks.<Supplier<Boolean>>map(task -> () -> {
                        if (ration.lastsAhead()) {
                            task.run();
                        }
                        return true;
                    })
                    .toList());
        }
    }

    /// Returns the best plan of each pair of sizes.
    @Override
    public List<DemandPlan> plans() {
        return List.copyOf(plans);
    }

    private List<PricedInstance> priced(int size, Phase phase) {
        List<PricedInstance> all = PricedInstance.all(measured, size, phase, overseer::checkpoint);
        overseer.keep(all.size() * SearchGuard.INSTANCE_BYTES);
        return all;
    }

    /// Returns the fastest prefill layouts. The law uses only the rank count and prompt duration of prefill
    /// instances, so of layouts with equal rank counts the fastest suffices. For conversations their caches
    /// differ too, so all stay.
    private List<PricedInstance> fastest(List<PricedInstance> instances) {
        if (problem.isOfTurns()) {
            return instances.stream().filter(this::holdsAPrompt).toList();
        }
        Comparator<PricedInstance> byTime = Comparator.comparingDouble(
                one -> one.promptMillis(measured.demand().traffic().mean()));
        return instances.stream()
                .filter(this::holdsAPrompt)
                .collect(Collectors.groupingBy(one -> one.layout().dp(), TreeMap::new, Collectors.minBy(byTime)))
                .values()
                .stream()
                .flatMap(Optional::stream)
                .toList();
    }

    private boolean holdsAPrompt(PricedInstance instance) {
        return instance.lackOfRoomForAPrompt(measured.demand().traffic().mean()).isEmpty();
    }

    private void search(SizePair sizes) {
        List<CalibratedPair> pairs = IntStream.range(0, sizes.count())
                .filter(_ -> begins())
                .mapToObj(sizes::pair)
                .filter(this::serves)
                .toList();
        fewest(pairs, problem.requirement(), available()).ifPresent(plans::add);
    }

    private boolean begins() {
        overseer.checkpoint();
        if (ration.isExhausted()) {
            skipped++;
            return false;
        }
        return true;
    }

    private boolean serves(CalibratedPair pair) {
        boolean serves =
                pair.most(pair.fed(1), problem.requirement(), Ends.NONE).isPresent();
        (serves ? serving : broken).add(pair);
        return serves;
    }

    private long available() {
        return Math.min(problem.available(device), CalibratedPair.mostDevices(measured));
    }

    /// Returns the best plan within a number of devices, a reliable one if there is any.
    private Optional<CalibratedPairPlan> fewest(List<CalibratedPair> pairs, Requirement requirement, long most) {
        long bound = most;
        List<CalibratedPairPlan> best = new ArrayList<>();
        List<CalibratedPair> reliable =
                pairs.stream().filter(pair -> pair.isReliable(requirement)).toList();
        for (CalibratedPair pair : reliable.isEmpty() ? pairs : reliable) {
            if (!begins()) {
                continue;
            }
            List<InstanceCounts> counts = new FewestDevicePairs(pair, requirement, Ends.NONE, bound, false).counts();
            if (!counts.isEmpty() && pair.devices(counts.getFirst()) < bound) {
                best.clear();
                bound = pair.devices(counts.getFirst());
            }
            counts.forEach(one -> best.add(pair.plan(one, requirement)));
        }
        return best.stream().min(order);
    }

    @Override
    public Stream<DemandPlan> beyond() {
        return fewest(serving, problem.requirement(), CalibratedPair.mostDevices(measured)).stream()
                .map(DemandPlan.class::cast);
    }

    /// Returns the plan of the largest demand that the devices available serve with headroom.
    @Override
    public Stream<DemandPlan> reaches() {
        Optional<Reached> most = serving.stream()
                .filter(_ -> !ration.isExhausted())
                .flatMap(pair -> reach(pair).stream())
                .max(Comparator.comparing(Reached::ability));
        // Untried pairs could serve more.
        return ration.isExhausted()
                ? Stream.empty()
                : most.stream()
                        .flatMap(one -> problem.requirement().reaching(one.ability).stream()
                                .map(demand -> one.pair.plan(one.counts, demand)));
    }

    private Optional<Reached> reach(CalibratedPair pair) {
        overseer.checkpoint();
        return FewestDevicePairs.reach(pair, problem.requirement(), available())
                .map(counts -> new Reached(
                        pair,
                        counts,
                        pair.most(counts, problem.requirement(), Ends.NONE)
                                .orElseThrow()
                                .ability()));
    }

    private record Reached(CalibratedPair pair, InstanceCounts counts, Ratio ability) {}

    @Override
    public Stream<CurvePoint> curve() {
        Requirement asked = problem.requirement();
        List<Requirement> demands =
                asked.parts(asked.amount() * CURVE_RANGE, CURVE_POINTS).toList();
        ahead(demands.stream().map(demand -> () -> devices(demand, true)));
        return demands.stream()
                .flatMap(demand -> devices(demand, false).stream()
                        .map(devices -> new CurvePoint(device.name(), Kind.DISAGGREGATED, demand.amount(), devices)));
    }

    private Optional<Long> devices(Requirement demand, boolean isAhead) {
        Optional<Long> fewest = Optional.empty();
        for (CalibratedPair pair : serving) {
            overseer.checkpoint();
            if (isAhead ? !ration.lastsAhead() : ration.isExhausted()) {
                return Optional.empty();
            }
            long bound = fewest.map(known -> known - 1).orElse(available());
            Optional<Long> fewer = new FewestDevicePairs(pair, demand, Ends.NONE, bound, isAhead).devices();
            fewest = fewer.isPresent() ? fewer : fewest;
        }
        return fewest;
    }

    private void reject(Phase phase, int size, List<PricedInstance> instances) {
        overseer.checkpoint();
        if (skipped == 0 && of(serving, phase, size).isEmpty()) {
            rejections.add(new PairRejections(problem, device, measured, overseer)
                    .of(phase, size, of(broken, phase, size), instances));
        }
    }

    private static List<CalibratedPair> of(List<CalibratedPair> pairs, Phase phase, int size) {
        return pairs.stream()
                .filter(pair -> size == (phase == Phase.PREFILL ? pair.prefillSize() : pair.decodeSize()))
                .toList();
    }

    List<InstanceRejection> rejections() {
        return rejections;
    }

    /// Returns the number of pairs of layouts not tried.
    long skipped() {
        return skipped;
    }

    boolean serves() {
        return !serving.isEmpty();
    }

    long points() {
        return ration.counted();
    }

    /// All pairs of layouts of prefill instances of one size and decode instances of one size, created lazily in
    /// order. Not thread-safe.
    static final class SizePair {
        private final CalibratedProblem problem;
        private final List<PricedInstance> prefill;
        private final List<PricedInstance> decode;
        private final PairSearchBudget ration;
        private final List<CalibratedPair> begun = new ArrayList<>();

        /// @param problem problem of this kind of device only
        SizePair(
                CalibratedProblem problem,
                List<PricedInstance> prefill,
                List<PricedInstance> decode,
                PairSearchBudget ration) {
            this.problem = problem;
            this.prefill = prefill;
            this.decode = decode;
            this.ration = ration;
        }

        /// Returns the number of pairs of layouts.
        int count() {
            return prefill.size() * decode.size();
        }

        /// @param index index of an existing pair, or of the next one
        CalibratedPair pair(int index) {
            if (index == begun.size()) {
                begun.add(new CalibratedPair(
                        problem, prefill.get(index / decode.size()), decode.get(index % decode.size()), ration));
            }
            return begun.get(index);
        }

        /// Computes figures ahead that a search for the fewest devices will request.
        ///
        /// @param most maximum number of devices
        void lookAhead(Requirement requirement, long most) {
            List<CalibratedPair> pairs = new ArrayList<>();
            for (int index = 0; index < count() && ration.lastsAhead(); index++) {
                CalibratedPair pair = pair(index);
                if (pair.mostAhead(pair.fed(1), requirement, Ends.NONE).isPresent()) {
                    pairs.add(pair);
                }
            }
            long bound = most;
            for (CalibratedPair pair : pairs) {
                if (ration.lastsAhead()) {
                    bound = new FewestDevicePairs(pair, requirement, Ends.NONE, bound, true)
                            .devices()
                            .orElse(bound);
                }
            }
        }
    }

    /// Reasons why instances of a size are in no feasible pair on a kind of device.
    ///
    /// @param measured problem of this kind of device only
    record PairRejections(
            CalibratedCapacityProblem problem,
            CalibratedDevice device,
            CalibratedProblem measured,
            SearchGuard overseer) {

        /// Returns a rejection with the reason of the pair nearest to its violated limit.
        ///
        /// @param broken infeasible pairs of that size
        /// @param instances instances of that size that could be paired
        InstanceRejection of(Phase phase, int size, List<CalibratedPair> broken, List<PricedInstance> instances) {
            Optional<NearMiss> nearest = NearMiss.nearest(broken.stream()
                    .map(pair ->
                            new NearMiss(phase == Phase.PREFILL ? pair.prefill() : pair.decode(), pair.breaches())));
            return nearest.map(one -> one.rejects(device, phase, size))
                    .orElseGet(() -> instances.isEmpty() ? impossible(phase, size) : lonely(phase, size));
        }

        private InstanceRejection lonely(Phase phase, int size) {
            return impossible(
                    phase,
                    size,
                    phase == Phase.PREFILL
                            ? "there is no decode instance that it could feed"
                            : "there is no prefill instance that could feed it");
        }

        private InstanceRejection impossible(Phase phase, int size) {
            if (!problem.connects(device, size)) {
                return impossible(phase, size, problem.tooLarge(device, size));
            }
            int most = CalibratedPair.mostDevices(measured);
            if (size >= most) {
                return impossible(phase, size, "pairs of up to " + most + " devices are tried");
            }
            return PricedInstance.all(measured, size, phase, overseer::checkpoint).stream()
                    .flatMap(instance -> instance
                            .lackOfRoomForAPrompt(measured.demand().traffic().mean())
                            .stream()
                            .map(lack -> new NearMiss(instance, List.of(lack))))
                    .findFirst()
                    .map(first -> first.rejects(device, phase, size))
                    .orElseGet(() -> impossible(phase, size, obstacle(size)));
        }

        private InstanceRejection impossible(Phase phase, int size, String reason) {
            return InstanceRejection.impossible(device.name(), phase, size, reason);
        }

        private String obstacle(int size) {
            return measured.instanceLayouts(size).stream()
                    .flatMap(layout -> {
                        overseer.checkpoint();
                        return device.deploymentApart(measured.model(), layout).servingObstacle().stream();
                    })
                    .map(Obstacle::reason)
                    .findFirst()
                    .orElse(CalibratedCapacityProblem.NO_LAYOUT);
        }
    }
}
