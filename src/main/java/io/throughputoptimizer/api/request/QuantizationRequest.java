package io.throughputoptimizer.api.request;

import static java.util.Objects.requireNonNull;
import static java.util.Objects.requireNonNullElse;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.api.Bounds;
import io.throughputoptimizer.core.deployment.AttentionQuantization;
import io.throughputoptimizer.core.deployment.LinearQuantization;
import io.throughputoptimizer.core.deployment.QuantizationScheme;
import io.throughputoptimizer.core.silicon.Scheme;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import org.jspecify.annotations.Nullable;

/// Quantization of the deployment, as it comes over the wire.
@Schema(name = "Quantization", description = "How weights, activations and the KV cache are quantized.")
public record QuantizationRequest(
        @Schema(description = "Of the linear layers; cost model `analytic` only.", defaultValue = "W8A8_DYNAMIC")
        @Nullable
        LinearQuantization linear,

        @Schema(description = "Of the KV cache; cost model `analytic` only.", defaultValue = "DISABLED") @Nullable
        AttentionQuantization attention,

        @Schema(
                description = "Elements that share one scale under MXFP4; cost model `analytic` only.",
                defaultValue = "32")
        @Min(1)
        @Max(Bounds.COUNT)
        @Nullable
        Integer mxfp4GroupSize,

        @Schema(
                description = "How the checkpoint is quantized; cost model `calibrated` only, which needs it. `FP8` has"
                        + " one scale a tensor, `FP8_BLOCK` one a block; `NVFP4_EXPERTS`, `INT4_EXPERTS` and"
                        + " `MXFP4_EXPERTS` leave attention in bfloat16; `W8A8` is for Ascend devices.",
                example = "FP8")
        @Nullable
        Scheme scheme) {
    static final QuantizationRequest DEFAULT = new QuantizationRequest(
            LinearQuantization.W8A8_DYNAMIC,
            AttentionQuantization.DISABLED,
            QuantizationScheme.DEFAULT_MXFP4_GROUP_SIZE,
            null);

    /// What is absent beside a scheme stays so, and anything else there can be refused.
    public QuantizationRequest {
        if (scheme == null) {
            linear = requireNonNullElse(linear, LinearQuantization.W8A8_DYNAMIC);
            attention = requireNonNullElse(attention, AttentionQuantization.DISABLED);
            mxfp4GroupSize = requireNonNullElse(mxfp4GroupSize, QuantizationScheme.DEFAULT_MXFP4_GROUP_SIZE);
        }
    }

    /// Of a request without a scheme.
    public QuantizationScheme toScheme() {
        return new QuantizationScheme(
                requireNonNull(linear), requireNonNull(attention), requireNonNull(mxfp4GroupSize));
    }
}
