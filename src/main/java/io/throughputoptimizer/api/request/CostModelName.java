package io.throughputoptimizer.api.request;

/// Names of the cost models on the wire.
public enum CostModelName {
    /// A roofline with three constants, equal to the reference's.
    ANALYTIC,
    /// Kernels that were measured on the device.
    CALIBRATED
}
