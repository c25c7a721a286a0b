package io.throughputoptimizer.core.capacity;

import io.throughputoptimizer.core.calibrated.CalibratedDevice;
import io.throughputoptimizer.core.calibrated.CalibratedProblem;
import io.throughputoptimizer.core.calibrated.TriedReplica;
import io.throughputoptimizer.core.capacity.CapacityProblem.InstanceSizes;
import io.throughputoptimizer.core.kernels.CalibratedDeployment;
import io.throughputoptimizer.core.load.RankBatches;
import io.throughputoptimizer.core.load.TurnLengths;
import io.throughputoptimizer.core.search.space.KvTransferLink;
import io.throughputoptimizer.core.search.space.Pairing;
import io.throughputoptimizer.core.search.space.Pairing.Instances;
import io.throughputoptimizer.core.search.space.Tally;
import io.throughputoptimizer.core.workload.Phase;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Input of the [CalibratedCapacityOptimizer]: a demand, its limits and the available devices.
///
/// @param measured demand, limits and available devices
/// @param instanceSizes devices per instance to try; empty for powers of two up to the devices available
/// @param mostDevices maximum number of connected devices by name of the kind
/// @param transfer KV transfer from prefill to decode instances; null if it takes no time
public record CalibratedCapacityProblem(
        CalibratedProblem measured,
        List<Integer> instanceSizes,
        Requirement requirement,
        Map<String, Integer> mostDevices,
        @Nullable KvTransferLink transfer) {
    static final String NO_LAYOUT = "no combination of the sizes in search makes an instance of so many devices";
    /// Bound on instance counts times concurrencies, averaged over pairs of layouts.
    private static final long MOST_OF_PAIR = 10_000;

    public CalibratedCapacityProblem {
        InstanceSizes.check(instanceSizes, measured.available().most());
    }

    /// Returns a copy with another calibrated problem.
    public CalibratedCapacityProblem with(CalibratedProblem other) {
        return new CalibratedCapacityProblem(other, instanceSizes, requirement, mostDevices, transfer);
    }

    /// Returns all instances of a size on a kind of device with every speculation; empty if the size is not
    /// possible.
    List<CalibratedDeployment> attempts(CalibratedDevice device, int size) {
        return connects(device, size) ? measured.instances(device, size) : List.of();
    }

    /// Returns all instances of all kinds and sizes, single-phase ones included if pairs are compared.
    public Stream<TriedReplica> instances() {
        return measured.devices().stream()
                .flatMap(device -> sizes(device).stream()
                        .filter(size -> connects(device, size))
                        .flatMap(size -> {
                            List<Integer> one = List.of(size);
                            Stream<TriedReplica> both =
                                    TriedReplica.all(device, Phase.AGGREGATION, measured.instances(device, size));
                            return comparesPairs()
                                    ? Stream.of(
                                                    both,
                                                    TriedReplica.apart(measured, device, Phase.PREFILL, one),
                                                    TriedReplica.apart(measured, device, Phase.DECODE, one))
                                            .flatMap(instances -> instances)
                                    : both;
                        }));
    }

    /// Returns the devices per instance to try on a kind of device.
    List<Integer> sizes(CalibratedDevice device) {
        return InstanceSizes.of(instanceSizes, available(device));
    }

    /// Returns the devices available of a kind.
    int available(CalibratedDevice device) {
        return measured.available().of(device.name());
    }

    /// Returns whether the devices are available and can be connected.
    boolean connects(CalibratedDevice device, int size) {
        return size <= available(device) && size <= mostDevices.getOrDefault(device.name(), Integer.MAX_VALUE);
    }

    String tooLarge(CalibratedDevice device, int size) {
        return size > available(device)
                ? InstanceSizes.tooLarge(available(device))
                : "at most " + mostDevices.get(device.name()) + " devices can be connected";
    }

    /// Returns the problem of prefill and decode pairs on a kind of device.
    CalibratedProblem apart(CalibratedDevice device) {
        Instances any = new Instances(sizes(device), List.of());
        CalibratedProblem all = measured.about(device);
        CalibratedProblem one =
                all.with(all.demand().with(all.demand().traffic().apart()));
        return transfer == null ? one : one.with(new Pairing(any, any, transfer));
    }

    /// Returns the number of layouts of all instances with every speculation.
    public long candidates() {
        return Tally.times(layouts().reduce(0, Tally::plus), measured.sizes().speculationsTried());
    }

    /// Returns the number of layouts on each kind of device.
    private LongStream layouts() {
        Map<Integer, Long> known = new HashMap<>();
        return measured.devices().stream()
                .mapToLong(device -> sizes(device).stream()
                        .filter(size -> connects(device, size))
                        .mapToLong(size -> known.computeIfAbsent(size, measured::countOfInstanceLayouts))
                        .reduce(0, Tally::plus));
    }

    /// Returns whether pairs of prefill and decode instances are searched. They are not if measurements correct
    /// the figures, since pairs have no measurements, nor with percentile limits, which a search does not
    /// simulate.
    public boolean comparesPairs() {
        return measured.demand().limits().percentile() == null
                && measured.devices().stream().noneMatch(CalibratedDevice::isCorrected);
    }

    /// Returns whether requests are turns of conversations.
    boolean isOfTurns() {
        return measured.demand().traffic().lengths() instanceof TurnLengths;
    }

    private long pairs() {
        return !comparesPairs()
                ? 0
                : layouts()
                        .map(layouts -> Tally.times(
                                Tally.times(layouts, layouts), measured.sizes().speculationsTried()))
                        .reduce(0, Tally::plus);
    }

    /// Returns an upper bound on the concurrencies evaluated: all of each layout, and those tried for pairs.
    public long mostPoints() {
        RankBatches batches = measured.demand().batches();
        long ofRank = batches == null ? RankBatches.MOST_OF_AN_ENGINE : (long) batches.most() - batches.least() + 1;
        return Tally.plus(
                Tally.times(candidates(), ofRank), Math.min(Tally.times(pairs(), MOST_OF_PAIR), PairSearchBudget.ALL));
    }
}
