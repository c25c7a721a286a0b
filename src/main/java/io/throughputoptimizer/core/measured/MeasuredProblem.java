package io.throughputoptimizer.core.measured;

import io.throughputoptimizer.core.deployment.ParallelLayout;
import io.throughputoptimizer.core.measured.Stock.Numbers;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.search.Objective;
import io.throughputoptimizer.core.search.space.AvailableDevices;
import io.throughputoptimizer.core.search.space.KvTransfer;
import io.throughputoptimizer.core.search.space.Pairing;
import io.throughputoptimizer.core.search.space.Pairing.Kinds;
import io.throughputoptimizer.core.search.space.Tally;
import io.throughputoptimizer.core.silicon.BandBasis.Coverage;
import io.throughputoptimizer.core.silicon.Engine;
import io.throughputoptimizer.core.silicon.SiliconDeployment;
import io.throughputoptimizer.core.steady.RankBatches;
import io.throughputoptimizer.core.steady.Scan;
import io.throughputoptimizer.core.workload.Phase;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A question to the [MeasuredOptimizer]: which layout and concurrency of a model serve most on measured devices.
///
/// @param devices kinds of device, in the order of the answer
/// @param available devices of each kind
/// @param instances devices of a prefill and of a decode instance; absent where instances do both
/// @param coverage share of measured figures that bands hold
/// @param scan how closely concurrencies are looked at
public record MeasuredProblem(
        ModelArchitecture model,
        List<MeasuredDevice> devices,
        AvailableDevices available,
        @Nullable Pairing instances,
        MeasuredSizes sizes,
        MeasuredDemand demand,
        Coverage coverage,
        Scan scan) {
    private static final int MOST_KINDS_LOOKED_AT = 4;

    /// Of all concurrencies that are usually looked at.
    public MeasuredProblem(
            ModelArchitecture model,
            List<MeasuredDevice> devices,
            AvailableDevices available,
            @Nullable Pairing instances,
            MeasuredSizes sizes,
            MeasuredDemand demand,
            Coverage coverage) {
        this(model, devices, available, instances, sizes, demand, coverage, Scan.EVERY_SUMMIT);
    }

    /// The same about one device.
    public MeasuredProblem about(MeasuredDevice device) {
        return with(List.of(device));
    }

    /// The same about prefill instances on one kind of device and decode instances on another.
    public MeasuredProblem about(MeasuredDevice prefill, MeasuredDevice decode) {
        return with(prefill.name().equals(decode.name()) ? List.of(prefill) : List.of(prefill, decode))
                .with(instances == null ? null : instances.on(prefill.name(), decode.name()));
    }

    /// The same on other devices.
    public MeasuredProblem with(List<MeasuredDevice> others) {
        return new MeasuredProblem(model, others, available, instances, sizes, demand, coverage, scan);
    }

    public MeasuredProblem with(MeasuredDemand other) {
        return new MeasuredProblem(model, devices, available, instances, sizes, other, coverage, scan);
    }

    /// The same with concurrencies looked at more or less closely.
    public MeasuredProblem with(Scan other) {
        return new MeasuredProblem(model, devices, available, instances, sizes, demand, coverage, other);
    }

    /// The same with so many devices of each kind.
    public MeasuredProblem with(int count) {
        return with(AvailableDevices.ofEach(count));
    }

    /// The same with other numbers of devices.
    public MeasuredProblem with(AvailableDevices others) {
        return new MeasuredProblem(model, devices, others, instances, sizes, demand, coverage, scan);
    }

    /// The same with instances of other sizes.
    public MeasuredProblem with(@Nullable Pairing other) {
        return new MeasuredProblem(model, devices, available, other, sizes, demand, coverage, scan);
    }

    /// The same with other sizes to try.
    public MeasuredProblem with(MeasuredSizes other) {
        return new MeasuredProblem(model, devices, available, instances, other, demand, coverage);
    }

    /// What plans are ranked by.
    public Objective ranking() {
        Objective asked = demand.objective();
        if (asked != null) {
            return asked;
        }
        return instances == null ? Objective.usual() : new Objective.TokensPerSecondPerDevice();
    }

    /// The best first, those with wide bands behind all others; of equal ones that with the shorter TPOT.
    ///
    /// @param device name of the kind of device, and with another one for decode that of prefill
    Comparator<MeasuredPoint> betterFirst(MeasuredDevice device) {
        Objective objective = ranking();
        return Comparator.comparing((MeasuredPoint point) -> point.bands().isWide())
                .thenComparingDouble(point -> objective.order(point.delivered(device.name())))
                .thenComparingDouble(point -> point.tpotMillis().value());
    }

    public MeasuredProblem {
        devices = List.copyOf(devices);
        if (devices.isEmpty()) {
            throw new IllegalArgumentException("there is no kind of device: at least 1 is needed");
        }
        if (instances != null) {
            demand = demand.with(demand.traffic().apart());
        }
    }

    /// What is asked of any instances.
    public SteadyTerms terms() {
        return new SteadyTerms(
                demand.traffic(),
                demand.limits(),
                demand.batches(),
                demand.leastConcurrency(),
                demand.preference(),
                scan,
                coverage);
    }

    /// Layouts of a replica, of which a whole number takes all devices of a kind.
    public List<ParallelLayout> layouts(MeasuredDevice device) {
        return layoutsOf(available.of(device.name()));
    }

    /// What is tried on a kind of device: each layout with each speculation.
    List<SiliconDeployment> deployments(MeasuredDevice device) {
        return sizes.drafting(layouts(device).stream().map(layout -> device.deployment(model, layout)));
    }

    /// The same of instances of so many devices.
    public List<SiliconDeployment> instances(MeasuredDevice device, int instanceDevices) {
        return sizes.drafting(
                instanceLayouts(instanceDevices).stream().map(layout -> device.deployment(model, layout)));
    }

    /// The same of instances that do one phase alone; those that prefill draft nothing.
    public List<SiliconDeployment> instancesApart(MeasuredDevice device, int instanceDevices, Phase phase) {
        Stream<SiliconDeployment> plain =
                instanceLayouts(instanceDevices).stream().map(layout -> device.deploymentApart(model, layout));
        return phase == Phase.PREFILL ? plain.toList() : sizes.drafting(plain);
    }

    /// The same of so many devices.
    public List<ParallelLayout> layoutsOf(int count) {
        return new MeasuredLayouts(model, sizes, count).ofReplicas().toList();
    }

    /// Layouts of an instance that takes that many devices.
    public List<ParallelLayout> instanceLayouts(int instanceDevices) {
        return new MeasuredLayouts(model, sizes, instanceDevices).ofInstance().toList();
    }

    /// Returns whether an instance of that many devices has a layout with room for a cache, on one of the first few
    /// kinds.
    public boolean holdsCache(int instanceDevices) {
        return devices.stream()
                .limit(MOST_KINDS_LOOKED_AT)
                .anyMatch(device -> instances(device, instanceDevices).stream()
                        .anyMatch(deployment -> deployment.servingObstacle().isEmpty()
                                && device.limits(
                                                        deployment,
                                                        Phase.DECODE,
                                                        demand.traffic().lengths(),
                                                        null)
                                                .cacheTokens()
                                        > 0));
    }

    /// How many [#layoutsOf] there are, which is known without making them.
    public long countOfLayouts(int count) {
        return new MeasuredLayouts(model, sizes, count).countOfReplicas();
    }

    /// How many [#instanceLayouts] there are, which is known without making them.
    public long countOfInstanceLayouts(int instanceDevices) {
        return new MeasuredLayouts(model, sizes, instanceDevices).countOfInstance();
    }

    /// Whether a kind of device holds a prefill and a decode instance of one size each.
    public boolean holdsInstances(MeasuredDevice device) {
        return instances != null
                && new Stock(available.of(device.name()), instances.prefillDevices(), instances.decodeDevices())
                                .mostCounts()
                        > 0;
    }

    /// Kinds of device of pairs; none where instances do both phases.
    List<Kinds> kinds() {
        return instances == null ? List.of() : instances.kinds(deviceNames());
    }

    /// How many pairs of kinds of device there are.
    public int pairsOfKinds() {
        return kinds().size();
    }

    /// Devices of instances of so many each.
    Stock stock(Kinds kinds, int prefillDevices, int decodeDevices) {
        Numbers numbers = countsInstances() ? kinds.shareDevices() ? Numbers.ALL : Numbers.APART : Numbers.FULL;
        return new Stock(
                available.of(kinds.prefill()), available.of(kinds.decode()), prefillDevices, decodeDevices, numbers);
    }

    /// What moves caches between instances of a pair; absent where that takes no time.
    public @Nullable KvTransfer transfer() {
        return instances == null ? null : instances.transfer();
    }

    /// Whether instances are paired by more than one size of each side.
    public boolean countsInstances() {
        return instances != null && !instances.isRatio();
    }

    /// A kind of device with its engine as it serves here.
    public MeasuredDevice serving(MeasuredDevice device) {
        Engine engine = device.engine();
        return device.with(instances == null ? engine.serving(model) : engine.apart());
    }

    /// Of its kinds of device, in order.
    public List<String> deviceNames() {
        return devices.stream().map(MeasuredDevice::name).toList();
    }

    /// The kind of device of that name.
    public MeasuredDevice device(String name) {
        return devices.stream()
                .filter(device -> device.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /// Layouts, or pairs of them, to try on all kinds of device.
    public long candidates() {
        return instances == null
                ? devices.stream()
                        .collect(Collectors.groupingBy(
                                device -> available.of(device.name()), LinkedHashMap::new, Collectors.counting()))
                        .entrySet()
                        .stream()
                        .mapToLong(kinds -> Tally.times(
                                Tally.times(kinds.getValue(), countOfLayouts(kinds.getKey())),
                                sizes.speculationsTried()))
                        .reduce(0, Tally::plus)
                : new PairTally(this, instances).pairs();
    }

    /// Upper bound of the concurrencies at which a search asks the law: on each layout, or each pair in each
    /// numbers, as many as its scan looks at.
    public long mostPoints() {
        RankBatches batches = demand.batches();
        long ofRank = batches == null ? RankBatches.MOST_OF_AN_ENGINE : (long) batches.most() - batches.least() + 1;
        Scan closest = devices.stream().noneMatch(MeasuredDevice::isCorrected) ? scan : Scan.EACH;
        long tried = closest.mostTried(instances == null ? ofRank : ofRank * available.most());
        return instances == null ? Tally.times(tried, candidates()) : new PairTally(this, instances).points(tried);
    }
}
