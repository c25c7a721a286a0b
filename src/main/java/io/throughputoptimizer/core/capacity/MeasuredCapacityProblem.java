package io.throughputoptimizer.core.capacity;

import io.throughputoptimizer.core.measured.MeasuredDevice;
import io.throughputoptimizer.core.measured.MeasuredProblem;
import io.throughputoptimizer.core.measured.TriedReplica;
import io.throughputoptimizer.core.search.space.KvTransfer;
import io.throughputoptimizer.core.search.space.Pairing;
import io.throughputoptimizer.core.search.space.Pairing.Instances;
import io.throughputoptimizer.core.search.space.Tally;
import io.throughputoptimizer.core.silicon.SiliconDeployment;
import io.throughputoptimizer.core.steady.RankBatches;
import io.throughputoptimizer.core.steady.TurnLengths;
import io.throughputoptimizer.core.workload.Phase;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A question to the [MeasuredCapacityOptimizer]: how few measured devices serve a demand, in which instances.
///
/// @param measured what is served within which limits, and the devices available
/// @param instanceSizes devices of an instance, to try; empty for powers of two up to the devices available
/// @param mostDevices that can be connected, by name of the kind of device
/// @param transfer how caches get from prefill to decode instances; absent where that takes no time
public record MeasuredCapacityProblem(
        MeasuredProblem measured,
        List<Integer> instanceSizes,
        Requirement requirement,
        Map<String, Integer> mostDevices,
        @Nullable KvTransfer transfer) {
    static final String NO_LAYOUT = "no combination of the sizes in search makes an instance of so many devices";
    /// Numbers of instances times concurrencies, in the mean of pairs of layouts.
    private static final long MOST_OF_PAIR = 10_000;

    public MeasuredCapacityProblem {
        InstanceSizes.check(instanceSizes, measured.available().most());
    }

    /// The same about what is served otherwise.
    public MeasuredCapacityProblem with(MeasuredProblem other) {
        return new MeasuredCapacityProblem(other, instanceSizes, requirement, mostDevices, transfer);
    }

    /// All instances of a size on a kind of device, each with each speculation; none where there cannot be any.
    List<SiliconDeployment> attempts(MeasuredDevice device, int size) {
        return connects(device, size) ? measured.instances(device, size) : List.of();
    }

    /// The same of all kinds and sizes, and of those that do one phase alone.
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

    /// Devices of an instance, to try on a kind of device.
    List<Integer> sizes(MeasuredDevice device) {
        return InstanceSizes.of(instanceSizes, available(device));
    }

    /// Devices that are there of a kind.
    int available(MeasuredDevice device) {
        return measured.available().of(device.name());
    }

    /// Whether so many devices are there, and can be connected.
    boolean connects(MeasuredDevice device, int size) {
        return size <= available(device) && size <= mostDevices.getOrDefault(device.name(), Integer.MAX_VALUE);
    }

    String tooLarge(MeasuredDevice device, int size) {
        return size > available(device)
                ? InstanceSizes.tooLarge(available(device))
                : "at most " + mostDevices.get(device.name()) + " devices can be connected";
    }

    /// What prefill instances that feed decode instances on a kind of device serve.
    MeasuredProblem apart(MeasuredDevice device) {
        Instances any = new Instances(sizes(device), List.of());
        MeasuredProblem all = measured.about(device);
        MeasuredProblem one = all.with(all.demand().with(all.demand().traffic().apart()));
        return transfer == null ? one : one.with(new Pairing(any, any, transfer));
    }

    /// Layouts of all instances, each with each speculation.
    public long candidates() {
        return Tally.times(layouts().reduce(0, Tally::plus), measured.sizes().speculationsTried());
    }

    /// How many there are on each kind of device.
    private LongStream layouts() {
        Map<Integer, Long> known = new HashMap<>();
        return measured.devices().stream()
                .mapToLong(device -> sizes(device).stream()
                        .filter(size -> connects(device, size))
                        .mapToLong(size -> known.computeIfAbsent(size, measured::countOfInstanceLayouts))
                        .reduce(0, Tally::plus));
    }

    /// Returns whether prefill and decode instances are searched too. They are not where measurements correct figures,
    /// which would stay those of the model, nor with limits on a percentile, which no search simulates.
    public boolean comparesPairs() {
        return measured.demand().limits().percentile() == null
                && measured.devices().stream().noneMatch(MeasuredDevice::isCorrected);
    }

    /// Whether requests are turns of conversations.
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

    /// Upper bound of the concurrencies at which the law is asked: all of each layout, and as many as are
    /// tried of pairs.
    public long mostPoints() {
        RankBatches batches = measured.demand().batches();
        long ofRank = batches == null ? RankBatches.MOST_OF_AN_ENGINE : (long) batches.most() - batches.least() + 1;
        return Tally.plus(Tally.times(candidates(), ofRank), Math.min(Tally.times(pairs(), MOST_OF_PAIR), Ration.ALL));
    }
}
