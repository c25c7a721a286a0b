package io.throughputoptimizer.api.request;

import com.fasterxml.jackson.annotation.JsonProperty;

/// Values of `cost_model` in requests.
public enum CostModelChoice {
    /// The service chooses.
    @JsonProperty("auto")
    AUTO,
    @JsonProperty("calibrated")
    CALIBRATED,
    @JsonProperty("analytic")
    ANALYTIC
}
