package io.throughputoptimizer.core.capacity;

import io.throughputoptimizer.core.hardware.DeviceProfile;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.search.AvailableDevices;
import io.throughputoptimizer.core.search.Handovers;
import io.throughputoptimizer.core.search.InvalidProblemException;
import io.throughputoptimizer.core.search.KvTransfer;
import io.throughputoptimizer.core.search.Objection;
import io.throughputoptimizer.core.search.Objection.Subject;
import io.throughputoptimizer.core.search.OptimizationProblem;
import io.throughputoptimizer.core.search.OptimizationProblem.Demand;
import io.throughputoptimizer.core.search.OptimizationProblem.Search;
import io.throughputoptimizer.core.search.OptimizationProblem.Serving;
import io.throughputoptimizer.core.search.Pairing;
import io.throughputoptimizer.core.search.SearchMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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
    /// @param problem absent where there can be no such instances
    /// @param objections why there can be none
    record Attempt(
            DeviceProfile device,
            int size,
            Kind kind,
            @Nullable OptimizationProblem problem,
            List<Objection> objections) {}

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
        if (attempts().stream().allMatch(attempt -> attempt.problem() == null)) {
            throw new InvalidProblemException(attempts().stream()
                    .filter(attempt -> attempt.kind() == Kind.AGGREGATED)
                    .reduce((_, last) -> last)
                    .orElseThrow()
                    .objections());
        }
        return this;
    }

    /// Instances to search, by kind of device, then size.
    List<Attempt> attempts() {
        return devices.stream()
                .flatMap(device -> InstanceSizes.of(instanceSizes, available.of(device.name())).stream()
                        .flatMap(size -> Stream.of(Kind.values()).map(kind -> attempt(device, size, kind))))
                .toList();
    }

    private Attempt attempt(DeviceProfile device, int size, Kind kind) {
        int there = available.of(device.name());
        if (size > there) {
            return new Attempt(
                    device,
                    size,
                    kind,
                    null,
                    List.of(new Objection(Subject.INSTANCE_SIZES, InstanceSizes.tooLarge(there))));
        }
        Search sized = new Search(
                kind == Kind.AGGREGATED ? SearchMode.AGGREGATION : SearchMode.PD_RATIO,
                search.accounting(),
                search.axes().with(search.axes().sizes().within(size)),
                search.batches(),
                kind == Kind.AGGREGATED ? null : Pairing.of(size, size));
        Demand alone = new Demand(demand.workload(), demand.objective(), demand.beyondContext());
        try {
            OptimizationProblem problem = new OptimizationProblem(
                    model, List.of(device), size, alone, serving, sized, requirement.isConcurrency());
            return new Attempt(device, size, kind, problem, List.of());
        } catch (InvalidProblemException impossible) {
            return new Attempt(device, size, kind, null, impossible.objections());
        }
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
    public Optional<String> leftOut(Kind kind) {
        List<Attempt> attempts =
                attempts().stream().filter(attempt -> attempt.kind() == kind).toList();
        if (attempts.stream().anyMatch(attempt -> attempt.problem() != null)) {
            return Optional.empty();
        }
        List<Objection> always = new ArrayList<>(attempts.getFirst().objections());
        attempts.forEach(attempt -> always.retainAll(attempt.objections()));
        return always.stream().map(Objection::message).findFirst();
    }

    /// Candidates of all instances.
    public long candidates() {
        return searches().mapToLong(OptimizationProblem::candidates).sum();
    }

    /// Upper bound of the points that the searches evaluate.
    public long mostPoints() {
        return searches()
                .mapToLong(OptimizationProblem::mostPoints)
                .reduce(0, (one, other) -> one > Long.MAX_VALUE - other ? Long.MAX_VALUE : one + other);
    }

    private Stream<OptimizationProblem> searches() {
        return attempts().stream()
                .flatMap(attempt -> attempt.problem() == null ? Stream.empty() : Stream.of(attempt.problem()));
    }
}
