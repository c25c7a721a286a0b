package io.throughputoptimizer.launch;

import static java.util.Objects.requireNonNullElse;

import io.throughputoptimizer.api.request.OptimizationRequest;
import io.throughputoptimizer.api.request.ServingRequest;
import io.throughputoptimizer.api.result.CapacityResponse;
import io.throughputoptimizer.api.result.CapacityResponse.DeploymentResponse;
import io.throughputoptimizer.api.result.CapacityResponse.GroupResponse;
import io.throughputoptimizer.api.result.MemoryResponse;
import io.throughputoptimizer.api.result.PairKindsResponse;
import io.throughputoptimizer.api.result.ParallelResponse;
import io.throughputoptimizer.api.result.PdRatioRowResponse;
import io.throughputoptimizer.api.result.PhaseName;
import io.throughputoptimizer.api.result.PhaseResponse;
import io.throughputoptimizer.api.result.ResultResponse;
import io.throughputoptimizer.api.result.ResultResponse.DeviceResponse;
import io.throughputoptimizer.api.result.RowResponse;
import io.throughputoptimizer.catalog.Catalogs;
import io.throughputoptimizer.catalog.DeviceDocument;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.launch.CannotLaunchException.Subject;
import io.throughputoptimizer.launch.LaunchPlan.Instance;
import io.throughputoptimizer.launch.LaunchPlan.Layout;
import io.throughputoptimizer.launch.LaunchPlan.Memory;
import io.throughputoptimizer.launch.LaunchPlan.Role;
import io.throughputoptimizer.launch.LaunchPlan.Served;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Reads the plan of one row from what was asked and what was found.
final class PlanReader {
    private static final String OF_ALL_INSTANCES =
            "a pair of cost model calibrated says what all instances hold together, not what each is to be told";

    private final Catalogs catalogs;
    private final OptimizationRequest request;
    private final @Nullable CapacityResponse capacity;
    private final DeviceResponse device;

    PlanReader(Catalogs catalogs, OptimizationRequest request, ResultResponse result, @Nullable String deviceName) {
        this.catalogs = catalogs;
        this.request = request;
        this.capacity = result.capacity();
        this.device = deviceName == null
                ? result.devices().getFirst()
                : result.devices().stream()
                        .filter(one -> one.device().equals(deviceName))
                        .findFirst()
                        .orElseThrow(() -> new CannotLaunchException(
                                Subject.DEVICE,
                                "is " + deviceName + ": one of "
                                        + String.join(
                                                ", ",
                                                result.devices().stream()
                                                        .map(DeviceResponse::device)
                                                        .toList())
                                        + " is needed"));
    }

    /// @param rank place in the table, from 1
    /// @throws CannotLaunchException if there is no such row
    LaunchPlan read(int rank) {
        return capacity == null ? readRow(rank) : read(nth(capacity.rows(), rank, "deployments"));
    }

    /// Each instance is told what it holds at its most, so that the headroom can be used.
    private LaunchPlan read(DeploymentResponse deployment) {
        if (!deployment.device().equals(device.device())) {
            throw new CannotLaunchException(
                    Subject.DEVICE,
                    "is " + device.device() + ": deployment " + deployment.rank() + " is of " + deployment.device());
        }
        if (device.scheme() != null && deployment.instances().size() > 1) {
            throw new CannotLaunchException(Subject.ENGINE, OF_ALL_INSTANCES);
        }
        List<RowResponse> rows =
                deployment.instances().stream().map(GroupResponse::peak).toList();
        return new LaunchPlan(
                served(rows),
                PlanPrecision.of(request, device, rows),
                deployment.instances().stream()
                        .map(group -> instance(group.peak(), role(group.phase()), Math.toIntExact(group.count())))
                        .toList(),
                unsaid());
    }

    private LaunchPlan readRow(int rank) {
        List<RowResponse> rows = new ArrayList<>();
        List<Instance> instances = new ArrayList<>();
        if (device.pdRatio() == null) {
            for (PhaseResponse phase : device.phases()) {
                RowResponse row = nth(phase.rows(), rank, phase.phase().wireName());
                rows.add(row);
                instances.add(instance(row, role(phase.phase()), 1));
            }
        } else {
            PdRatioRowResponse pair = nth(device.pdRatio().rows(), rank, "pairs");
            rows.addAll(instances(pair, instances));
        }
        return new LaunchPlan(served(rows), PlanPrecision.of(request, device, rows), List.copyOf(instances), unsaid());
    }

    private List<String> unsaid() {
        ServingRequest serving = request.serving();
        return serving != null && Boolean.TRUE.equals(serving.sharedExpertTp())
                ? List.of("shared experts that are split over the tensor parallel ranks: the engine decides")
                : List.of();
    }

    private static <T> T nth(List<T> rows, int rank, String table) {
        if (rank < 1 || rank > rows.size()) {
            throw new CannotLaunchException(
                    Subject.RANK,
                    "is " + rank + ": "
                            + (rows.isEmpty()
                                    ? "the result has no row of " + table
                                    : "a number from 1 to " + rows.size() + " is needed, the rows of " + table));
        }
        return rows.get(rank - 1);
    }

    private static Role role(PhaseName phase) {
        return switch (phase) {
            case AGGREGATION -> Role.AGGREGATION;
            case PREFILL -> Role.PREFILL;
            case DECODE -> Role.DECODE;
        };
    }

    private Instance instance(RowResponse row, Role role, int count) {
        RankBudget budget = role == Role.DECODE ? RankBudget.OF_DECODE : RankBudget.of(row, role, request.accounting());
        int replicas =
                row.steady() == null ? count : requireNonNullElse(row.steady().replicas(), count);
        return new Instance(
                role,
                layout(row.parallel()),
                row.batchSize(),
                row.batchSize() * row.parallel().dp(),
                budget,
                memory(row.memory()),
                replicas);
    }

    /// Adds both instances of a pair, and tells the rows that they are of, where the result lists them.
    private List<RowResponse> instances(PdRatioRowResponse pair, List<Instance> instances) {
        if (pair.prefillBatchSize() == null || pair.decodeBatchSize() == null) {
            throw new CannotLaunchException(Subject.ENGINE, OF_ALL_INSTANCES);
        }
        PairKindsResponse kinds = pair.kinds();
        if (kinds != null && !kinds.areOne()) {
            throw new CannotLaunchException(
                    Subject.RANK,
                    "is of a pair on two kinds of device, " + device.device()
                            + ": commands are for one kind; ask for each side in mode disaggregation");
        }
        RowResponse prefill = row(PhaseName.PREFILL, pair.prefillParallel(), pair.prefillBatchSize());
        RowResponse decode = row(PhaseName.DECODE, pair.decodeParallel(), pair.decodeBatchSize());
        instances.add(instance(prefill, Role.PREFILL, requireNonNullElse(pair.prefillInstances(), 1)));
        instances.add(instance(decode, Role.DECODE, requireNonNullElse(pair.decodeInstances(), 1)));
        return List.of(prefill, decode);
    }

    private RowResponse row(PhaseName phase, ParallelResponse parallel, long batchSize) {
        return device.phases().stream()
                .filter(found -> found.phase() == phase)
                .flatMap(found -> found.rows().stream())
                .filter(row -> row.parallel().label().equals(parallel.label()) && row.batchSize() == batchSize)
                .findFirst()
                .orElseThrow(() -> new CannotLaunchException(
                        Subject.RANK, "is of a pair whose " + phase.wireName() + " row the result does not list"));
    }

    private static Layout layout(ParallelResponse parallel) {
        return new Layout(
                parallel.label(),
                parallel.tp(),
                parallel.dp(),
                requireNonNullElse(parallel.dcp(), 1),
                requireNonNullElse(parallel.ep(), 1),
                requireNonNullElse(parallel.moeTp(), 1),
                requireNonNullElse(parallel.moeDp(), 1),
                parallel.ep() != null);
    }

    private static Memory memory(MemoryResponse memory) {
        double states = requireNonNullElse(memory.stateGb(), 0.0);
        return new Memory(
                memory.totalGb(),
                memory.weightGb(),
                memory.kvCacheGb() + states + Math.max(0, memory.availableGb()),
                memory.reservedGb());
    }

    private Served served(List<RowResponse> rows) {
        Optional<ModelArchitecture> known = request.modelConfig() == null
                ? catalogs.models().find(requireNonNullElse(request.modelId(), ""))
                : Optional.empty();
        PlanLengths inputs = PlanLengths.ofInputs(request.workload(), rows, catalogs);
        PlanLengths outputs = PlanLengths.ofOutputs(request.workload(), catalogs);
        return new Served(
                requireNonNullElse(request.modelId(), "the model of model_config"),
                known.map(ModelArchitecture::family).orElseGet(this::modelType),
                known.map(ModelArchitecture::contextTokens).orElse(null),
                device.device(),
                vendor(),
                inputs.longest(),
                Math.round(inputs.mean()),
                outputs.longest(),
                Math.round(outputs.mean()),
                requireNonNullElse(request.workload().prefixCacheHitRate(), 0.0),
                request.slo().ttftMs(),
                request.slo().tpotMs());
    }

    private String modelType() {
        Map<String, @Nullable Object> config = request.modelConfig();
        return config == null ? "" : String.valueOf(config.get("model_type"));
    }

    private String vendor() {
        List<DeviceDocument> own = requireNonNullElse(request.deviceProfiles(), List.of());
        return Stream.concat(
                        own.stream().filter(profile -> device.device().equals(profile.name())),
                        catalogs.deviceDocument(device.device()).stream())
                .findFirst()
                .map(DeviceDocument::vendor)
                .orElse("");
    }
}
