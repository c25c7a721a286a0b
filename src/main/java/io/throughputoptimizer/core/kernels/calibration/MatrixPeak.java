package io.throughputoptimizer.core.kernels.calibration;

/// Rates at which the matrix units of a device multiply.
public enum MatrixPeak {
    BF16,
    FP8,
    FP4,
    INT8
}
