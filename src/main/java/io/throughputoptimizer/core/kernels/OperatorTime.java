package io.throughputoptimizer.core.kernels;

import io.throughputoptimizer.core.kernels.calibration.KernelUse;

/// Time of an operator in one pass.
///
/// @param name name such as `gate_up`
/// @param kind class in the time breakdown
/// @param calls layers that run it
/// @param microseconds time of one call
/// @param use kernel that prices it, and the basis of the price
public record OperatorTime(String name, OperatorClass kind, int calls, double microseconds, KernelUse use) {
    /// Returns the microseconds of all calls.
    public double totalMicroseconds() {
        return calls * microseconds;
    }
}
