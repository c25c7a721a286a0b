package io.throughputoptimizer.api.request;

import static java.util.Objects.requireNonNullElse;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.api.Bounds;
import io.throughputoptimizer.api.Required;
import io.throughputoptimizer.api.WireMember;
import io.throughputoptimizer.api.problem.Violation;
import io.throughputoptimizer.api.wire.Composite;
import io.throughputoptimizer.api.wire.PerDevice;
import io.throughputoptimizer.catalog.DeviceDocument;
import io.throughputoptimizer.core.search.Objective;
import io.throughputoptimizer.core.search.ProblemOutline.SearchMode;
import io.throughputoptimizer.core.search.space.Pairing;
import io.throughputoptimizer.core.serving.Accounting;
import jakarta.validation.Valid;
import jakarta.validation.constraints.DecimalMax;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.PositiveOrZero;
import jakarta.validation.constraints.Size;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.annotation.JsonDeserialize;

/// A question to the optimizer, as it comes over the wire. Absent members take their defaults when the record is
/// made, so that the record is the effective request.
public record OptimizationRequest(
        @Size(max = 256, message = "{request.model_id.length}")
        @Pattern(regexp = "^[A-Za-z0-9_/.][A-Za-z0-9_/.-]*$", message = "{request.model_id.characters}")
        @Nullable
        String modelId,

        @Schema(types = "object") @Nullable Map<String, @Nullable Object> modelConfig,
        @Size(max = Bounds.DEVICE_KINDS) List<@NotBlank String> devices,
        @Size(max = Bounds.DEVICE_KINDS) List<@NotNull DeviceDocument> deviceProfiles,
        @Schema(ref = DeviceCounts.SCHEMA) PerDevice<Integer> numDevices,
        @Schema(defaultValue = "aggregation") Mode mode,
        @Required @Valid WorkloadRequest workload,
        @Valid LimitsRequest slo,
        @Valid QuantizationRequest quantization,
        @Valid SearchRequest search,

        @Only(costModel = CostModelName.ANALYTIC, instead = "use engine")
        @Schema(description = "Instance settings. {only}.")
        @Valid
        @Nullable
        ServingRequest serving,

        @Refused(mode = Mode.CAPACITY, says = "is not supported in mode capacity. Use instance_sizes and kv_transfer")
        @Refused(costModel = CostModelName.CALIBRATED, mode = Mode.DISAGGREGATION, says = Refused.WITH_ITS_MODE)
        @Schema(description = "Devices per instance. {only}. Default: all sizes that fit.")
        @Valid
        @Nullable
        PdRatioRequest pdRatio,

        @Schema(allowableValues = {"documented", "steady"}) Accounting accounting,

        @Refused(mode = Mode.CAPACITY, says = "must be false in mode capacity")
        @Refused(
                costModel = CostModelName.CALIBRATED,
                says = "must be false with cost_model calibrated: the result has the row of every layout")
        @Schema(defaultValue = "false")
        Boolean dumpOriginalResults,

        @Schema(defaultValue = "auto") CostModelChoice costModel,
        @Valid @Nullable EngineRequest engine,

        @Schema(description = "Traffic of the clients. {only}.") @Valid @Nullable
        TrafficRequest traffic,

        @Only(costModel = CostModelName.CALIBRATED)
        @Schema(description = "Coverage of prediction intervals: 0.9 or 0.5. {only}.", defaultValue = "0.9")
        @Nullable
        Double bandCoverage,

        @Refused(
                mode = Mode.CAPACITY,
                says = "must be false in mode capacity, whose result has the nearest feasible plans")
        @Schema(defaultValue = "false")
        @Nullable
        Boolean explain,

        @Only(costModel = CostModelName.CALIBRATED, mode = Mode.AGGREGATION)
        @Refused(mode = Mode.CAPACITY, says = "must be false in mode capacity")
        @Refused(costModel = CostModelName.CALIBRATED, mode = Mode.PD_RATIO, says = LimitsRequest.NOT_SIMULATED)
        @Refused(costModel = CostModelName.CALIBRATED, mode = Mode.DISAGGREGATION, says = Refused.WITH_ITS_MODE)
        @Schema(
                description = "True to simulate each row for percentiles of TTFT and TPOT. {only}.",
                defaultValue = "false")
        @Nullable
        Boolean percentiles,

        @Schema(defaultValue = "false") @Nullable Boolean allowBeyondContext,

        @JsonDeserialize(using = ObjectiveRequest.Reader.class) @Valid @Nullable
        ObjectiveRequest objective,

        @Only(
                mode = Mode.CAPACITY,
                needed = "set requests_per_s, tokens_per_s, concurrency or conversations in mode capacity")
        @Valid
        @Nullable
        DemandRequest demand,

        @Only(mode = Mode.CAPACITY)
        @Schema(description = "Extra capacity as a fraction of demand (0.2 = 20%). {only}.", defaultValue = "0")
        @PositiveOrZero
        @DecimalMax("100")
        @Nullable
        Double headroom,

        @Only(mode = Mode.CAPACITY)
        @Schema(description = "Devices per instance to try. {only}. Default: powers of two up to `num_devices`.")
        @Size(min = 1, max = Bounds.DEVICE_KINDS)
        @Nullable
        List<@NotNull @Min(1) @Max(Bounds.COUNT) Integer> instanceSizes,

        @Only(mode = Mode.CAPACITY)
        @Refused(mode = Mode.PD_RATIO, says = "is not supported in mode pd_ratio. Use pd_ratio.kv_transfer")
        @Schema(
                description = "KV cache transfer between prefill and decode instances. {only}; `pd_ratio` has"
                        + " its own. Default: instantaneous.")
        @Valid
        @Nullable
        KvTransferRequest kvTransfer,

        @Only(
                costModel = CostModelName.CALIBRATED,
                mode = {Mode.AGGREGATION, Mode.CAPACITY})
        @Schema(
                description =
                        "Benchmark results of this server, which correct predictions and their intervals." + " {only}.")
        @Valid
        @Nullable
        FeedbackRequest feedback,

        @Only(costModel = CostModelName.CALIBRATED, instead = "use serving.num_mtp_tokens")
        @Schema(
                description = "Speculative decoding of instances that decode. Not supported with `feedback`. {only}."
                        + " Default: none.")
        @Valid
        @Nullable
        SpeculationRequest speculation)
        implements Composite {
    static final String DEVICES_MISSING =
            "is required. Name devices, for example \"devices\": [\"H100_SXM\"];" + " GET /api/v1/devices lists them.";

    /// Kinds of searches.
    public enum Mode {
        AGGREGATION,
        DISAGGREGATION,
        PD_RATIO,
        CAPACITY;

        /// Returns the search mode of single instances; in mode `capacity` the mode of prefill and decode
        /// instances.
        public SearchMode mode() {
            return switch (this) {
                case AGGREGATION, CAPACITY -> SearchMode.AGGREGATION;
                case DISAGGREGATION -> SearchMode.DISAGGREGATION;
                case PD_RATIO -> SearchMode.PD_RATIO;
            };
        }
    }

    /// The reference's where it has one: neither demands, conversations nor outputs of unequal length, and inputs of
    /// unequal length in mode disaggregation only.
    private static Accounting usual(Mode mode, WorkloadRequest workload) {
        boolean beyond = mode == Mode.CAPACITY
                || workload.conversation() != null
                || workload.outputDistribution() != null
                || (workload.lengthDistribution() != null && mode != Mode.DISAGGREGATION);
        return beyond ? Accounting.STEADY : Accounting.DOCUMENTED;
    }

    public OptimizationRequest {
        modelConfig = modelConfig == null || modelConfig.isEmpty() ? null : modelConfig;
        numDevices = requireNonNullElse(numDevices, DeviceCounts.ONE);
        deviceProfiles = requireNonNullElse(deviceProfiles, List.of());
        devices = requireNonNullElse(devices, DeviceCounts.named(numDevices, deviceProfiles));
        mode = requireNonNullElse(mode, Mode.AGGREGATION);
        pdRatio = mode == Mode.PD_RATIO ? requireNonNullElse(pdRatio, PdRatioRequest.ANY) : pdRatio;
        workload = requireNonNullElse(workload, WorkloadRequest.EMPTY);
        slo = requireNonNullElse(slo, LimitsRequest.NONE);
        quantization = requireNonNullElse(quantization, QuantizationRequest.DEFAULT);
        search = requireNonNullElse(search, SearchRequest.DEFAULT);
        costModel = requireNonNullElse(costModel, CostModelChoice.AUTO);
        if (costModel == CostModelChoice.CALIBRATED) {
            slo = slo.withBasis(traffic != null && traffic.isBenchmark());
            traffic = requireNonNullElse(traffic, TrafficRequest.DEFAULT).completed();
            bandCoverage = requireNonNullElse(bandCoverage, BandCoverage.USUAL.share());
            accounting = requireNonNullElse(accounting, Accounting.STEADY);
        } else {
            search = search.completed();
            serving = requireNonNullElse(serving, ServingRequest.DEFAULT);
            accounting = requireNonNullElse(accounting, usual(mode, workload));
        }
        dumpOriginalResults = requireNonNullElse(dumpOriginalResults, false);
        explain = Boolean.TRUE.equals(explain) ? explain : null;
        percentiles = Boolean.TRUE.equals(percentiles) ? percentiles : null;
        allowBeyondContext = Boolean.TRUE.equals(allowBeyondContext) ? allowBeyondContext : null;
        headroom = mode == Mode.CAPACITY ? requireNonNullElse(headroom, 0.0) : headroom;
    }

    /// Returns the name of the model in reports; an inline configuration might have none.
    public String modelName() {
        return modelId == null ? CatalogLookup.UNNAMED_MODEL : modelId;
    }

    /// Returns the request with all values that depend on the catalogue filled in.
    ///
    /// @param pairing absent in modes without pairs
    public OptimizationRequest resolved(
            @Nullable Integer maxBatchedTokens, QuantizationRequest filledIn, @Nullable Pairing pairing) {
        return copy(
                "costModel",
                CostModelChoice.ANALYTIC,
                "quantization",
                filledIn,
                "search",
                maxBatchedTokens == null ? search : search.withMaxBatchedTokens(maxBatchedTokens),
                "pdRatio",
                with(pairing));
    }

    /// Returns the request with all values of the engine and the scheme filled in.
    ///
    /// @param pairing absent in modes without pairs
    public OptimizationRequest resolved(EngineRequest completed, @Nullable Pairing pairing) {
        return copy("pdRatio", with(pairing), "engine", completed);
    }

    /// Returns a copy with cost model `analytic`.
    public OptimizationRequest analytic() {
        return WireMember.copy(this, "costModel", CostModelChoice.ANALYTIC);
    }

    /// Returns a copy with cost model `calibrated` and without the defaults of `analytic`.
    ///
    /// @param statesAccounting whether the request states the accounting
    public OptimizationRequest calibrated(boolean statesAccounting) {
        return WireMember.copy(
                this,
                "costModel",
                CostModelChoice.CALIBRATED,
                "serving",
                null,
                "search",
                search.withoutStrategy(),
                "accounting",
                statesAccounting ? accounting : null);
    }

    /// Returns a copy with another engine and quantization.
    public OptimizationRequest with(@Nullable EngineRequest otherEngine, QuantizationRequest otherQuantization) {
        return WireMember.copy(this, "engine", otherEngine, "quantization", otherQuantization);
    }

    private @Nullable PdRatioRequest with(@Nullable Pairing pairing) {
        return pairing == null || pdRatio == null ? pdRatio : pdRatio.with(pairing);
    }

    /// Returns a copy with the configuration of its model.
    public OptimizationRequest withModelConfig(Map<String, @Nullable Object> config) {
        return copy("modelConfig", config);
    }

    /// Returns a copy with other benchmark rows.
    OptimizationRequest with(FeedbackRequest other) {
        return copy("feedback", other);
    }

    private OptimizationRequest copy(@Nullable Object... changes) {
        OptimizationRequest distinct =
                WireMember.copy(this, "devices", devices.stream().distinct().toList());
        return WireMember.copy(distinct, changes);
    }

    /// Returns the ranking objective of plans; absent for the default.
    @Nullable
    public Objective ranking() {
        return objective == null ? null : objective.toObjective(devices);
    }

    /// Returns whether rows are simulated, for percentiles or limits on one.
    public boolean isSimulated() {
        return percentiles != null || slo.percentile() != null;
    }

    /// Returns whether the result includes an explanation.
    public boolean explained() {
        return explain != null;
    }

    /// Returns whether the request brings a device of that name.
    public boolean bringsDevice(String name) {
        return deviceProfiles.stream().anyMatch(profile -> name.equals(profile.name()));
    }

    /// Returns whether figures are those of the reference's formulas.
    public boolean isDocumented() {
        return accounting.isReference();
    }

    /// Returns whether the calibrated model prices passes.
    public boolean isCalibrated() {
        return costModel == CostModelChoice.CALIBRATED;
    }

    @Override
    public List<Violation> inconsistencies() {
        List<Violation> broken = new ArrayList<>(DeviceCounts.broken(this));
        if (devices.isEmpty()) {
            broken.add(new Violation("/devices", DEVICES_MISSING));
        }
        broken.addAll(
                Applicability.broken(this, isCalibrated() ? CostModelName.CALIBRATED : CostModelName.ANALYTIC, mode));
        broken.addAll(OptimizationRules.broken(this));
        if (isCalibrated()) {
            broken.addAll(SimulatedRowRules.broken(this));
        }
        if (objective != null) {
            broken.addAll(objective.pricesBroken("/objective", devices));
        }
        return broken;
    }

    /// Returns whether requests may exceed the context of the model. Those of the distribution of msmodeling
    /// may: it exceeds the context of most models, and its figures are compared with msmodeling.
    public boolean goesBeyondContext() {
        LengthDistributionRequest lengths = workload.lengthDistribution();
        return Boolean.TRUE.equals(allowBeyondContext) || (lengths != null && lengths.isOfReference());
    }
}
