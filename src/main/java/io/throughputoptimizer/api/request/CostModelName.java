package io.throughputoptimizer.api.request;

import com.fasterxml.jackson.annotation.JsonProperty;

/// Names of the cost models on the wire.
public enum CostModelName {
    /// A roofline with three constants, equal to the reference's.
    @JsonProperty("analytic")
    ANALYTIC,
    /// Kernels that were measured on the device.
    @JsonProperty("calibrated")
    CALIBRATED
}
