package io.throughputoptimizer.core.capacity;

import io.throughputoptimizer.core.capacity.CapacityProblem.Kind;
import io.throughputoptimizer.core.capacity.CapacityResult.CurvePoint;
import io.throughputoptimizer.core.capacity.FleetCapacityResult.Rejection;
import io.throughputoptimizer.core.capacity.FleetPair.Ends;
import io.throughputoptimizer.core.fleet.FleetProblem;
import io.throughputoptimizer.core.fleet.FleetResult.BrokenLimits;
import io.throughputoptimizer.core.fleet.MeasuredDevice;
import io.throughputoptimizer.core.fleet.PricedInstance;
import io.throughputoptimizer.core.silicon.SiliconDeployment.Obstacle;
import io.throughputoptimizer.core.steady.DisaggregatedSearch.Counts;
import io.throughputoptimizer.core.workload.Phase;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Prefill instances that feed decode instances on one kind of device: of each pair of sizes the layouts and numbers
/// that take fewest devices. Used once, by one thread.
final class FleetPairSearch {
    /// Concurrencies of all kinds of device after which no further pair of layouts is begun: very many layouts would
    /// keep a search busy for long.
    static final long RATION = 1_500_000;

    private static final int CURVE_POINTS = 24;
    private static final double CURVE_RANGE = 4;

    private final FleetCapacityProblem problem;
    private final MeasuredDevice device;
    private final FleetProblem fleet;
    private final Overseer overseer;
    private final Comparator<DemandPlan> order;
    private final List<FleetPair> serving = new ArrayList<>();
    private final List<FleetPair> broken = new ArrayList<>();
    private final List<FleetPairPlan> plans = new ArrayList<>();
    private final List<Rejection> rejections = new ArrayList<>();
    private long points;
    private long skipped;

    FleetPairSearch(FleetCapacityProblem problem, MeasuredDevice device, Overseer overseer) {
        this.problem = problem;
        this.device = device;
        this.fleet = problem.apart(device);
        this.order = DemandPlan.betterFirst(problem.fleet().ranking());
        this.overseer = overseer;
    }

    /// Of each pair of sizes the best that the devices available hold.
    List<FleetPairPlan> run() {
        Map<Integer, List<PricedInstance>> decoding = new LinkedHashMap<>();
        Map<Integer, List<PricedInstance>> feeding = new LinkedHashMap<>();
        problem.sizes(device).stream()
                .filter(size -> problem.connects(device, size) && size < FleetPair.mostDevices(fleet))
                .forEach(size -> {
                    List<PricedInstance> all = PricedInstance.all(fleet, size, overseer::checkpoint);
                    overseer.keep(all.size() * Overseer.INSTANCE_BYTES);
                    decoding.put(size, all);
                    feeding.put(size, fastest(all));
                });
        feeding.values().forEach(prefill -> decoding.values().forEach(decode -> search(prefill, decode)));
        problem.sizes(device).forEach(size -> {
            reject(Phase.PREFILL, size, feeding.getOrDefault(size, List.of()));
            reject(Phase.DECODE, size, decoding.getOrDefault(size, List.of()));
        });
        return plans.stream()
                .map(plan -> plan.withUnfavourable(new FewestPairs(
                                plan.pair(), plan.requirement(), Ends.UNFAVOURABLE, FleetPair.mostDevices(fleet))
                        .devices()))
                .toList();
    }

    /// The law knows no more of instances that prefill than how many ranks they have and how long a prompt takes: of
    /// layouts of as many ranks the fastest serves all that the others do.
    private List<PricedInstance> fastest(List<PricedInstance> instances) {
        Comparator<PricedInstance> byTime = Comparator.comparingDouble(
                one -> one.promptMillis(fleet.demand().traffic().mean()));
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

    private Optional<BrokenLimits> lack(PricedInstance instance) {
        return instance.lackOfRoomForAPrompt(fleet.demand().traffic().mean());
    }

    private void search(List<PricedInstance> prefill, List<PricedInstance> decode) {
        List<FleetPair> pairs = prefill.stream()
                .flatMap(one -> decode.stream()
                        .map(other -> new FleetPair(device, fleet, one, other, this::step, overseer::keep)))
                .filter(this::begins)
                .toList();
        fewest(pairs, problem.requirement(), available()).ifPresent(plans::add);
    }

    private boolean begins(FleetPair pair) {
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
        return Math.min(problem.available(device), FleetPair.mostDevices(fleet));
    }

    private void step() {
        overseer.step();
        points++;
    }

    private boolean isExhausted() {
        return points >= RATION / problem.fleet().devices().size();
    }

    /// The best of all on so many devices at most.
    private Optional<FleetPairPlan> fewest(List<FleetPair> pairs, Requirement requirement, long most) {
        long bound = most;
        List<FleetPairPlan> best = new ArrayList<>();
        for (FleetPair pair : pairs) {
            overseer.checkpoint();
            if (isExhausted()) {
                skipped++;
                continue;
            }
            List<Counts> counts = new FewestPairs(pair, requirement, Ends.NONE, bound).counts();
            if (!counts.isEmpty() && pair.devices(counts.getFirst()) < bound) {
                best.clear();
                bound = pair.devices(counts.getFirst());
            }
            counts.forEach(one -> best.add(pair.plan(one, requirement)));
        }
        return best.stream().min(order);
    }

    /// What serves the demand with more devices than there are.
    Optional<FleetPairPlan> beyond() {
        return fewest(serving, problem.requirement(), FleetPair.mostDevices(fleet));
    }

    /// The largest demand that the devices available serve with headroom.
    Optional<FleetPairPlan> reach() {
        Optional<Reached> most = serving.stream()
                .filter(_ -> !isExhausted())
                .flatMap(pair -> reach(pair).stream())
                .max(Comparator.comparing(Reached::ability));
        // What was not looked at may reach further.
        return isExhausted()
                ? Optional.empty()
                : most.flatMap(one ->
                        problem.requirement().reaching(one.ability).map(demand -> one.pair.plan(one.counts, demand)));
    }

    private Optional<Reached> reach(FleetPair pair) {
        overseer.checkpoint();
        return FewestPairs.reach(pair, problem.requirement(), available())
                .map(counts -> new Reached(
                        pair,
                        counts,
                        pair.most(counts, problem.requirement(), Ends.NONE)
                                .orElseThrow()
                                .ability()));
    }

    private record Reached(FleetPair pair, Counts counts, Ratio ability) {}

    /// Fewest devices over demands.
    Stream<CurvePoint> curve() {
        Requirement asked = problem.requirement();
        return IntStream.rangeClosed(1, CURVE_POINTS)
                .mapToObj(part -> asked.with(asked.amount() * CURVE_RANGE * part / CURVE_POINTS))
                .flatMap(demand -> devices(demand).stream()
                        .map(devices -> new CurvePoint(device.name(), Kind.DISAGGREGATED, demand.amount(), devices)));
    }

    private Optional<Long> devices(Requirement demand) {
        Optional<Long> fewest = Optional.empty();
        for (FleetPair pair : serving) {
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
        Optional<Rejection> nearest = broken.stream()
                .filter(pair -> size(pair, phase) == size)
                .map(pair -> new Rejection(
                        device,
                        phase,
                        size,
                        (phase == Phase.PREFILL ? pair.prefill() : pair.decode()).layout(),
                        pair.breaches(),
                        null))
                .filter(rejection -> !rejection.breaches().isEmpty())
                .min(Comparator.comparingDouble(Rejection::excess));
        rejections.add(nearest.orElseGet(() -> instances.isEmpty() ? impossible(phase, size) : lonely(phase, size)));
    }

    private static int size(FleetPair pair, Phase phase) {
        return phase == Phase.PREFILL ? pair.prefillSize() : pair.decodeSize();
    }

    private Rejection lonely(Phase phase, int size) {
        return new Rejection(
                device,
                phase,
                size,
                null,
                List.of(),
                phase == Phase.PREFILL
                        ? "there is no decode instance that it could feed"
                        : "there is no prefill instance that could feed it");
    }

    private Rejection impossible(Phase phase, int size) {
        if (!problem.connects(device, size)) {
            return new Rejection(device, phase, size, null, List.of(), problem.tooLarge(device, size));
        }
        if (size >= FleetPair.mostDevices(fleet)) {
            return new Rejection(
                    device,
                    phase,
                    size,
                    null,
                    List.of(),
                    "pairs of up to " + FleetPair.mostDevices(fleet) + " devices are tried");
        }
        return PricedInstance.all(fleet, size, overseer::checkpoint).stream()
                .flatMap(instance -> lack(instance).stream())
                .map(lack -> new Rejection(device, phase, size, lack.layout(), lack.breaches(), null))
                .findFirst()
                .orElseGet(() -> new Rejection(device, phase, size, null, List.of(), obstacle(size)));
    }

    private String obstacle(int size) {
        return fleet.instanceLayouts(size).stream()
                .flatMap(layout -> {
                    overseer.checkpoint();
                    return device.deployment(fleet.model(), layout).obstacle().stream();
                })
                .map(Obstacle::reason)
                .findFirst()
                .orElse(FleetCapacityProblem.NO_LAYOUT);
    }

    List<Rejection> rejections() {
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
