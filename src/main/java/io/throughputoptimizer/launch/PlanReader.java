package io.throughputoptimizer.launch;

import static java.util.Objects.requireNonNull;
import static java.util.Objects.requireNonNullElse;

import io.throughputoptimizer.api.request.ConversationRequest;
import io.throughputoptimizer.api.request.OptimizationRequest;
import io.throughputoptimizer.api.request.ServingRequest;
import io.throughputoptimizer.api.result.CapacityResponse;
import io.throughputoptimizer.api.result.CapacityResponse.DeploymentResponse;
import io.throughputoptimizer.api.result.CapacityResponse.GroupResponse;
import io.throughputoptimizer.api.result.ConversationsResponse;
import io.throughputoptimizer.api.result.PdRatioRowResponse;
import io.throughputoptimizer.api.result.PhaseResponse;
import io.throughputoptimizer.api.result.PhaseResponse.RejectedResponse;
import io.throughputoptimizer.api.result.PhaseResponse.ShortageResponse;
import io.throughputoptimizer.api.result.ResultResponse;
import io.throughputoptimizer.api.result.ResultResponse.DeviceResponse;
import io.throughputoptimizer.api.result.RowResponse;
import io.throughputoptimizer.api.result.figure.BestFitResponse;
import io.throughputoptimizer.catalog.Catalogs;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.launch.CannotLaunchException.Subject;
import io.throughputoptimizer.launch.LaunchPlan.Instance;
import io.throughputoptimizer.launch.LaunchPlan.Served;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Reads the plan of one row from a request and its result.
final class PlanReader {
    /// Significant digits of a displayed rate.
    private static final int FIGURES = 4;

    private final Catalogs catalogs;
    private final OptimizationRequest request;
    private final ResultResponse result;
    private final @Nullable String deviceName;
    private final LoadReader loads;

    /// @param deviceName kind of device; null for the first that has the row
    PlanReader(Catalogs catalogs, OptimizationRequest request, ResultResponse result, @Nullable String deviceName) {
        this.catalogs = catalogs;
        this.request = request;
        this.result = result;
        this.deviceName = deviceName;
        this.loads = new LoadReader(catalogs, request);
        if (deviceName != null) {
            DeviceResponse _ = device(deviceName);
        }
    }

    /// @param rank place in the table, from 1
    /// @throws CannotLaunchException if there is no such row
    LaunchPlan read(int rank) {
        CapacityResponse capacity = result.capacity();
        if (capacity != null) {
            return deployment(capacity, rank);
        }
        DeviceResponse device = deviceName == null
                ? result.devices().stream()
                        .filter(one -> rows(one) >= rank)
                        .findFirst()
                        .orElse(result.devices().getFirst())
                : device(deviceName);
        if (rows(device) == 0) {
            requireMemory(device);
        }
        return device.pdRatio() == null ? phases(device, rank) : pair(device, rank);
    }

    private static int rows(DeviceResponse device) {
        return device.pdRatio() == null
                ? device.phases().stream()
                        .mapToInt(phase -> phase.rows().size())
                        .max()
                        .orElse(0)
                : device.pdRatio().rows().size();
    }

    /// Reports the shortage by part of the layout with the smallest shortage, if no layout starts.
    private static void requireMemory(DeviceResponse device) {
        List<RejectedResponse> rejected = device.phases().stream()
                .flatMap(phase -> phase.rejected().stream())
                .toList();
        if (rejected.stream()
                .allMatch(one -> one.memory() != null || one.reason().equals("model"))) {
            rejected.stream()
                    .filter(one -> one.memory() != null && one.memory().engine().seenGib() != null)
                    .min(Comparator.comparingDouble(one -> lacking(requireNonNull(one.memory()))))
                    .ifPresent(one -> {
                        throw new CannotLaunchException(
                                Subject.ENGINE,
                                "No server of the request starts; "
                                        + one.parallel().label() + ": "
                                        + LaunchMemory.shortage(
                                                requireNonNull(one.memory()).engine()));
                    });
        }
    }

    private static double lacking(ShortageResponse memory) {
        return memory.neededGb() - memory.totalGb();
    }

    private DeviceResponse device(String name) {
        return result.devices().stream()
                .filter(one -> one.device().equals(name))
                .findFirst()
                .orElseThrow(() -> new CannotLaunchException(
                        Subject.DEVICE,
                        "must be one of "
                                + String.join(
                                        ", ",
                                        result.devices().stream()
                                                .map(DeviceResponse::device)
                                                .toList())
                                + ", got " + name));
    }

    /// Returns the plan of a deployment; if the devices do not suffice, of a deployment that would.
    private LaunchPlan deployment(CapacityResponse capacity, int rank) {
        List<DeploymentResponse> needed =
                requireNonNullElse(capacity.shortfalls(), List.<CapacityResponse.ShortfallResponse>of()).stream()
                        .filter(shortfall ->
                                deviceName == null || shortfall.device().equals(deviceName))
                        .flatMap(shortfall -> shortfall.needed().stream())
                        .toList();
        boolean reaches = !capacity.rows().isEmpty();
        DeploymentResponse deployment = nth(reaches ? capacity.rows() : needed, rank, "deployments");
        if (deviceName != null && !deployment.device().equals(deviceName)) {
            throw new CannotLaunchException(
                    Subject.DEVICE,
                    "is " + deviceName + ": deployment " + deployment.rank() + " is of " + deployment.device());
        }
        DeviceResponse device = device(deployment.device());
        InstanceReader reader = new InstanceReader(catalogs, request, device);
        List<String> notes = new ArrayList<>();
        if (!reaches) {
            notes.add("the demand takes " + deployment.numDevices() + " devices, more than the " + device.numDevices()
                    + " that are there");
        }
        notes.addAll(warnings(
                deployment.instances().stream().map(GroupResponse::load).toList()));
        return new LaunchPlan(
                served(deployment.instances().stream().map(GroupResponse::peak).toList()),
                drafting(deployment.instances().stream()
                        .map(group -> reader.of(group, deployment.device()))
                        .toList()),
                loads.of(deployment),
                notes,
                unsaid());
    }

    /// Returns the plan of all phases. A phase without a row at this rank is left out.
    private LaunchPlan phases(DeviceResponse device, int rank) {
        List<RowResponse> rows = new ArrayList<>();
        List<Instance> instances = new ArrayList<>();
        InstanceReader reader = new InstanceReader(catalogs, request, device);
        boolean some = rows(device) >= rank;
        for (PhaseResponse phase : device.phases()) {
            if (some && phase.rows().size() < rank) {
                continue;
            }
            RowResponse row = nth(phase.rows(), rank, phase.phase().wireName());
            rows.add(row);
            instances.add(reader.of(row, phase.phase()));
        }
        return new LaunchPlan(served(rows), List.copyOf(instances), loads.of(instances), warnings(rows), unsaid());
    }

    private LaunchPlan pair(DeviceResponse device, int rank) {
        PdRatioRowResponse pair =
                nth(device.pdRatio() == null ? List.of() : device.pdRatio().rows(), rank, "pairs");
        List<Instance> instances = drafting(new InstanceReader(catalogs, request, device).of(pair));
        return new LaunchPlan(
                served(List.of(), pair.conversations()),
                instances,
                pair.load() == null || pair.load().concurrency() == null
                        ? loads.of(instances)
                        : loads.of(instances, pair.load().concurrency()),
                notes(pair),
                unsaid());
    }

    /// Returns the instances with the draft tokens of decode. Prefill instances draft nothing, but must compute
    /// the draft layer's state of a prompt.
    private List<Instance> drafting(List<Instance> instances) {
        int tokens = instances.getLast().precision().draftTokens();
        return request.isCalibrated() && tokens > 0
                ? instances.stream().map(one -> one.drafting(tokens)).toList()
                : instances;
    }

    /// Returns notes on a pair: the instance counts with the highest throughput, if different, and its caveats.
    private static List<String> notes(PdRatioRowResponse pair) {
        List<String> notes = new ArrayList<>();
        BestFitResponse most =
                pair.available() == null ? null : pair.available().most();
        if (most != null) {
            notes.add("the devices that are there serve most with " + most.prefillInstances() + " prefill and "
                    + most.decodeInstances() + " decode instances: "
                    + BigDecimal.valueOf(most.requestsPerS())
                            .round(new MathContext(FIGURES))
                            .toPlainString()
                    + " requests a second; the commands are of those of the row");
        }
        notes.addAll(requireNonNullElse(pair.warnings(), List.of()));
        return notes;
    }

    private static List<String> warnings(List<RowResponse> rows) {
        return rows.stream()
                .flatMap(row -> requireNonNullElse(row.warnings(), List.<String>of()).stream())
                .distinct()
                .toList();
    }

    private List<String> unsaid() {
        ServingRequest serving = request.serving();
        if (serving == null) {
            return List.of();
        }
        List<String> unsaid = new ArrayList<>();
        if (serving.splitsSharedExperts()) {
            unsaid.add("shared experts that are split over the tensor parallel ranks: the engine decides");
        }
        if (serving.fusesReductions()) {
            unsaid.add("products and their all-reduce as one operator: the engine decides");
        }
        return unsaid;
    }

    private static <T> T nth(List<T> rows, int rank, String table) {
        if (rank < 1 || rank > rows.size()) {
            throw new CannotLaunchException(
                    Subject.RANK,
                    rows.isEmpty()
                            ? "is " + rank + ": the result has no row of " + table
                            : "must be a number from 1 to " + rows.size() + ", the rows of " + table + ", got " + rank);
        }
        return rows.get(rank - 1);
    }

    private Served served(List<RowResponse> rows) {
        return served(rows, rows.isEmpty() ? null : rows.getFirst().conversations());
    }

    /// @param kept prefix cache figures of conversations; null if no row has any
    private Served served(List<RowResponse> rows, @Nullable ConversationsResponse kept) {
        Optional<ModelArchitecture> known = request.modelConfig() == null
                ? catalogs.models().find(requireNonNullElse(request.modelId(), ""))
                : Optional.empty();
        PlanLengths inputs = PlanLengths.ofInputs(request.workload(), rows, catalogs);
        PlanLengths outputs = PlanLengths.ofOutputs(request.workload(), catalogs);
        return new Served(
                requireNonNullElse(request.modelId(), "the model of model_config"),
                known.map(ModelArchitecture::family).orElseGet(this::modelType),
                known.map(ModelArchitecture::contextTokens).orElse(null),
                inputs.longest(),
                Math.round(inputs.mean()),
                outputs.longest(),
                Math.round(outputs.mean()),
                null,
                prefixShare(kept),
                finite(request.slo().ttftMs()),
                finite(request.slo().tpotLimitMs()),
                finite(request.slo().e2eLatencyMs()),
                request.slo().percentile());
    }

    /// Returns the prefix cache hit rate; for turns that of the row, or else the rate of an unlimited cache.
    private double prefixShare(@Nullable ConversationsResponse kept) {
        ConversationRequest conversation = request.workload().conversation();
        if (conversation == null) {
            return requireNonNullElse(request.workload().prefixCacheHitRate(), 0.0);
        }
        return kept == null ? conversation.highestHitRate() : requireNonNullElse(kept.hitRate(), 0.0);
    }

    private static @Nullable Double finite(@Nullable Double limit) {
        return limit == null || limit.isInfinite() ? null : limit;
    }

    private String modelType() {
        Map<String, @Nullable Object> config = request.modelConfig();
        return config == null ? "" : String.valueOf(config.get("model_type"));
    }
}
