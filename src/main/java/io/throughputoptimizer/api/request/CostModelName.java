package io.throughputoptimizer.api.request;

import com.fasterxml.jackson.annotation.JsonProperty;

/// How passes are priced, as it is called on the wire.
public enum CostModelName {
    /// A roofline with three constants, equal to the reference's.
    @JsonProperty("analytic")
    ANALYTIC,
    /// Kernels that were measured on the device.
    @JsonProperty("calibrated")
    CALIBRATED
}
