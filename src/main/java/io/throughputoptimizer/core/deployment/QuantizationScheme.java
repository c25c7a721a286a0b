package io.throughputoptimizer.core.deployment;

import static java.util.Objects.requireNonNullElse;

import org.jspecify.annotations.Nullable;

/// Quantization of a deployment.
///
/// @param linear of the linear layers, or of the routed experts alone where the others have a scheme of their own
/// @param nonExpertLinear of all linear layers but those of the routed experts: attention, dense layers, shared
///     experts, draft layers; absent where they are quantized as the routed experts are
/// @param attention of the KV cache
/// @param mxfp4GroupSize elements that share one scale under MXFP4
public record QuantizationScheme(
        LinearQuantization linear,
        @Nullable LinearQuantization nonExpertLinear,
        AttentionQuantization attention,
        int mxfp4GroupSize) {
    /// Group size of the MX standard.
    public static final int DEFAULT_MXFP4_GROUP_SIZE = 32;

    /// With one scheme for all linear layers.
    public QuantizationScheme(LinearQuantization linear, AttentionQuantization attention, int mxfp4GroupSize) {
        this(linear, null, attention, mxfp4GroupSize);
    }

    public QuantizationScheme {
        if (mxfp4GroupSize <= 0) {
            throw new IllegalArgumentException(
                    "mxfp4 group size is " + mxfp4GroupSize + ": a positive whole number is needed");
        }
    }

    /// Of all linear layers but those of the routed experts.
    public LinearQuantization nonExperts() {
        return requireNonNullElse(nonExpertLinear, linear);
    }

    /// Whether routed experts are quantized otherwise than the other linear layers.
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
