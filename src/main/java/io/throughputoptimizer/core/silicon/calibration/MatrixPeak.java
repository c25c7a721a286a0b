package io.throughputoptimizer.core.silicon.calibration;

/// Rates at which the matrix units of a device multiply.
public enum MatrixPeak {
    BF16,
    FP8,
    FP4,
    INT8
}
