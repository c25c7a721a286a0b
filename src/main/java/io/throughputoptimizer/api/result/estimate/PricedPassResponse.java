package io.throughputoptimizer.api.result.estimate;

import io.swagger.v3.oas.annotations.media.Schema;

/// Cost of one forward pass, in either cost model.
@Schema(
        name = "PricedPass",
        description = "What one forward pass costs on its slowest rank: an `Estimate` of cost model `analytic`, or a"
                + " `CalibratedEstimate`; a `MemoryEstimate` where `calibrated` has no kernels.",
        oneOf = {EstimateResponse.class, CalibratedEstimateResponse.class, MemoryEstimateResponse.class})
public sealed interface PricedPassResponse
        permits EstimateResponse, CalibratedEstimateResponse, MemoryEstimateResponse {}
