package io.throughputoptimizer.core.silicon.calibration;

import java.util.Locale;

/// What stands behind the price of a kernel.
public enum Basis {
    /// Measured with the backend asked for.
    OWN,
    /// Measured with all backends.
    POOLED,
    /// Measured with another backend, or set aside as unusual.
    SPECIAL,
    /// Measured on a device of the same family.
    FAMILY,
    /// Measured within a node, and used between nodes.
    INTER_NODE,
    /// Measured on a device of another generation: shares of peaks that nobody compared.
    PEAKS,
    /// Nothing: constants that fit any device.
    NONE;

    /// Name in results.
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /// Whether the result leaves it unsaid.
    public boolean isExpected() {
        return this == OWN || this == POOLED;
    }

    /// Whether nobody knows how far off the price is.
    public boolean isUncalibrated() {
        return this == PEAKS || this == NONE;
    }
}
