package io.throughputoptimizer.api;

import static java.util.Objects.requireNonNullElse;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.core.deployment.AttentionQuantization;
import io.throughputoptimizer.core.deployment.LinearQuantization;
import io.throughputoptimizer.core.deployment.QuantizationScheme;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;

/// Quantization of the deployment, as it comes over the wire.
@Schema(name = "Quantization", description = "How weights, activations and the KV cache are quantized.")
public record QuantizationRequest(
        @Schema(description = "Of the linear layers.", defaultValue = "W8A8_DYNAMIC")
        LinearQuantization linear,

        @Schema(description = "Of the KV cache.", defaultValue = "DISABLED")
        AttentionQuantization attention,

        @Schema(description = "Elements that share one scale under MXFP4.", defaultValue = "32")
        @Min(1)
        @Max(Bounds.COUNT)
        Integer mxfp4GroupSize) {
    static final QuantizationRequest DEFAULT = new QuantizationRequest(
            LinearQuantization.W8A8_DYNAMIC,
            AttentionQuantization.DISABLED,
            QuantizationScheme.DEFAULT_MXFP4_GROUP_SIZE);

    public QuantizationRequest {
        linear = requireNonNullElse(linear, LinearQuantization.W8A8_DYNAMIC);
        attention = requireNonNullElse(attention, AttentionQuantization.DISABLED);
        mxfp4GroupSize = requireNonNullElse(mxfp4GroupSize, QuantizationScheme.DEFAULT_MXFP4_GROUP_SIZE);
    }

    public QuantizationScheme toScheme() {
        return new QuantizationScheme(linear, attention, mxfp4GroupSize);
    }
}
