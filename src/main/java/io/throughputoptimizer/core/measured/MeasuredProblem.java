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
import io.throughputoptimizer.core.silicon.Speculation;
import io.throughputoptimizer.core.steady.Preference;
import io.throughputoptimizer.core.steady.RankBatches;
import io.throughputoptimizer.core.steady.Scan;
import io.throughputoptimizer.core.steady.Traffic;
import io.throughputoptimizer.core.workload.Limits;
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
        Sizes sizes,
        Demand demand,
        Coverage coverage,
        Scan scan) {
    /// Of all concurrencies that are usually looked at.
    public MeasuredProblem(
            ModelArchitecture model,
            List<MeasuredDevice> devices,
            AvailableDevices available,
            @Nullable Pairing instances,
            Sizes sizes,
            Demand demand,
            Coverage coverage) {
        this(model, devices, available, instances, sizes, demand, coverage, Scan.EVERY_SUMMIT);
    }

    /// Sizes to try: absent for the usual ones, empty for powers of two up to the device count.
    ///
    /// @param tp tensor parallel; usually all devices
    /// @param dp attention data parallel; usually 1, and with experts all devices beside tp too
    /// @param ep expert groups; usually 1 and all devices of a replica
    /// @param speculations of decode steps; empty where nobody asks
    public record Sizes(
            @Nullable List<Integer> tp,
            @Nullable List<Integer> dp,
            @Nullable List<Integer> ep,
            List<Speculation> speculations) {
        public Sizes {
            speculations = List.copyOf(speculations);
        }

        /// Of decode steps that draft nothing.
        public Sizes(@Nullable List<Integer> tp, @Nullable List<Integer> dp, @Nullable List<Integer> ep) {
            this(tp, dp, ep, List.of());
        }

        public Sizes withTp(List<Integer> other) {
            return new Sizes(other, dp, ep, speculations);
        }

        public Sizes withDp(List<Integer> other) {
            return new Sizes(tp, other, ep, speculations);
        }

        public Sizes withEp(List<Integer> other) {
            return new Sizes(tp, dp, other, speculations);
        }
    }

    /// What is asked of a deployment.
    ///
    /// @param batches requests of a rank; absent for all that it can run
    /// @param simulatesRows whether each row is simulated, for its percentiles
    /// @param objective what plans are ranked by; absent for the usual, which rows do not name: tokens per
    ///     second, and of instances apart, which may leave devices idle, those per device that works
    public record Demand(
            Traffic traffic,
            Limits limits,
            @Nullable RankBatches batches,
            boolean simulatesRows,
            @Nullable Objective objective) {
        public Demand(Traffic traffic, Limits limits, @Nullable RankBatches batches, boolean simulatesRows) {
            this(traffic, limits, batches, simulatesRows, null);
        }

        public Demand with(Traffic other) {
            return new Demand(other, limits, batches, simulatesRows, objective);
        }

        public Demand with(Limits other) {
            return new Demand(traffic, other, batches, simulatesRows, objective);
        }

        public Demand with(Objective other) {
            return new Demand(traffic, limits, batches, simulatesRows, other);
        }

        /// The same without percentiles of rows; limits on one are kept.
        public Demand withoutSimulatedRows() {
            return new Demand(traffic, limits, batches, false, objective);
        }

        /// Requests that a deployment must serve at once.
        private int leastConcurrency() {
            return objective == null ? 1 : objective.leastConcurrency();
        }

        /// Whether so many requests of a rank are where the service itself ends a search.
        public boolean endsAt(double ofRank) {
            return batches == null && ofRank >= RankBatches.MOST_UNASKED;
        }

        /// Which concurrency of a layout is best.
        private Preference preference() {
            return objective != null && objective.prefersFewRequests()
                    ? Preference.SHORTEST_TPOT
                    : Preference.MOST_TOKENS;
        }
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

    public MeasuredProblem with(Demand other) {
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
    public MeasuredProblem with(Sizes other) {
        return new MeasuredProblem(model, devices, available, instances, other, demand, coverage);
    }

    /// What plans are ranked by.
    public Objective ranking() {
        Objective asked = demand.objective;
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
            demand = demand.with(demand.traffic.apart());
        }
    }

    /// What is asked of any instances.
    public SteadyTerms terms() {
        return new SteadyTerms(
                demand.traffic,
                demand.limits,
                demand.batches,
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
        return drafting(layouts(device).stream().map(layout -> device.deployment(model, layout)));
    }

    /// The same of instances of so many devices.
    public List<SiliconDeployment> instances(MeasuredDevice device, int instanceDevices) {
        return drafting(instanceLayouts(instanceDevices).stream().map(layout -> device.deployment(model, layout)));
    }

    /// The same of instances that do one phase alone; those that prefill draft nothing.
    public List<SiliconDeployment> instancesApart(MeasuredDevice device, int instanceDevices, Phase phase) {
        Stream<SiliconDeployment> plain =
                instanceLayouts(instanceDevices).stream().map(layout -> device.deploymentApart(model, layout));
        return phase == Phase.PREFILL ? plain.toList() : drafting(plain);
    }

    /// Each with each speculation.
    private List<SiliconDeployment> drafting(Stream<SiliconDeployment> plain) {
        return sizes.speculations.isEmpty()
                ? plain.toList()
                : plain.flatMap(one -> sizes.speculations.stream().map(one::with))
                        .toList();
    }

    /// How many speculations are tried of each layout that decodes, those that draft nothing among them.
    public int speculations() {
        return Math.max(1, sizes.speculations.size());
    }

    /// The same of so many devices.
    public List<ParallelLayout> layoutsOf(int count) {
        return new MeasuredLayouts(model, sizes, count).ofReplicas().toList();
    }

    /// Layouts of an instance that takes that many devices.
    public List<ParallelLayout> instanceLayouts(int instanceDevices) {
        return new MeasuredLayouts(model, sizes, instanceDevices).ofInstance().toList();
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
                                Tally.times(kinds.getValue(), countOfLayouts(kinds.getKey())), speculations()))
                        .reduce(0, Tally::plus)
                : new PairTally(this, instances).pairs();
    }

    /// Upper bound of the concurrencies at which a search asks the law: on each layout, or each pair in each
    /// numbers, as many as its scan looks at.
    public long mostPoints() {
        RankBatches batches = demand.batches;
        long ofRank = batches == null ? RankBatches.MOST_UNASKED : (long) batches.most() - batches.least() + 1;
        Scan closest = devices.stream().noneMatch(MeasuredDevice::isCorrected) ? scan : Scan.EACH;
        long tried = closest.mostTried(instances == null ? ofRank : ofRank * available.most());
        return instances == null ? Tally.times(tried, candidates()) : new PairTally(this, instances).points(tried);
    }
}
