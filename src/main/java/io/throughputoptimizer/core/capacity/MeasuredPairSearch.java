package io.throughputoptimizer.core.capacity;

import io.throughputoptimizer.core.capacity.CapacityProblem.Kind;
import io.throughputoptimizer.core.capacity.CapacityResult.CurvePoint;
import io.throughputoptimizer.core.capacity.MeasuredPair.Ends;
import io.throughputoptimizer.core.deployment.Obstacle;
import io.throughputoptimizer.core.measured.MeasuredDevice;
import io.throughputoptimizer.core.measured.MeasuredProblem;
import io.throughputoptimizer.core.measured.PricedInstance;
import io.throughputoptimizer.core.search.InstanceCounts;
import io.throughputoptimizer.core.steady.Breach;
import io.throughputoptimizer.core.workload.Phase;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Prefill instances that feed decode instances on one kind of device: of each pair of sizes the layouts and numbers
/// that take fewest devices. Used once, by one thread.
final class MeasuredPairSearch implements DevicePlans {
    /// Concurrencies of all kinds of device after which no further pair of layouts is begun: very many layouts would
    /// keep a search busy for long.
    static final long RATION = 1_500_000;

    private static final int CURVE_POINTS = 24;
    private static final double CURVE_RANGE = 4;

    private final MeasuredCapacityProblem problem;
    private final MeasuredDevice device;
    private final MeasuredProblem measured;
    private final Overseer overseer;
    private final Comparator<DemandPlan> order;
    private final List<MeasuredPair> serving = new ArrayList<>();
    private final List<MeasuredPair> broken = new ArrayList<>();
    private final List<MeasuredPairPlan> plans = new ArrayList<>();
    private final List<InstanceRejection> rejections = new ArrayList<>();
    private long points;
    private long skipped;

    MeasuredPairSearch(MeasuredCapacityProblem problem, MeasuredDevice device, Overseer overseer) {
        this.problem = problem;
        this.device = device;
        this.measured = problem.apart(device);
        this.order = DemandPlan.betterFirst(problem.measured().ranking());
        this.overseer = overseer;
    }

    /// Looks at all pairs of sizes.
    void run() {
        Map<Integer, List<PricedInstance>> decoding = new LinkedHashMap<>();
        Map<Integer, List<PricedInstance>> feeding = new LinkedHashMap<>();
        problem.sizes(device).stream()
                .filter(size -> problem.connects(device, size) && size < MeasuredPair.mostDevices(measured))
                .forEach(size -> {
                    List<PricedInstance> plain = priced(size, Phase.PREFILL);
                    decoding.put(size, measured.sizes().speculations().isEmpty() ? plain : priced(size, Phase.DECODE));
                    feeding.put(size, fastest(plain));
                });
        feeding.values().forEach(prefill -> decoding.values().forEach(decode -> search(prefill, decode)));
        problem.sizes(device).forEach(size -> {
            reject(Phase.PREFILL, size, feeding.getOrDefault(size, List.of()));
            reject(Phase.DECODE, size, decoding.getOrDefault(size, List.of()));
        });
        plans.replaceAll(plan -> plan.withUnfavourable(
                new FewestPairs(plan.pair(), plan.requirement(), Ends.UNFAVOURABLE, MeasuredPair.mostDevices(measured))
                        .devices()));
    }

    /// Of each pair of sizes the best.
    @Override
    public List<DemandPlan> plans() {
        return List.copyOf(plans);
    }

    private List<PricedInstance> priced(int size, Phase phase) {
        List<PricedInstance> all = PricedInstance.all(measured, size, phase, overseer::checkpoint);
        overseer.keep(all.size() * Overseer.INSTANCE_BYTES);
        return all;
    }

    /// The law knows no more of instances that prefill than how many ranks they have and how long a prompt takes: of
    /// layouts of as many ranks the fastest serves all that the others do.
    private List<PricedInstance> fastest(List<PricedInstance> instances) {
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
        return lack(instance).isEmpty();
    }

    private Optional<Breach> lack(PricedInstance instance) {
        return instance.lackOfRoomForAPrompt(measured.demand().traffic().mean());
    }

    private void search(List<PricedInstance> prefill, List<PricedInstance> decode) {
        List<MeasuredPair> pairs = prefill.stream()
                .flatMap(one -> decode.stream()
                        .map(other -> new MeasuredPair(measured, one, other, this::step, overseer::keep)))
                .filter(this::begins)
                .toList();
        fewest(pairs, problem.requirement(), available()).ifPresent(plans::add);
    }

    private boolean begins(MeasuredPair pair) {
        overseer.checkpoint();
        if (isExhausted()) {
            skipped++;
            return false;
        }
        boolean serves = pair.mostOfDecode(1, problem.requirement(), Ends.NONE).isPresent();
        (serves ? serving : broken).add(pair);
        return serves;
    }

    private long available() {
        return Math.min(problem.available(device), MeasuredPair.mostDevices(measured));
    }

    private void step() {
        overseer.step();
        points++;
    }

    private boolean isExhausted() {
        return points >= RATION / problem.measured().devices().size();
    }

    /// The best of all on so many devices at most.
    private Optional<MeasuredPairPlan> fewest(List<MeasuredPair> pairs, Requirement requirement, long most) {
        long bound = most;
        List<MeasuredPairPlan> best = new ArrayList<>();
        for (MeasuredPair pair : pairs) {
            overseer.checkpoint();
            if (isExhausted()) {
                skipped++;
                continue;
            }
            List<InstanceCounts> counts = new FewestPairs(pair, requirement, Ends.NONE, bound).counts();
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
        return fewest(serving, problem.requirement(), MeasuredPair.mostDevices(measured)).stream()
                .map(DemandPlan.class::cast);
    }

    /// The largest demand that the devices available serve with headroom.
    @Override
    public Stream<DemandPlan> reaches() {
        Optional<Reached> most = serving.stream()
                .filter(_ -> !isExhausted())
                .flatMap(pair -> reach(pair).stream())
                .max(Comparator.comparing(Reached::ability));
        // What was not looked at may reach further.
        return isExhausted()
                ? Stream.empty()
                : most.stream()
                        .flatMap(one -> problem.requirement().reaching(one.ability).stream()
                                .map(demand -> one.pair.plan(one.counts, demand)));
    }

    private Optional<Reached> reach(MeasuredPair pair) {
        overseer.checkpoint();
        return FewestPairs.reach(pair, problem.requirement(), available())
                .map(counts -> new Reached(
                        pair,
                        counts,
                        pair.most(counts, problem.requirement(), Ends.NONE)
                                .orElseThrow()
                                .ability()));
    }

    private record Reached(MeasuredPair pair, InstanceCounts counts, Ratio ability) {}

    @Override
    public Stream<CurvePoint> curve() {
        Requirement asked = problem.requirement();
        return asked.parts(asked.amount() * CURVE_RANGE, CURVE_POINTS)
                .flatMap(demand -> devices(demand).stream()
                        .map(devices -> new CurvePoint(device.name(), Kind.DISAGGREGATED, demand.amount(), devices)));
    }

    private Optional<Long> devices(Requirement demand) {
        Optional<Long> fewest = Optional.empty();
        for (MeasuredPair pair : serving) {
            overseer.checkpoint();
            if (isExhausted()) {
                return Optional.empty();
            }
            long bound = fewest.map(known -> known - 1).orElse(available());
            Optional<Long> fewer = new FewestPairs(pair, demand, Ends.NONE, bound).devices();
            fewest = fewer.isPresent() ? fewer : fewest;
        }
        return fewest;
    }

    /// Of the pairs of a size none of which keeps the limits, the one whose figure is nearest to its limit says why.
    private void reject(Phase phase, int size, List<PricedInstance> instances) {
        overseer.checkpoint();
        if (skipped > 0 || serving.stream().anyMatch(pair -> size(pair, phase) == size)) {
            return;
        }
        Optional<NearMiss> nearest = NearMiss.nearest(broken.stream()
                .filter(pair -> size(pair, phase) == size)
                .map(pair -> new NearMiss(
                        (phase == Phase.PREFILL ? pair.prefill() : pair.decode()).deployment(), pair.breaches())));
        rejections.add(nearest.map(one -> one.rejects(device, phase, size))
                .orElseGet(() -> instances.isEmpty() ? impossible(phase, size) : lonely(phase, size)));
    }

    private static int size(MeasuredPair pair, Phase phase) {
        return phase == Phase.PREFILL ? pair.prefillSize() : pair.decodeSize();
    }

    private InstanceRejection lonely(Phase phase, int size) {
        return impossible(
                phase,
                size,
                phase == Phase.PREFILL
                        ? "there is no decode instance that it could feed"
                        : "there is no prefill instance that could feed it");
    }

    private InstanceRejection impossible(Phase phase, int size, String reason) {
        return InstanceRejection.impossible(device.name(), phase, size, reason);
    }

    private InstanceRejection impossible(Phase phase, int size) {
        if (!problem.connects(device, size)) {
            return impossible(phase, size, problem.tooLarge(device, size));
        }
        int most = MeasuredPair.mostDevices(measured);
        if (size >= most) {
            return impossible(phase, size, "pairs of up to " + most + " devices are tried");
        }
        return PricedInstance.all(measured, size, phase, overseer::checkpoint).stream()
                .flatMap(instance ->
                        lack(instance).stream().map(lack -> new NearMiss(instance.deployment(), List.of(lack))))
                .findFirst()
                .map(first -> first.rejects(device, phase, size))
                .orElseGet(() -> impossible(phase, size, obstacle(size)));
    }

    private String obstacle(int size) {
        return measured.instanceLayouts(size).stream()
                .flatMap(layout -> {
                    overseer.checkpoint();
                    return device.deploymentApart(measured.model(), layout).obstacle().stream();
                })
                .map(Obstacle::reason)
                .findFirst()
                .orElse(MeasuredCapacityProblem.NO_LAYOUT);
    }

    List<InstanceRejection> rejections() {
        return rejections;
    }

    /// Pairs of layouts that were not tried.
    long skipped() {
        return skipped;
    }

    boolean serves() {
        return !serving.isEmpty();
    }

    long points() {
        return points;
    }
}
