package io.throughputoptimizer.api.request;

import static java.util.Objects.requireNonNull;
import static java.util.Objects.requireNonNullElse;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.api.Bounds;
import io.throughputoptimizer.api.Required;
import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.api.problem.Violation;
import io.throughputoptimizer.api.request.EstimateRequest.ParallelRequest;
import io.throughputoptimizer.api.wire.Composite;
import io.throughputoptimizer.catalog.DeviceDocument;
import jakarta.validation.Valid;
import jakarta.validation.constraints.DecimalMax;
import jakarta.validation.constraints.DecimalMin;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// One configuration to simulate under one load, as it comes over the wire.
public record SimulationRequest(
        @Size(max = 256, message = "{request.model_id.length}")
        @Pattern(regexp = "^[A-Za-z0-9_/.][A-Za-z0-9_/.-]*$", message = "{request.model_id.characters}")
        @Nullable
        String modelId,

        @Schema(types = "object") @Nullable Map<String, @Nullable Object> modelConfig,
        String device,
        @Nullable DeviceDocument deviceProfile,
        @Schema(defaultValue = "calibrated") CostModelName costModel,
        @Valid @Nullable EngineRequest engine,
        @Valid QuantizationRequest quantization,
        @Valid ParallelRequest parallel,
        @Min(1) @Max(Bounds.COUNT) @Nullable Integer numDevices,
        @Valid @Nullable SimulatedPairRequest pair,
        @Required @Valid WorkloadRequest workload,
        @Required @Valid SimulatedTrafficRequest traffic,
        @Size(max = 50) List<@NotNull @DecimalMin("50") @DecimalMax("99") Double> percentiles,
        @Nullable Double bandCoverage,
        @Valid @Nullable SpeculationRequest speculation,
        @Schema(defaultValue = "false") @Nullable Boolean allowBeyondContext)
        implements Composite, CalibratedDeploymentRequest {

    public SimulationRequest {
        modelConfig = modelConfig == null || modelConfig.isEmpty() ? null : modelConfig;
        device = requireNonNullElse(device, nameOf(deviceProfile));
        costModel = requireNonNullElse(costModel, CostModelName.CALIBRATED);
        quantization = requireNonNullElse(quantization, QuantizationRequest.DEFAULT);
        parallel = requireNonNullElse(parallel, ParallelRequest.DEFAULT);
        workload = requireNonNullElse(workload, WorkloadRequest.EMPTY);
        traffic = requireNonNullElse(traffic, SimulatedTrafficRequest.EMPTY);
        percentiles = requireNonNullElse(percentiles, List.of());
    }

    private static String nameOf(@Nullable DeviceDocument profile) {
        return profile == null ? "" : requireNonNullElse(profile.name(), "");
    }

    /// Returns the name of the model in reports; an inline configuration might have none.
    public String modelName() {
        return modelId == null ? CatalogLookup.UNNAMED_MODEL : modelId;
    }

    /// One instance of each side, of a request with a pair.
    public Stream<SimulatedPairRequest.Instance> sides() {
        return pair == null
                ? Stream.empty()
                : Stream.of(
                        new SimulatedPairRequest.Instance(this, requireNonNull(pair.prefill()), false),
                        new SimulatedPairRequest.Instance(this, requireNonNull(pair.decode()), true));
    }

    /// Devices of all instances.
    @Override
    public long allDevices() {
        return pair == null
                ? CalibratedDeploymentRequest.super.allDevices()
                : sides().mapToLong(SimulatedPairRequest.Instance::allDevices).sum();
    }

    /// Equal shares of the load, of which one is simulated: attention data parallel ranks of all replicas; 1 of a pair.
    public long ranks() {
        return pair != null ? 1 : allDevices() / replicaDevices() * dataParallel();
    }

    @Override
    public List<Violation> inconsistencies() {
        List<Violation> broken = new ArrayList<>();
        if (modelId == null && modelConfig == null) {
            broken.add(new Violation("/model_id", "is required. Set model_id or model_config"));
        }
        if (device.isBlank()) {
            broken.add(new Violation("/device", EstimateRequest.DEVICE_MISSING));
        }
        if (costModel != CostModelName.CALIBRATED) {
            broken.add(new Violation(
                    "/cost_model", "must be calibrated for simulations, got " + WireFormat.name(costModel)));
        }
        broken.addAll(Applicability.broken(this, CostModelName.CALIBRATED, null));
        broken.addAll(measuredInconsistencies());
        broken.addAll(quantization.missingScheme());
        checkUnsimulated(broken);
        if (pair != null) {
            checkPair(broken);
            checkConcurrency(broken);
        } else if (allDevices() % replicaDevices() != 0) {
            broken.add(new Violation(
                    "/num_devices", "must be a multiple of tp * dp (" + replicaDevices() + "), got " + numDevices));
        } else {
            checkConcurrency(broken);
        }
        return broken;
    }

    private void checkPair(List<Violation> broken) {
        if (!parallel.equals(ParallelRequest.DEFAULT)) {
            broken.add(new Violation("/parallel", "must not be combined with pair. Set the layout in pair"));
        }
        if (numDevices != null) {
            broken.add(new Violation("/num_devices", "must not be combined with pair. Set instances in pair"));
        }
    }

    private void checkUnsimulated(List<Violation> broken) {
        workload.unspread(traffic.randomRangeRatio() < 1).ifPresent(broken::add);
        traffic.loads(workload.hasTimes()).map(one -> one.under("/traffic")).ifPresent(broken::add);
        if (workload.prefixCacheHitRate() > 0) {
            broken.add(new Violation(
                    "/workload/prefix_cache_hit_rate",
                    "must be 0 for simulations, which do not model a prefix cache, got "
                            + workload.prefixCacheHitRate()));
        }
        if (workload.conversation() != null) {
            traffic.unsaidOfTurns().forEach(one -> broken.add(one.under("/traffic")));
        }
        Integer poll = engine == null ? null : engine.pollInterval();
        if (poll != null && poll > 1) {
            broken.add(new Violation("/engine/poll_interval", "must be 1 for simulations, got " + poll));
        }
    }

    private void checkConcurrency(List<Violation> broken) {
        Integer concurrency = traffic.concurrency();
        long ranks = ranks();
        if (concurrency == null || ranks <= 0) { // Counts below 1 break a rule of their own.
            return;
        }
        if (concurrency % ranks != 0) {
            broken.add(new Violation(
                    "/traffic/concurrency", "must be a multiple of the " + ranks + " ranks, got " + concurrency));
        } else if (traffic.wavesOrDefault() * concurrency / ranks > SimulatedTrafficRequest.MOST_REQUESTS) {
            broken.add(new Violation(
                    "/traffic/waves",
                    "must be at most " + SimulatedTrafficRequest.MOST_REQUESTS / (concurrency / ranks) + " with "
                            + concurrency / ranks + " requests per rank, got " + traffic.wavesOrDefault()));
        }
    }

    /// Returns whether requests may exceed the context of the model.
    public boolean goesBeyondContext() {
        return Boolean.TRUE.equals(allowBeyondContext);
    }
}
