package io.throughputoptimizer.core.deployment;

/// Quantization of linear layers except output head and embedding, which are never quantized.
///
/// msmodeling prices W8A16 as W8A8, and FP8 linears with 8-bit integer activations at the int8 matrix rate.
/// Both are kept, except FP8 on devices without units for it, which have the rate of 16 bits.
public enum LinearQuantization {
    DISABLED(Weight.HALF, Activation.NONE),
    W8A16_STATIC(Weight.INT8, Activation.STATIC),
    W8A8_STATIC(Weight.INT8, Activation.STATIC),
    W4A8_STATIC(Weight.PACKED_INT4, Activation.STATIC),
    W8A16_DYNAMIC(Weight.INT8, Activation.DYNAMIC),
    W8A8_DYNAMIC(Weight.INT8, Activation.DYNAMIC),
    W4A8_DYNAMIC(Weight.PACKED_INT4, Activation.DYNAMIC),
    FP8(Weight.FP8, Activation.DYNAMIC),
    MXFP4(Weight.MXFP4, Activation.BLOCK_SCALED);

    /// Storage format of weights.
    public enum Weight {
        HALF,
        INT8,
        /// Two weights a byte.
        PACKED_INT4,
        FP8,
        /// 4-bit payload and one 8-bit scale a block.
        MXFP4
    }

    /// Quantization of activations before a linear layer.
    public enum Activation {
        /// Not quantized: float16.
        NONE,
        /// Stored scale.
        STATIC,
        /// One dynamic scale per tensor.
        DYNAMIC,
        /// One scale per block of elements.
        BLOCK_SCALED
    }

    private final Weight weight;
    private final Activation activation;

    LinearQuantization(Weight weight, Activation activation) {
        this.weight = weight;
        this.activation = activation;
    }

    public Weight weight() {
        return weight;
    }

    public Activation activation() {
        return activation;
    }

    public boolean isEnabled() {
        return activation != Activation.NONE;
    }
}
