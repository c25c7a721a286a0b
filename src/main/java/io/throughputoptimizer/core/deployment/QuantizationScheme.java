package io.throughputoptimizer.core.deployment;

/// Quantization of a deployment.
///
/// @param linear of the linear layers
/// @param attention of the KV cache
/// @param mxfp4GroupSize elements that share one scale under MXFP4
public record QuantizationScheme(LinearQuantization linear, AttentionQuantization attention, int mxfp4GroupSize) {
    /// Group size of the MX standard.
    public static final int DEFAULT_MXFP4_GROUP_SIZE = 32;

    public QuantizationScheme {
        if (mxfp4GroupSize <= 0) {
            throw new IllegalArgumentException(
                    "mxfp4 group size is " + mxfp4GroupSize + ": a positive whole number is needed");
        }
    }
}
