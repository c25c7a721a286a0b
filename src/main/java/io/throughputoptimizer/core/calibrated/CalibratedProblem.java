package io.throughputoptimizer.core.calibrated;

import io.throughputoptimizer.core.calibrated.DeviceInventory.Numbers;
import io.throughputoptimizer.core.deployment.ParallelLayout;
import io.throughputoptimizer.core.kernels.BandBasis.Coverage;
import io.throughputoptimizer.core.kernels.CalibratedDeployment;
import io.throughputoptimizer.core.kernels.Engine;
import io.throughputoptimizer.core.load.BestConcurrency.Preference;
import io.throughputoptimizer.core.load.ConcurrencySampling;
import io.throughputoptimizer.core.load.RankBatches;
import io.throughputoptimizer.core.load.Traffic;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.search.Objective;
import io.throughputoptimizer.core.search.space.AvailableDevices;
import io.throughputoptimizer.core.search.space.KvTransferLink;
import io.throughputoptimizer.core.search.space.Pairing;
import io.throughputoptimizer.core.search.space.Pairing.Kinds;
import io.throughputoptimizer.core.search.space.Tally;
import io.throughputoptimizer.core.workload.Limits;
import io.throughputoptimizer.core.workload.Phase;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Input of the [CalibratedOptimizer]: a model, calibrated devices and a demand.
///
/// @param devices kinds of device, in the order of the result
/// @param available devices of each kind
/// @param instances sizes of prefill and decode instances; absent for aggregated instances
/// @param coverage share of measured figures within a prediction interval
/// @param scan sampling of concurrencies
public record CalibratedProblem(
        ModelArchitecture model,
        List<CalibratedDevice> devices,
        AvailableDevices available,
        @Nullable Pairing instances,
        CalibratedSizes sizes,
        CalibratedDemand demand,
        Coverage coverage,
        ConcurrencySampling scan) {
    private static final int MOST_KINDS_LOOKED_AT = 4;

    /// Returns a copy for one device.
    public CalibratedProblem about(CalibratedDevice device) {
        return with(List.of(device));
    }

    /// Returns a copy with prefill on one kind of device and decode on another.
    public CalibratedProblem about(CalibratedDevice prefill, CalibratedDevice decode) {
        return with(prefill.name().equals(decode.name()) ? List.of(prefill) : List.of(prefill, decode))
                .with(instances == null ? null : instances.on(prefill.name(), decode.name()));
    }

    /// Returns a copy with other devices.
    public CalibratedProblem with(List<CalibratedDevice> others) {
        return new CalibratedProblem(model, others, available, instances, sizes, demand, coverage, scan);
    }

    public CalibratedProblem with(CalibratedDemand other) {
        return new CalibratedProblem(model, devices, available, instances, sizes, other, coverage, scan);
    }

    /// Returns a copy with another sampling of concurrencies.
    public CalibratedProblem with(ConcurrencySampling other) {
        return new CalibratedProblem(model, devices, available, instances, sizes, demand, coverage, other);
    }

    /// Returns a copy with the same number of devices of each kind.
    public CalibratedProblem with(int count) {
        return with(AvailableDevices.ofEach(count));
    }

    /// Returns a copy with other numbers of devices.
    public CalibratedProblem with(AvailableDevices others) {
        return new CalibratedProblem(model, devices, others, instances, sizes, demand, coverage, scan);
    }

    /// Returns a copy with other instance sizes.
    public CalibratedProblem with(@Nullable Pairing other) {
        return new CalibratedProblem(model, devices, available, other, sizes, demand, coverage, scan);
    }

    /// Returns a copy with other layout sizes to try.
    public CalibratedProblem with(CalibratedSizes other) {
        return new CalibratedProblem(
                model, devices, available, instances, other, demand, coverage, ConcurrencySampling.EVERY_SUMMIT);
    }

    /// Returns the objective that ranks plans.
    public Objective ranking() {
        Objective asked = demand.objective();
        if (asked != null) {
            return asked;
        }
        return instances == null ? Objective.usual() : new Objective.TokensPerSecondPerDevice();
    }

    /// Returns the order of points, the best first: wide prediction intervals last; of equal ones the shorter
    /// TPOT first.
    ///
    /// @param device kind of device; the prefill device if decode runs on another
    Comparator<CalibratedPoint> betterFirst(CalibratedDevice device) {
        Objective objective = ranking();
        return Comparator.comparing((CalibratedPoint point) -> point.bands().isWide())
                .thenComparingDouble(point -> objective.order(point.delivered(device.name())))
                .thenComparingDouble(point -> point.tpotMillis().value());
    }

    public CalibratedProblem {
        devices = List.copyOf(devices);
        if (devices.isEmpty()) {
            throw new IllegalArgumentException("there is no kind of device: at least 1 is needed");
        }
        if (instances != null) {
            demand = demand.with(demand.traffic().apart());
        }
    }

    /// Returns the terms that all instances share.
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

    /// Returns the layouts of a replica; a whole number of replicas takes all devices of a kind.
    public List<ParallelLayout> layouts(CalibratedDevice device) {
        return layoutsOf(available.of(device.name()));
    }

    /// Returns the deployments to try on a kind of device: each layout with each speculation.
    List<CalibratedDeployment> deployments(CalibratedDevice device) {
        return sizes.drafting(layouts(device).stream().map(layout -> device.deployment(model, layout)));
    }

    /// Returns the aggregated instances of `instanceDevices` devices, with each speculation.
    public List<CalibratedDeployment> instances(CalibratedDevice device, int instanceDevices) {
        return sizes.drafting(
                instanceLayouts(instanceDevices).stream().map(layout -> device.deployment(model, layout)));
    }

    /// Returns the prefill or decode instances of `instanceDevices` devices; prefill instances do not draft.
    public List<CalibratedDeployment> instancesApart(CalibratedDevice device, int instanceDevices, Phase phase) {
        Stream<CalibratedDeployment> plain =
                instanceLayouts(instanceDevices).stream().map(layout -> device.deploymentApart(model, layout));
        return phase == Phase.PREFILL ? plain.toList() : sizes.drafting(plain);
    }

    /// Returns the layouts of a replica on `count` devices.
    public List<ParallelLayout> layoutsOf(int count) {
        return new CalibratedLayouts(model, sizes, count).ofReplicas().toList();
    }

    /// Returns the layouts of an instance that takes `instanceDevices` devices.
    public List<ParallelLayout> instanceLayouts(int instanceDevices) {
        return new CalibratedLayouts(model, sizes, instanceDevices).ofInstance().toList();
    }

    /// Returns whether some layout of that many devices leaves memory for a KV cache, on one of the first few
    /// kinds of device.
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

    /// Returns the number of [#layoutsOf] without creating them.
    public long countOfLayouts(int count) {
        return new CalibratedLayouts(model, sizes, count).countOfReplicas();
    }

    /// Returns the number of [#instanceLayouts] without creating them.
    public long countOfInstanceLayouts(int instanceDevices) {
        return new CalibratedLayouts(model, sizes, instanceDevices).countOfInstance();
    }

    /// Returns whether a kind of device holds a prefill and a decode instance of one size each.
    public boolean holdsInstances(CalibratedDevice device) {
        return instances != null
                && new DeviceInventory(
                                        available.of(device.name()),
                                        instances.prefillDevices(),
                                        instances.decodeDevices())
                                .mostCounts()
                        > 0;
    }

    /// Returns the kinds of device of disaggregated pairs; empty for aggregated instances.
    List<Kinds> kinds() {
        return instances == null ? List.of() : instances.kinds(deviceNames());
    }

    /// Returns the number of pairs of kinds of device.
    public int pairsOfKinds() {
        return kinds().size();
    }

    /// Returns the devices available to prefill and decode instances of the given sizes.
    DeviceInventory stock(Kinds kinds, int prefillDevices, int decodeDevices) {
        Numbers numbers = countsInstances() ? kinds.shareDevices() ? Numbers.ALL : Numbers.APART : Numbers.FULL;
        return new DeviceInventory(
                available.of(kinds.prefill()), available.of(kinds.decode()), prefillDevices, decodeDevices, numbers);
    }

    /// Returns the link that transfers KV caches; absent if a transfer takes no time.
    public @Nullable KvTransferLink transfer() {
        return instances == null ? null : instances.transfer();
    }

    /// Returns whether instances are counted in whole numbers, instead of the reference's P:D ratio.
    public boolean countsInstances() {
        return instances != null && !instances.isRatio();
    }

    /// Returns a kind of device with its engine configured for this model.
    public CalibratedDevice serving(CalibratedDevice device) {
        Engine engine = device.engine();
        return device.with(instances == null ? engine.serving(model) : engine.apart());
    }

    /// Returns the names of the kinds of device, in order.
    public List<String> deviceNames() {
        return devices.stream().map(CalibratedDevice::name).toList();
    }

    /// Returns the kind of device of a name.
    public CalibratedDevice device(String name) {
        return devices.stream()
                .filter(device -> device.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /// Returns the number of layouts, or pairs of layouts, to try on all kinds of device.
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

    /// Returns an upper bound of the concurrencies at which a search evaluates the law: the samples of its scan
    /// on each layout, or on each pair and each of its instance counts.
    public long mostPoints() {
        RankBatches batches = demand.batches();
        long ofRank = batches == null ? RankBatches.MOST_OF_AN_ENGINE : (long) batches.most() - batches.least() + 1;
        ConcurrencySampling closest =
                devices.stream().noneMatch(CalibratedDevice::isCorrected) ? scan : ConcurrencySampling.EACH;
        long tried = closest.mostTried(instances == null ? ofRank : ofRank * available.most());
        return instances == null ? Tally.times(tried, candidates()) : new PairTally(this, instances).points(tried);
    }

    /// Demand on a calibrated deployment.
    ///
    /// @param batches batch sizes per rank; absent for all that the rank can run
    /// @param simulatesRows whether each row is simulated, for its percentiles
    /// @param objective objective that ranks plans; absent for the default, which rows do not name: tokens per
    ///     second, or for disaggregated instances, which may leave devices idle, tokens per second and busy device
    public record CalibratedDemand(
            Traffic traffic,
            Limits limits,
            @Nullable RankBatches batches,
            boolean simulatesRows,
            @Nullable Objective objective) {
        public CalibratedDemand with(Traffic other) {
            return new CalibratedDemand(other, limits, batches, simulatesRows, objective);
        }

        public CalibratedDemand with(Limits other) {
            return new CalibratedDemand(traffic, other, batches, simulatesRows, objective);
        }

        public CalibratedDemand with(Objective other) {
            return new CalibratedDemand(traffic, limits, batches, simulatesRows, other);
        }

        /// Returns a copy without percentiles of rows; percentile targets stay.
        public CalibratedDemand withoutSimulatedRows() {
            return new CalibratedDemand(traffic, limits, batches, false, objective);
        }

        /// Returns the minimum concurrency of a deployment.
        int leastConcurrency() {
            return objective == null ? 1 : objective.leastConcurrency();
        }

        /// Returns whether a batch size is the engine's maximum.
        public boolean endsAt(double ofRank, Engine engine) {
            return batches == null && ofRank >= engine.maxSequences();
        }

        /// Returns the criterion for the best concurrency of a layout.
        Preference preference() {
            return objective != null && objective.prefersFewRequests()
                    ? Preference.SHORTEST_TPOT
                    : Preference.MOST_TOKENS;
        }
    }
}
