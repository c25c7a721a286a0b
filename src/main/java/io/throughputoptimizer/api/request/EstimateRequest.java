package io.throughputoptimizer.api.request;

import static java.util.Objects.requireNonNull;
import static java.util.Objects.requireNonNullElse;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.api.Bounds;
import io.throughputoptimizer.api.Required;
import io.throughputoptimizer.api.WireMember;
import io.throughputoptimizer.api.problem.Violation;
import io.throughputoptimizer.api.wire.Composite;
import io.throughputoptimizer.catalog.DeviceDocument;
import io.throughputoptimizer.core.deployment.Execution;
import io.throughputoptimizer.core.deployment.ParallelSplit;
import io.throughputoptimizer.core.forward.MemoryFootprint;
import io.throughputoptimizer.core.serving.Accounting;
import jakarta.validation.Valid;
import jakarta.validation.constraints.DecimalMax;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.PositiveOrZero;
import jakarta.validation.constraints.Size;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A forward pass to price, as it comes over the wire. Absent members take their defaults when the record is made.
public record EstimateRequest(
        @Size(max = 256, message = "{request.model_id.length}")
        @Pattern(regexp = "^[A-Za-z0-9_/.][A-Za-z0-9_/.-]*$", message = "{request.model_id.characters}")
        @Nullable
        String modelId,

        @Schema(types = "object") @Nullable Map<String, @Nullable Object> modelConfig,
        String device,
        @Nullable DeviceDocument deviceProfile,

        @Schema(defaultValue = "1") @Min(1) @Max(Bounds.COUNT) @Nullable
        Integer numDevices,

        @Valid ParallelRequest parallel,
        @Valid QuantizationRequest quantization,

        @Only(costModel = CostModelName.ANALYTIC, instead = "engines are compiled as they were measured")
        @Schema(
                description = "True to compile the graph, which fuses and merges operators. {only}.",
                defaultValue = "false")
        @Nullable
        Boolean compile,

        @Only(costModel = CostModelName.ANALYTIC, instead = "use speculation")
        @Schema(
                description = "Draft tokens that a decode step predicts after the next token. {only}.",
                defaultValue = "0")
        @Min(0)
        @Max(ServingRequest.MAX_MTP_TOKENS)
        @Nullable
        Integer numMtpTokens,

        @Only(costModel = CostModelName.ANALYTIC, instead = "shared experts run as measured")
        @Schema(
                description = "True to split shared experts over tensor parallel ranks: each rank computes a part of"
                        + " them for all tokens. Requires shared experts, `compile` and `ep` above"
                        + " 1. {only}.",
                defaultValue = "false")
        @Nullable
        Boolean sharedExpertTp,

        @Only(costModel = CostModelName.ANALYTIC, instead = "passes are priced as they were measured")
        @Schema(
                description = "Accounting of the pass. `documented`: as msmodeling. `steady`: corrected where"
                        + " msmodeling is wrong for planning or has no price. Searches with the same"
                        + " accounting use these passes. {only}.",
                allowableValues = {"documented", "steady"},
                defaultValue = "documented")
        @Nullable
        Accounting accounting,

        @Only(costModel = CostModelName.ANALYTIC, instead = "engines reduce as they were measured")
        @Schema(
                description = "True to price a matrix product and its all-reduce as one operator, with the longer of"
                        + " both times. Requires `compile`. {only}.",
                defaultValue = "false")
        @Nullable
        Boolean matmulAllreduce,

        @Only(costModel = CostModelName.ANALYTIC, instead = "use engine.kv_tokens")
        @Schema(description = "Memory of each device kept free, in GiB. {only}.", defaultValue = "10.0")
        @PositiveOrZero
        @DecimalMax(Bounds.AMOUNT)
        @Nullable
        Double reservedMemoryGb,

        @Required @Valid PassRequest pass,
        @Schema(defaultValue = "auto") CostModelChoice costModel,
        @Valid @Nullable EngineRequest engine,

        @Only(costModel = CostModelName.CALIBRATED)
        @Schema(description = "Coverage of prediction intervals: 0.9 or 0.5. {only}. Default: 0.9.")
        @Nullable
        Double bandCoverage,

        @Only(costModel = CostModelName.CALIBRATED, instead = "use num_mtp_tokens")
        @Schema(
                description = "Speculative decoding. `pass.query_len` is then one more than the number of draft"
                        + " tokens. {only}.")
        @Valid
        @Nullable
        SpeculationRequest speculation,

        @Schema(defaultValue = "false") @Nullable Boolean allowBeyondContext)
        implements Composite, CalibratedDeploymentRequest {
    private static final DeviceDocument EMPTY_PROFILE =
            new DeviceDocument(null, null, null, null, null, null, null, null, null, null, null);

    static final String DEVICE_MISSING =
            "is required. Name a device, for example \"device\": \"H100_SXM\";" + " GET /api/v1/devices lists them.";

    private static final String UNNAMED_DEVICE = "device_profile";

    /// Split of the devices.
    @Schema(name = "ParallelSizes")
    public record ParallelRequest(
            @Min(1) @Max(Bounds.COUNT) @Nullable Integer tp,

            @Only(costModel = CostModelName.CALIBRATED)
            @Schema(
                    description = "Attention data parallel size. With `analytic`, the remaining factor of the"
                            + " devices. {only}. Default: 1.")
            @Min(1)
            @Max(Bounds.COUNT)
            @Nullable
            Integer dp,

            @Min(1) @Max(Bounds.COUNT) @Nullable Integer ep,

            @Only(costModel = CostModelName.ANALYTIC, instead = "replicas of experts are not priced")
            @Schema(description = "Replicas of all experts. Dense models ignore it. {only}. Default: 1.")
            @Min(1)
            @Max(Bounds.COUNT)
            @Nullable
            Integer moeDp,

            @Only(
                    costModel = CostModelName.ANALYTIC,
                    instead = "ranks that share the KV cache of a sequence are not priced")
            @Schema(
                    description = "Decode context parallel size: ranks of a tensor parallel group that share the KV"
                            + " cache of a sequence. Must divide `tp`. {only}. Default: 1.")
            @Min(1)
            @Max(Bounds.COUNT)
            @Nullable
            Integer dcp) {
        static final ParallelRequest DEFAULT = new ParallelRequest(null, null, null, null, null);

        /// One rank that shares its KV cache with nobody is as none.
        public ParallelRequest {
            dcp = dcp != null && dcp == 1 ? null : dcp;
        }
    }

    public EstimateRequest {
        modelConfig = modelConfig == null || modelConfig.isEmpty() ? null : modelConfig;
        deviceProfile = EMPTY_PROFILE.equals(deviceProfile) ? null : deviceProfile;
        device = requireNonNullElse(device, defaultDevice(deviceProfile));
        parallel = requireNonNullElse(parallel, ParallelRequest.DEFAULT);
        quantization = requireNonNullElse(quantization, QuantizationRequest.DEFAULT);
        pass = requireNonNullElse(pass, PassRequest.EMPTY);
        costModel = requireNonNullElse(costModel, CostModelChoice.AUTO);
        if (costModel != CostModelChoice.CALIBRATED) {
            numDevices = requireNonNullElse(numDevices, 1);
            compile = requireNonNullElse(compile, false);
            numMtpTokens = requireNonNullElse(numMtpTokens, 0);
            accounting = requireNonNullElse(accounting, Accounting.DOCUMENTED);
            reservedMemoryGb = requireNonNullElse(reservedMemoryGb, ServingRequest.DEFAULT_RESERVED_MEMORY_GB);
        }
    }

    private static String defaultDevice(@Nullable DeviceDocument profile) {
        return profile == null ? "" : requireNonNullElse(profile.name(), UNNAMED_DEVICE);
    }

    /// Returns a copy with cost model `analytic`.
    public EstimateRequest analytic() {
        return WireMember.copy(this, "costModel", CostModelChoice.ANALYTIC);
    }

    /// Returns a copy with cost model `calibrated` and without the defaults of `analytic`.
    ///
    /// @param statesDevices whether the request states `num_devices`
    public EstimateRequest calibrated(boolean statesDevices) {
        return WireMember.copy(
                this,
                "costModel",
                CostModelChoice.CALIBRATED,
                "numDevices",
                statesDevices ? numDevices : null,
                "compile",
                null,
                "numMtpTokens",
                null,
                "accounting",
                null,
                "reservedMemoryGb",
                null);
    }

    /// Returns a copy with another engine.
    public EstimateRequest with(@Nullable EngineRequest other) {
        return WireMember.copy(this, "engine", other);
    }

    @Override
    public List<Violation> inconsistencies() {
        List<Violation> broken = new ArrayList<>(CatalogLookup.missingModel(modelId, modelConfig));
        if (deviceProfile != null
                && deviceProfile.name() != null
                && !deviceProfile.name().equals(device)) {
            broken.add(new Violation("/device_profile/name", "must equal device, got " + deviceProfile.name()));
        }
        if (device.isBlank()) {
            broken.add(new Violation("/device", DEVICE_MISSING));
        }
        boolean calibrated = costModel == CostModelChoice.CALIBRATED;
        broken.addAll(Applicability.broken(this, calibrated ? CostModelName.CALIBRATED : CostModelName.ANALYTIC, null));
        broken.addAll(
                switch (costModel) {
                    case ANALYTIC, AUTO -> analyticInconsistencies();
                    case CALIBRATED -> calibratedInconsistencies();
                });
        return broken;
    }

    private List<Violation> analyticInconsistencies() {
        return Stream.concat(
                        quantization.several().stream().map(violation -> violation.under("/quantization")),
                        ServingRequest.fusionBroken(matmulAllreduce, compile).stream())
                .toList();
    }

    private List<Violation> calibratedInconsistencies() {
        List<Violation> broken = new ArrayList<>(measuredInconsistencies());
        if (allDevices() != replicaDevices()) {
            broken.add(new Violation("/num_devices", "must be tp * dp (" + replicaDevices() + "), got " + numDevices));
        }
        if (speculation != null && pass.phase() == PassRequest.Stage.PREFILL) {
            broken.add(new Violation("/speculation", "must not be set for a prefill pass. Remove it"));
        }
        pass.calibratedInconsistencies(dataParallel(), decodeTokens())
                .forEach(violation -> broken.add(violation.under("/pass")));
        return broken;
    }

    /// Split of cost model `analytic`; sizes not given take their defaults.
    public ParallelSplit toSplit() {
        int devices = requireNonNull(numDevices);
        return new ParallelSplit(
                devices,
                requireNonNullElse(parallel.tp, devices),
                requireNonNullElse(parallel.ep, devices),
                requireNonNullElse(parallel.moeDp, 1),
                requireNonNullElse(parallel.dcp, 1));
    }

    /// Returns the execution mode of cost model `analytic`.
    public Execution toExecution() {
        return new Execution(
                        requireNonNull(compile),
                        requireNonNull(numMtpTokens),
                        requireNonNull(reservedMemoryGb) * MemoryFootprint.GIB,
                        requireNonNull(accounting).passes(),
                        false,
                        false)
                .withSharedExpertsSplit(Boolean.TRUE.equals(sharedExpertTp))
                .withReductionsFused(Boolean.TRUE.equals(matmulAllreduce));
    }

    /// Returns whether requests may exceed the context of the model.
    public boolean goesBeyondContext() {
        return Boolean.TRUE.equals(allowBeyondContext);
    }
}
