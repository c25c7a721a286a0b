package io.throughputoptimizer.core.kernels.calibration;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/// Number format of a matrix product: its peak rate, and the bytes of an element, scales included.
public enum ProductType {
    BFLOAT16(MatrixPeak.BF16, 2, 2),
    /// One scale per tensor.
    FP8(MatrixPeak.FP8, 1, 1),
    /// One scale per block of 128.
    FP8_BLOCK(MatrixPeak.FP8, 1, 1),
    NVFP4(MatrixPeak.FP4, 0.5625, 0.5625),
    /// Weights only, in groups of 128.
    INT4_WO(MatrixPeak.BF16, 0.516, 2),
    /// Weights only.
    INT8_WO(MatrixPeak.BF16, 1, 2),
    /// Smooth quantization to 8-bit integers.
    SQ(MatrixPeak.INT8, 1, 1),
    W8A8(MatrixPeak.INT8, 1, 1),
    W4A16_MXFP4(MatrixPeak.BF16, 0.53125, 2),
    W4A8_MXFP4_MXFP8(MatrixPeak.FP8, 0.53125, 1.03);

    /// Types with integer weights and 16-bit activations.
    static final Set<String> WEIGHTS_ALONE = Set.of(INT4_WO.label(), INT8_WO.label());

    /// Bytes of an activation that is not quantized.
    public static final double UNQUANTIZED_BYTES = 2;

    private final MatrixPeak peak;
    private final double weightBytes;
    private final double activationBytes;

    ProductType(MatrixPeak peak, double weightBytes, double activationBytes) {
        this.peak = peak;
        this.weightBytes = weightBytes;
        this.activationBytes = activationBytes;
    }

    /// Returns the type of a name in a calibration, such as `fp8_block`.
    public static Optional<ProductType> of(String label) {
        return Arrays.stream(values())
                .filter(type -> type.label().equals(label))
                .findFirst();
    }

    /// Returns the name in a calibration.
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    public MatrixPeak peak() {
        return peak;
    }

    /// Returns the bytes of a weight, `w`.
    public double weightBytes() {
        return weightBytes;
    }

    /// Returns the bytes of an activation, `a`.
    public double activationBytes() {
        return activationBytes;
    }

    /// Returns whether activations are quantized before the product.
    public boolean quantizesActivations() {
        return activationBytes != UNQUANTIZED_BYTES;
    }
}
