package io.throughputoptimizer.api.request;

/// Values of `cost_model` in requests.
public enum CostModelChoice {
    /// The service chooses.
    AUTO,
    CALIBRATED,
    ANALYTIC
}
