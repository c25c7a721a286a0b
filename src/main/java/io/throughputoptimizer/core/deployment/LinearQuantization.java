package io.throughputoptimizer.core.deployment;

import io.throughputoptimizer.core.hardware.DataType;

/// How the linear layers are quantized. The output head and the embedding never are.
///
/// The reference prices W8A16 exactly as W8A8, and feeds FP8 linears with 8-bit integer activations, so
/// that they run at the int8 matrix rate; both are kept.
public enum LinearQuantization {
    DISABLED(DataType.FLOAT16, Activation.NONE),
    W8A16_STATIC(DataType.INT8, Activation.STATIC),
    W8A8_STATIC(DataType.INT8, Activation.STATIC),
    W4A8_STATIC(DataType.INT4, Activation.STATIC),
    W8A16_DYNAMIC(DataType.INT8, Activation.DYNAMIC),
    W8A8_DYNAMIC(DataType.INT8, Activation.DYNAMIC),
    W4A8_DYNAMIC(DataType.INT4, Activation.DYNAMIC),
    FP8(DataType.FLOAT8_E5M2, Activation.DYNAMIC),
    MXFP4(DataType.INT4, Activation.BLOCK_SCALED);

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

    private final DataType weightType;
    private final Activation activation;

    LinearQuantization(DataType weightType, Activation activation) {
        this.weightType = weightType;
        this.activation = activation;
    }

    /// Type in which weights are stored, before packing.
    public DataType weightType() {
        return weightType;
    }

    public Activation activation() {
        return activation;
    }

    public boolean isEnabled() {
        return activation != Activation.NONE;
    }
}
