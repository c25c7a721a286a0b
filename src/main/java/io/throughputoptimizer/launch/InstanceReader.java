package io.throughputoptimizer.launch;

import static java.util.Objects.requireNonNull;
import static java.util.Objects.requireNonNullElse;

import io.throughputoptimizer.api.request.OptimizationRequest;
import io.throughputoptimizer.api.result.CapacityResponse.GroupResponse;
import io.throughputoptimizer.api.result.PdRatioRowResponse;
import io.throughputoptimizer.api.result.ResultResponse.DeviceResponse;
import io.throughputoptimizer.api.result.RowResponse;
import io.throughputoptimizer.api.result.figure.EngineMemoryResponse;
import io.throughputoptimizer.api.result.figure.MemoryResponse;
import io.throughputoptimizer.api.result.figure.ParallelResponse;
import io.throughputoptimizer.api.result.figure.PhaseName;
import io.throughputoptimizer.catalog.Catalogs;
import io.throughputoptimizer.catalog.DeviceDocument;
import io.throughputoptimizer.launch.LaunchPlan.AnalyticMemory;
import io.throughputoptimizer.launch.LaunchPlan.Device;
import io.throughputoptimizer.launch.LaunchPlan.Instance;
import io.throughputoptimizer.launch.LaunchPlan.Layout;
import io.throughputoptimizer.launch.LaunchPlan.Memory;
import io.throughputoptimizer.launch.LaunchPlan.OlderMemory;
import io.throughputoptimizer.launch.LaunchPlan.Role;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Reads instances from the rows of a result.
final class InstanceReader {
    private final Catalogs catalogs;
    private final OptimizationRequest request;
    private final DeviceResponse found;

    /// @param found result of the devices
    InstanceReader(Catalogs catalogs, OptimizationRequest request, DeviceResponse found) {
        this.catalogs = catalogs;
        this.request = request;
        this.found = found;
    }

    /// Returns the instance of a row; with `cost_model` `calibrated` it can stand for several replicas.
    Instance of(RowResponse row, PhaseName phase) {
        return instance(row, role(phase), found.device(), replicas(row));
    }

    /// Returns the instance at its peak, so that headroom can be used.
    Instance of(GroupResponse group, String device) {
        RowResponse peak = group.peak();
        Instance one =
                instance(peak, role(group.phase()), device, Math.toIntExact(group.count() * (long) replicas(peak)));
        return one.role() == Role.DECODE && peak.steady() != null
                ? one.within(Math.ceilDiv(peak.concurrency(), one.layout().dp()), one.budget())
                : one;
    }

    /// Returns the prefill and decode instances of a pair. In the calibrated model a prefill rank processes one
    /// prompt at a time, and outstanding requests are spread over the decode ranks.
    List<Instance> of(PdRatioRowResponse pair) {
        String prefill = found.device();
        String decode = found.device();
        if (pair.kinds() != null) {
            prefill = requireNonNullElse(pair.kinds().prefillDevice(), prefill);
            decode = requireNonNullElse(pair.kinds().decodeDevice(), decode);
        }
        int prefillCount = requireNonNullElse(pair.prefillInstances(), 1);
        int decodeCount = requireNonNullElse(pair.decodeInstances(), 1);
        if (pair.prefillBatchSize() != null && pair.decodeBatchSize() != null) {
            return List.of(
                    side(Role.PREFILL, prefill, pair.prefillParallel(), pair.prefillBatchSize(), prefillCount),
                    side(Role.DECODE, decode, pair.decodeParallel(), pair.decodeBatchSize(), decodeCount));
        }
        long outstanding =
                pair.load() == null ? 1 : requireNonNullElse(pair.load().concurrency(), 1L);
        long each = Math.ceilDiv(
                outstanding, (long) decodeCount * pair.decodeParallel().dp());
        MemoryResponse prefilling = pair.load() == null ? null : pair.load().prefillMemory();
        MemoryResponse decoding = pair.load() == null ? null : pair.load().memory();
        return List.of(
                unlisted(Role.PREFILL, prefill, pair.prefillParallel(), 1, prefilling, prefillCount),
                unlisted(Role.DECODE, decode, pair.decodeParallel(), each, decoding, decodeCount));
    }

    private static Role role(PhaseName phase) {
        return switch (phase) {
            case AGGREGATION -> Role.AGGREGATION;
            case PREFILL -> Role.PREFILL;
            case DECODE -> Role.DECODE;
        };
    }

    private static int replicas(RowResponse row) {
        return row.steady() == null ? 1 : requireNonNullElse(row.steady().replicas(), 1);
    }

    private Instance instance(RowResponse row, Role role, String device, int count) {
        return new Instance(
                role,
                device(device),
                PlanPrecision.of(request, found, row.parallel().variant()),
                layout(row.parallel()),
                row.batchSize(),
                row.batchSize() * row.parallel().dp(),
                role == Role.DECODE ? RankBudget.OF_DECODE : RankBudget.of(row, role, request.isDocumented()),
                memory(row.memory()),
                count);
    }

    /// Returns one side of a pair. Its batch size can differ from the best one of its phase; budget and memory
    /// are taken from the row with the same layout.
    private Instance side(Role role, String device, ParallelResponse parallel, long batchSize, int count) {
        RowResponse like = found.phases().stream()
                .filter(phase -> role(phase.phase()) == role)
                .flatMap(phase -> phase.rows().stream())
                .filter(row -> row.parallel().label().equals(parallel.label()))
                .findFirst()
                .orElse(null);
        if (like == null) {
            return unlisted(role, device, parallel, batchSize, null, count);
        }
        Instance listed = instance(like, role, device, count);
        if (like.batchSize() == batchSize) {
            return listed;
        }
        long concurrency = batchSize * parallel.dp();
        return new Instance(
                role,
                listed.device(),
                listed.precision(),
                listed.layout(),
                batchSize,
                concurrency,
                role == Role.DECODE
                        ? RankBudget.OF_DECODE
                        : RankBudget.of(like, concurrency, role, request.isDocumented()),
                like.batchSize() > batchSize ? listed.memory() : withoutCache(like.memory()),
                count);
    }

    /// Returns a side without a row in the result.
    private Instance unlisted(
            Role role,
            String device,
            ParallelResponse parallel,
            long batchSize,
            @Nullable MemoryResponse memory,
            int count) {
        return new Instance(
                role,
                device(device),
                PlanPrecision.of(request, found, parallel.variant()),
                layout(parallel),
                batchSize,
                batchSize * parallel.dp(),
                role == Role.DECODE
                        ? RankBudget.OF_DECODE
                        : RankBudget.ofPrefill(newTokens(), budget(), batchSize, request.isDocumented()),
                memory == null ? null : memory(memory),
                count);
    }

    private long newTokens() {
        double input =
                PlanLengths.ofInputs(request.workload(), List.of(), catalogs).mean();
        return (long)
                Math.ceil(input * (1 - requireNonNullElse(request.workload().prefixCacheHitRate(), 0.0)));
    }

    private long budget() {
        return found.engine() == null
                ? requireNonNull(request.search().maxBatchedTokens()).getFirst()
                : requireNonNull(found.engine().maxBatchedTokens());
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

    /// Returns the memory, or null if it is unknown.
    private @Nullable Memory memory(MemoryResponse memory) {
        Double weights = memory.weightGb();
        if (weights == null) {
            return null;
        } else if (request.isCalibrated()) {
            EngineMemoryResponse parts = memory.engine();
            return parts == null || parts.maxModelLenLow() == null
                    ? new OlderMemory()
                    : new LaunchMemory(parts, requireNonNull(found.engine()));
        }
        double states = requireNonNullElse(memory.stateGb(), 0.0);
        return new AnalyticMemory(
                memory.totalGb(),
                weights,
                requireNonNullElse(memory.kvCacheGb(), 0.0)
                        + states
                        + Math.max(0, requireNonNullElse(memory.availableGb(), 0.0)),
                memory.reservedGb());
    }

    /// Returns the memory without the KV cache: a larger batch has more activations and leaves less for the
    /// cache.
    private static Memory withoutCache(MemoryResponse memory) {
        return new AnalyticMemory(
                memory.totalGb(), requireNonNullElse(memory.weightGb(), 0.0), null, memory.reservedGb());
    }

    private Device device(String name) {
        List<DeviceDocument> own = requireNonNullElse(request.deviceProfiles(), List.of());
        String vendor = Stream.concat(
                        own.stream().filter(profile -> name.equals(profile.name())),
                        catalogs.deviceDocument(name).stream())
                .findFirst()
                .map(DeviceDocument::vendor)
                .orElse("");
        return new Device(name, vendor);
    }
}
