package io.throughputoptimizer.core.silicon.kernel;

import io.throughputoptimizer.core.silicon.calibration.MatrixPeak;
import io.throughputoptimizer.core.silicon.calibration.Peaks;

/// What kernels without a measurement are assumed to reach, on any device.
final class GenericRates {
    private static final double COMPUTE_SHARE = 0.7;
    private static final double MEMORY_SHARE = 0.8;

    /// Time of an attention that is not its work.
    static final double ATTENTION_LAUNCH_US = 10;

    private GenericRates() {}

    /// Operations per second.
    static double compute(Peaks peaks, MatrixPeak peak) {
        return peaks.rate(peak) * COMPUTE_SHARE;
    }

    /// Bytes per second of the memory.
    static double memory(Peaks peaks) {
        return peaks.memoryBytesPerSecond() * MEMORY_SHARE;
    }

    /// Bytes per second of a link of that rate.
    static double link(double bytesPerSecond) {
        return bytesPerSecond * MEMORY_SHARE;
    }

    /// The longer of a compute time and a memory time, both at the full rates before.
    static double longer(double compute, double memory) {
        return Math.max(compute / COMPUTE_SHARE, memory / MEMORY_SHARE);
    }
}
