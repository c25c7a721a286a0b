package io.throughputoptimizer.core.kernels.calibration;

import java.util.Locale;

/// Basis of a kernel's price.
public enum Basis {
    /// Measured with the requested backend.
    OWN,
    /// Measured with all backends.
    POOLED,
    /// Measured with another backend, or excluded as unusual.
    SPECIAL,
    /// Measured on a device of the same family.
    FAMILY,
    /// Measured within a node, and used between nodes.
    INTER_NODE,
    /// Measured on a device of another generation: unverified shares of peaks.
    PEAKS,
    /// No measurement: constants for any device.
    NONE;

    /// Returns the name in results.
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /// Returns whether the basis is expected, so that results do not mention it.
    public boolean isExpected() {
        return this == OWN || this == POOLED;
    }

    /// Returns whether the error of the price is unknown.
    public boolean isUncalibrated() {
        return this == PEAKS || this == NONE;
    }
}
