package io.throughputoptimizer.core.capacity;

import io.throughputoptimizer.core.hardware.DeviceProfile;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.search.OptimizationProblem;
import io.throughputoptimizer.core.search.OptimizationProblem.Demand;
import io.throughputoptimizer.core.search.OptimizationProblem.Search;
import io.throughputoptimizer.core.search.OptimizationProblem.Serving;
import io.throughputoptimizer.core.search.ProblemOutline.SearchMode;
import io.throughputoptimizer.core.search.space.AvailableDevices;
import io.throughputoptimizer.core.search.space.InvalidProblemException;
import io.throughputoptimizer.core.search.space.KvTransferCosts;
import io.throughputoptimizer.core.search.space.KvTransferLink;
import io.throughputoptimizer.core.search.space.Objection;
import io.throughputoptimizer.core.search.space.Objection.Subject;
import io.throughputoptimizer.core.search.space.Pairing;
import io.throughputoptimizer.core.search.space.Tally;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Input of the [CapacityOptimizer]: a demand, its limits and the available devices.
///
/// @param devices kinds of device, each planned separately
/// @param available devices of each kind
/// @param instanceSizes devices per instance to try; empty for powers of two up to the devices available
/// @param demand requests, their limits, and the objective that ranks deployments of equal device count
/// @param search search options of an instance; its mode and instances are ignored
/// @param transfer KV transfer from prefill to decode instances; null if it takes no time
public record CapacityProblem(
        ModelArchitecture model,
        List<DeviceProfile> devices,
        AvailableDevices available,
        List<Integer> instanceSizes,
        Requirement requirement,
        Demand demand,
        Serving serving,
        Search search,
        @Nullable KvTransferLink transfer) {

    private static final String OF_TURNS =
            "since cost model analytic looks at each side of a pair by itself, and what prefill instances forget of"
                    + " conversations depends on both";

    /// Layouts of prefill and decode over instances.
    public enum Kind {
        /// Each instance runs prefill and decode.
        AGGREGATED,
        /// Prefill instances paired with decode instances.
        DISAGGREGATED
    }

    /// Instances of one size on one kind of device.
    ///
    /// @param size devices per instance
    /// @param objections reasons against such an instance; empty if it is possible
    record Attempt(DeviceProfile device, int size, Kind kind, List<Objection> objections) {
        boolean isPossible() {
            return objections.isEmpty();
        }
    }

    /// @throws InvalidProblemException if the parts conflict or no size has an instance
    public CapacityProblem {
        devices = devices.stream().distinct().toList();
        InstanceSizes.check(instanceSizes, available.most());
    }

    /// Returns a copy with other search options.
    ///
    /// @throws InvalidProblemException if the parts conflict
    public CapacityProblem with(Search other) {
        return new CapacityProblem(
                model, devices, available, instanceSizes, requirement, demand, serving, other, transfer);
    }

    /// Returns this problem if some size has an instance and the KV transfer has a known cost.
    ///
    /// @throws InvalidProblemException with the objections to the transfer or to the largest instances
    public CapacityProblem checked() {
        if (transfer != null) {
            KvTransferCosts.obstacle(demand.workload()).ifPresent(reason -> {
                throw new InvalidProblemException(List.of(new Objection(Subject.DEMAND_KV_TRANSFER, reason)));
            });
        }
        List<Attempt> attempts = attempts();
        if (attempts.stream().noneMatch(Attempt::isPossible)) {
            throw new InvalidProblemException(attempts.stream()
                    .filter(attempt -> attempt.kind() == Kind.AGGREGATED)
                    .reduce((_, last) -> last)
                    .orElseThrow()
                    .objections());
        }
        return this;
    }

    /// Cache key of objections to an instance: everything they depend on except the message of a device
    /// obstacle.
    private record Looked(int size, Kind kind, boolean obstructed) {}

    /// Objections to an instance.
    ///
    /// @param obstacle obstacle of that many devices of the kind
    private record Found(Optional<String> obstacle, List<Objection> objections) {
        private List<Objection> with(Optional<String> other) {
            return obstacle.equals(other)
                    ? objections
                    : objections.stream()
                            .map(one -> one.message().equals(obstacle.orElseThrow())
                                    ? new Objection(one.subject(), one.element(), one.device(), other.orElseThrow())
                                    : one)
                            .toList();
        }
    }

    /// Returns the instances to search, by kind of device, then size. Computed on each call.
    List<Attempt> attempts() {
        Map<Looked, Found> known = new HashMap<>();
        return devices.stream()
                .flatMap(device -> InstanceSizes.of(instanceSizes, available.of(device.name())).stream()
                        .flatMap(size -> Stream.of(Kind.values()).map(kind -> attempt(device, size, kind, known))))
                .toList();
    }

    private Attempt attempt(DeviceProfile device, int size, Kind kind, Map<Looked, Found> known) {
        int there = available.of(device.name());
        if (size > there) {
            String reason = InstanceSizes.tooLarge(there);
            return new Attempt(device, size, kind, List.of(new Objection(Subject.INSTANCE_SIZES, reason)));
        }
        Optional<String> obstacle = device.obstacle(size);
        Found found = known.computeIfAbsent(
                new Looked(size, kind, obstacle.isPresent()), _ -> new Found(obstacle, objections(device, size, kind)));
        return new Attempt(device, size, kind, found.with(obstacle));
    }

    private List<Objection> objections(DeviceProfile device, int size, Kind kind) {
        if (kind == Kind.DISAGGREGATED && demand.workload().conversation() != null) {
            return List.of(new Objection(Subject.CONVERSATION, OF_TURNS));
        }
        try {
            OptimizationProblem _ = problem(device, size, kind);
            return List.of();
        } catch (InvalidProblemException impossible) {
            return impossible.objections();
        }
    }

    /// Returns the problems of all possible instances, by kind of device, size and kind.
    public Stream<OptimizationProblem> instances() {
        return attempts().stream().filter(Attempt::isPossible).map(this::problem);
    }

    /// Returns the problem of possible instances.
    OptimizationProblem problem(Attempt attempt) {
        return problem(attempt.device, attempt.size, attempt.kind);
    }

    private OptimizationProblem problem(DeviceProfile device, int size, Kind kind) {
        Search sized = new Search(
                kind == Kind.AGGREGATED ? SearchMode.AGGREGATION : SearchMode.PD_RATIO,
                search.accounting(),
                search.axes().with(search.axes().sizes().within(size)),
                search.batches(),
                kind == Kind.AGGREGATED ? null : Pairing.of(size, size));
        Demand alone = new Demand(demand.workload(), demand.limits(), demand.beyondContext(), null);
        return new OptimizationProblem(
                model,
                List.of(device),
                size,
                alone,
                serving,
                sized,
                requirement.unit().isAtOnce() || sharesAnswers(kind));
    }

    /// Returns whether the phases share an end-to-end latency limit, so that every batch size can be best.
    boolean sharesAnswers(Kind kind) {
        return kind == Kind.DISAGGREGATED && demand.limits().boundsAnswers();
    }

    /// Returns the problem of an instance as it is searched: the TTFT limit is reduced by the KV transfer, and
    /// a pair has the devices of both instances.
    ///
    /// @param sized problem of an attempt
    OptimizationProblem searched(OptimizationProblem sized) {
        Search one = sized.search();
        return transfer == null || one.instances() == null
                ? sized
                : new OptimizationProblem(
                        sized.model(),
                        sized.devices(),
                        2 * sized.available().most(),
                        sized.demand(),
                        sized.serving(),
                        one.with(one.instances().with(transfer)),
                        sized.dumpRecordedRows());
    }

    /// Returns the reason against every size of a kind; empty if some size is possible.
    ///
    /// @param attempts attempts of all kinds
    static Optional<String> leftOut(Kind kind, List<Attempt> attempts) {
        List<Attempt> ofKind =
                attempts.stream().filter(attempt -> attempt.kind() == kind).toList();
        if (ofKind.stream().anyMatch(Attempt::isPossible)) {
            return Optional.empty();
        }
        List<Objection> always = new ArrayList<>(ofKind.getFirst().objections());
        for (Attempt attempt : ofKind) {
            Set<Objection> there = new HashSet<>(attempt.objections());
            always.removeIf(objection -> !there.contains(objection));
        }
        return always.stream().map(Objection::message).findFirst();
    }

    /// Returns the number of candidates of all instances.
    public long candidates() {
        return ofAll(OptimizationProblem::candidates);
    }

    /// Returns an upper bound on the points that the searches evaluate.
    public long mostPoints() {
        return ofAll(OptimizationProblem::mostPoints);
    }

    private record Instance(int size, Kind kind) {}

    /// Sums a count over all instances. The count depends on size and kind, not on the kind of device.
    private long ofAll(ToLongFunction<OptimizationProblem> count) {
        Map<Instance, Long> known = new HashMap<>();
        return attempts().stream()
                .filter(Attempt::isPossible)
                .mapToLong(attempt -> known.computeIfAbsent(
                        new Instance(attempt.size, attempt.kind), _ -> count.applyAsLong(problem(attempt))))
                .reduce(0, Tally::plus);
    }

    /// Devices per instance to try.
    static final class InstanceSizes {
        private InstanceSizes() {}

        /// Rejects sizes above the devices available of every kind.
        ///
        /// @param most most devices available of one kind
        /// @throws InvalidProblemException if a size is larger
        static void check(List<Integer> asked, int most) {
            List<Objection> objections = IntStream.range(0, asked.size())
                    .filter(index -> asked.get(index) > most)
                    .mapToObj(index -> new Objection(
                            Subject.INSTANCE_SIZES,
                            index,
                            "must be at most the device count (" + most + "), got " + asked.get(index)))
                    .toList();
            if (!objections.isEmpty()) {
                throw new InvalidProblemException(objections);
            }
        }

        /// Returns the distinct requested sizes, or powers of two if none are requested.
        ///
        /// @param available devices of the kind
        static List<Integer> of(List<Integer> asked, int available) {
            return asked.isEmpty()
                    ? IntStream.iterate(1, size -> size <= available && size > 0, size -> size * 2)
                            .boxed()
                            .toList()
                    : asked.stream().distinct().toList();
        }

        /// Returns the reason to reject instances larger than the devices available of their kind.
        static String tooLarge(int available) {
            return available == 1 ? "1 device is there" : available + " devices are there";
        }
    }
}
