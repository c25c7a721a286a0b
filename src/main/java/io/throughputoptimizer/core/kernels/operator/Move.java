package io.throughputoptimizer.core.kernels.operator;

import static io.throughputoptimizer.core.kernels.operator.Times.us;

import io.throughputoptimizer.core.kernels.calibration.ParameterSet;
import io.throughputoptimizer.core.kernels.calibration.Peaks;

/// A kernel that only moves bytes: `launch_us + us(bytes, bandwidth * memory_efficiency)`. Without a
/// measurement its launch takes 2 us and its efficiency is 0.8.
public record Move(double memoryRate, double launchUs) {
    private static final double GENERIC_LAUNCH_US = 2;

    static Move measured(Peaks peaks, ParameterSet set) {
        return new Move(peaks.memoryBytesPerSecond() * set.get("memory_efficiency"), set.get("launch_us"));
    }

    static Move generic(Peaks peaks) {
        return new Move(GenericRates.memory(peaks), GENERIC_LAUNCH_US);
    }

    /// Returns this kernel fused into another one, without a launch of its own.
    public Move fused() {
        return new Move(memoryRate, 0);
    }

    /// Returns the microseconds of moving `bytes`, read or written.
    public double microseconds(double bytes) {
        return launchUs + us(bytes, memoryRate);
    }
}
