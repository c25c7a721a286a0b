package io.throughputoptimizer.core.deployment;

import static java.util.Objects.requireNonNullElse;

import org.jspecify.annotations.Nullable;

/// Quantization of a deployment.
///
/// @param linear quantization of the linear layers, or of the routed experts only if `nonExpertLinear` is set
/// @param nonExpertLinear quantization of all linear layers except routed experts: attention, dense layers,
///     shared experts, draft layers; null if they are quantized like the routed experts
/// @param attention quantization of the KV cache
/// @param mxfp4GroupSize elements that share one scale under MXFP4
public record QuantizationScheme(
        LinearQuantization linear,
        @Nullable LinearQuantization nonExpertLinear,
        AttentionQuantization attention,
        int mxfp4GroupSize) {
    /// Group size of the MX standard.
    public static final int DEFAULT_MXFP4_GROUP_SIZE = 32;

    /// Creates a scheme with one quantization for all linear layers.
    public QuantizationScheme(LinearQuantization linear, AttentionQuantization attention, int mxfp4GroupSize) {
        this(linear, null, attention, mxfp4GroupSize);
    }

    public QuantizationScheme {
        if (mxfp4GroupSize <= 0) {
            throw new IllegalArgumentException(
                    "mxfp4 group size is " + mxfp4GroupSize + ": a positive whole number is needed");
        }
    }

    /// Returns the quantization of all linear layers except routed experts.
    public LinearQuantization nonExperts() {
        return requireNonNullElse(nonExpertLinear, linear);
    }

    /// Returns whether routed experts are quantized differently from other linear layers.
    public boolean setsExpertsApart() {
        return nonExperts() != linear;
    }

    public QuantizationScheme withLinear(LinearQuantization other) {
        return new QuantizationScheme(other, nonExpertLinear, attention, mxfp4GroupSize);
    }

    public QuantizationScheme withNonExpertLinear(LinearQuantization other) {
        return new QuantizationScheme(linear, other, attention, mxfp4GroupSize);
    }

    public QuantizationScheme withAttention(AttentionQuantization other) {
        return new QuantizationScheme(linear, nonExpertLinear, other, mxfp4GroupSize);
    }
}
