package io.throughputoptimizer.core.kernels.operator;

import io.throughputoptimizer.core.kernels.calibration.MatrixPeak;
import io.throughputoptimizer.core.kernels.calibration.Peaks;

/// Assumed rates of kernels without measurements, on any device.
final class GenericRates {
    private static final double COMPUTE_SHARE = 0.7;
    private static final double MEMORY_SHARE = 0.8;

    /// Launch overhead of an attention, in microseconds.
    static final double ATTENTION_LAUNCH_US = 10;

    private GenericRates() {}

    /// Returns the operations per second.
    static double compute(Peaks peaks, MatrixPeak peak) {
        return peaks.rate(peak) * COMPUTE_SHARE;
    }

    /// Returns the memory bandwidth in bytes per second.
    static double memory(Peaks peaks) {
        return peaks.memoryBytesPerSecond() * MEMORY_SHARE;
    }

    /// Returns the bytes per second of a link of that rate.
    static double link(double bytesPerSecond) {
        return bytesPerSecond * MEMORY_SHARE;
    }

    /// Returns the longer of a compute time and a memory time, both given at the peak rates.
    static double longer(double compute, double memory) {
        return Math.max(compute / COMPUTE_SHARE, memory / MEMORY_SHARE);
    }
}
