package io.throughputoptimizer.core.capacity;

import io.throughputoptimizer.core.hardware.DeviceProfile;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.search.OptimizationProblem;
import io.throughputoptimizer.core.search.OptimizationProblem.Demand;
import io.throughputoptimizer.core.search.OptimizationProblem.Search;
import io.throughputoptimizer.core.search.OptimizationProblem.Serving;
import io.throughputoptimizer.core.search.SearchMode;
import io.throughputoptimizer.core.search.space.AvailableDevices;
import io.throughputoptimizer.core.search.space.Handovers;
import io.throughputoptimizer.core.search.space.InvalidProblemException;
import io.throughputoptimizer.core.search.space.KvTransfer;
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
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A question to the [CapacityOptimizer]: how few devices serve a demand within limits, in which instances.
///
/// @param devices kinds of device, each by itself
/// @param available devices of each kind
/// @param instanceSizes devices of an instance, to try; empty for powers of two up to the devices available
/// @param demand what each request is, the limits that it must keep, and what equal deployments are ranked by
/// @param search what is tried of each instance; its mode and its instances are not looked at
/// @param transfer how caches get from prefill to decode instances; absent where that takes no time
public record CapacityProblem(
        ModelArchitecture model,
        List<DeviceProfile> devices,
        AvailableDevices available,
        List<Integer> instanceSizes,
        Requirement requirement,
        Demand demand,
        Serving serving,
        Search search,
        @Nullable KvTransfer transfer) {

    private static final String OF_TURNS =
            "since cost model analytic looks at each side of a pair by itself, and what prefill instances forget of"
                    + " conversations depends on both";

    /// How prefill and decode are laid out over instances.
    public enum Kind {
        /// Each instance does both.
        AGGREGATED,
        /// Prefill instances feed decode instances.
        DISAGGREGATED
    }

    /// Instances of one size on one kind of device.
    ///
    /// @param size devices of an instance
    /// @param objections why there can be none; empty where there can be
    record Attempt(DeviceProfile device, int size, Kind kind, List<Objection> objections) {
        boolean isPossible() {
            return objections.isEmpty();
        }
    }

    /// @throws InvalidProblemException when the parts do not go together, or no size can have an instance
    public CapacityProblem {
        devices = devices.stream().distinct().toList();
        InstanceSizes.check(instanceSizes, available.most());
    }

    /// The same where something else is tried of each instance.
    ///
    /// @throws InvalidProblemException when the parts do not go together
    public CapacityProblem with(Search other) {
        return new CapacityProblem(
                model, devices, available, instanceSizes, requirement, demand, serving, other, transfer);
    }

    /// The same problem, refused if no size can have an instance, or nobody knows what a transfer takes.
    ///
    /// @throws InvalidProblemException with what stands against the transfer, or against the largest instances
    public CapacityProblem checked() {
        if (transfer != null) {
            Handovers.obstacle(demand.workload()).ifPresent(reason -> {
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

    /// What objections to an instance depend on, but for the words of an obstacle to so many devices of the kind.
    private record Looked(int size, Kind kind, boolean obstructed) {}

    /// Objections to an instance.
    ///
    /// @param obstacle to so many devices of its kind
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

    /// Instances to search, by kind of device, then size. To be asked once: each is looked at.
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

    /// The problems of all instances that are possible, by kind of device, size and what they do.
    public Stream<OptimizationProblem> instances() {
        return attempts().stream().filter(Attempt::isPossible).map(this::problem);
    }

    /// The problem of instances that are possible.
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
        Demand alone = new Demand(demand.workload(), demand.limits(), demand.beyondContext());
        return new OptimizationProblem(
                model,
                List.of(device),
                size,
                alone,
                serving,
                sized,
                requirement.unit().isAtOnce() || sharesAnswers(kind));
    }

    /// Whether instances of both phases keep a limit on whole answers together: any batch size of each may then be
    /// best.
    boolean sharesAnswers(Kind kind) {
        return kind == Kind.DISAGGREGATED && demand.limits().boundsAnswers();
    }

    /// An instance as it is searched: where it hands caches over, its TTFT has the limit less their transfer. A pair
    /// takes the devices of both.
    ///
    /// @param sized the problem of an attempt
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

    /// Why no deployment of that kind is compared, whatever the sizes; empty where some are.
    ///
    /// @param attempts all of them
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

    /// Candidates of all instances.
    public long candidates() {
        return ofAll(OptimizationProblem::candidates);
    }

    /// Upper bound of the points that the searches evaluate.
    public long mostPoints() {
        return ofAll(OptimizationProblem::mostPoints);
    }

    private record Instance(int size, Kind kind) {}

    /// What is counted of all instances. Those of one size are alike in it on all kinds of device.
    private long ofAll(ToLongFunction<OptimizationProblem> count) {
        Map<Instance, Long> known = new HashMap<>();
        return attempts().stream()
                .filter(Attempt::isPossible)
                .mapToLong(attempt -> known.computeIfAbsent(
                        new Instance(attempt.size, attempt.kind), _ -> count.applyAsLong(problem(attempt))))
                .reduce(0, Tally::plus);
    }
}
