package io.throughputoptimizer.core.silicon;

import io.throughputoptimizer.core.silicon.calibration.KernelUse;

/// An operator of one pass and what it takes.
///
/// @param name such as `gate_up`
/// @param kind what the time counts as
/// @param calls layers that run it
/// @param microseconds of one call
/// @param use kernel it is priced as, and what that price is based on
public record OperatorTime(String name, OperatorClass kind, int calls, double microseconds, KernelUse use) {
    /// Microseconds of all calls.
    public double totalMicroseconds() {
        return calls * microseconds;
    }
}
