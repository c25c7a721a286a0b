package io.throughputoptimizer.core.deployment;

/// How the linear layers are quantized. The output head and the embedding never are.
///
/// The reference prices W8A16 exactly as W8A8, and feeds FP8 linears with 8-bit integer activations, so
/// that they run at the int8 matrix rate; both are kept.
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

    /// How weights are stored.
    public enum Weight {
        HALF,
        INT8,
        /// Two weights a byte.
        PACKED_INT4,
        FP8,
        /// 4-bit payload and one 8-bit scale a block.
        MXFP4
    }

    /// How activations are quantized before a linear layer.
    public enum Activation {
        /// Not at all: they stay float16.
        NONE,
        /// With a stored scale.
        STATIC,
        /// With one scale a tensor, computed on the way.
        DYNAMIC,
        /// With one scale a block of elements.
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
