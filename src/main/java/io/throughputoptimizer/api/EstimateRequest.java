package io.throughputoptimizer.api;

import static java.util.Objects.requireNonNullElse;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.catalog.DeviceDocument;
import io.throughputoptimizer.core.deployment.Deployment.Execution;
import io.throughputoptimizer.core.forward.MemoryFootprint;
import jakarta.validation.Valid;
import jakarta.validation.constraints.DecimalMax;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.PositiveOrZero;
import jakarta.validation.constraints.Size;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A forward pass to price, as it comes over the wire. Absent members take their defaults when the record is made.
@Schema(description = "One forward pass to price.")
public record EstimateRequest(
        @Schema(
                description = "Catalogue model; with `model_config` it only names the model.",
                example = "Qwen/Qwen3-32B")
        @Size(max = 256, message = "{request.model_id.length}")
        @Pattern(regexp = "^[A-Za-z0-9_/.-]+$", message = "{request.model_id.characters}")
        @Nullable
        String modelId,

        @Schema(
                description = "An inline Hugging Face `config.json`; keys without influence on cost are skipped.",
                types = "object")
        @Nullable
        Map<String, @Nullable Object> modelConfig,

        @Schema(description = "Catalogue device, or the name of `device_profile`.", defaultValue = "TEST_DEVICE")
        @NotBlank
        String device,

        @Schema(
                description = "Inline device profile, in the shape of `GET /api/v1/devices/{name}`; used instead of a"
                        + " catalogue device.")
        @Nullable
        DeviceDocument deviceProfile,

        @Schema(description = "Devices of the instance.", example = "8", defaultValue = "1") @Min(1) @Max(Bounds.COUNT)
        Integer numDevices,

        @Schema(description = "How the devices are split.") @Valid
        ParallelRequest parallel,

        @Schema(description = "How weights, activations and the KV cache are quantized.") @Valid
        QuantizationRequest quantization,

        @Schema(
                description = "Whether the graph is compiled, which fuses and merges operators.",
                defaultValue = "false")
        Boolean compile,

        @Schema(description = "Draft tokens a decode step predicts besides the next one.", defaultValue = "0")
        @Min(0)
        @Max(ServingRequest.MAX_MTP_TOKENS)
        Integer numMtpTokens,

        @Schema(description = "Memory of each device kept free, in GB of 2^30 bytes.", defaultValue = "10.0")
        @PositiveOrZero
        @DecimalMax(Bounds.AMOUNT)
        Double reservedMemoryGb,

        @Schema(description = "The requests of the pass.") @Required @Valid
        PassRequest pass)
        implements Composite {
    private static final DeviceDocument EMPTY_PROFILE =
            new DeviceDocument(null, null, null, null, null, null, null, null);

    /// Split of the devices; data parallelism is what remains.
    @Schema(name = "ParallelSizes", description = "Split of the devices; data parallelism is what remains.")
    public record ParallelRequest(
            @Schema(description = "Tensor parallel size; default: the device count.", example = "8")
            @Min(1)
            @Max(Bounds.COUNT)
            @Nullable
            Integer tp,

            @Schema(description = "Expert parallel size; default: the device count. Dense models ignore it.")
            @Min(1)
            @Max(Bounds.COUNT)
            @Nullable
            Integer ep,

            @Schema(description = "Replicas of all experts; default: 1. Dense models ignore it.")
            @Min(1)
            @Max(Bounds.COUNT)
            @Nullable
            Integer moeDp) {
        static final ParallelRequest DEFAULT = new ParallelRequest(null, null, null);
    }

    public EstimateRequest {
        modelConfig = modelConfig == null || modelConfig.isEmpty() ? null : modelConfig;
        deviceProfile = EMPTY_PROFILE.equals(deviceProfile) ? null : deviceProfile;
        device = requireNonNullElse(device, defaultDevice(deviceProfile));
        numDevices = requireNonNullElse(numDevices, 1);
        parallel = requireNonNullElse(parallel, ParallelRequest.DEFAULT);
        quantization = requireNonNullElse(quantization, QuantizationRequest.DEFAULT);
        compile = requireNonNullElse(compile, false);
        numMtpTokens = requireNonNullElse(numMtpTokens, 0);
        reservedMemoryGb = requireNonNullElse(reservedMemoryGb, ServingRequest.DEFAULT_RESERVED_MEMORY_GB);
        pass = requireNonNullElse(pass, PassRequest.EMPTY);
    }

    private static String defaultDevice(@Nullable DeviceDocument profile) {
        return profile == null || profile.name() == null
                ? OptimizationRequest.DEFAULT_DEVICES.getFirst()
                : profile.name();
    }

    @Override
    public List<Violation> inconsistencies() {
        List<Violation> broken = new ArrayList<>();
        if (modelId == null && modelConfig == null) {
            broken.add(new Violation("/model_id", "is missing: it or model_config is needed"));
        }
        if (deviceProfile != null
                && deviceProfile.name() != null
                && !deviceProfile.name().equals(device)) {
            broken.add(new Violation(
                    "/device_profile/name", "is " + deviceProfile.name() + ": it must be that of device"));
        }
        int tp = tensorParallel();
        if (numDevices > 0 && tp > 0 && numDevices % tp != 0) {
            broken.add(new Violation("/parallel/tp", "is " + tp + ": it must divide num_devices " + numDevices));
        }
        return broken;
    }

    int tensorParallel() {
        return requireNonNullElse(parallel.tp, numDevices);
    }

    int expertParallel() {
        return requireNonNullElse(parallel.ep, numDevices);
    }

    int expertReplicas() {
        return requireNonNullElse(parallel.moeDp, 1);
    }

    Execution toExecution() {
        return new Execution(compile, numMtpTokens, reservedMemoryGb * MemoryFootprint.GIB);
    }
}
