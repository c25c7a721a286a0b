package io.throughputoptimizer.api.result.estimate;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.api.WireMember;
import io.throughputoptimizer.api.reading.EstimateReader.UnpricedPass;
import io.throughputoptimizer.api.request.EngineRequest;
import io.throughputoptimizer.api.result.figure.RankMemoryResponse;
import io.throughputoptimizer.core.kernels.RankPass;
import io.throughputoptimizer.core.memory.RankMemory;

/// Cost of one forward pass, in either cost model.
@Schema(
        name = "PricedPass",
        description = "Cost of one forward pass on its slowest rank. `Estimate` with `cost_model:"
                + " analytic`; `CalibratedEstimate` with `calibrated`, or `MemoryEstimate` if it has no"
                + " kernels.",
        oneOf = {
            EstimateResponse.class,
            CalibratedEstimateResponse.class,
            PricedPassResponse.MemoryEstimateResponse.class
        })
public sealed interface PricedPassResponse
        permits EstimateResponse, CalibratedEstimateResponse, PricedPassResponse.MemoryEstimateResponse {
    /// Returns a copy with the reason for the cost model among its assumptions, if it has assumptions.
    default PricedPassResponse with(String costModelReason) {
        return switch (this) {
            case EstimateResponse priced ->
                WireMember.copy(priced, "assumptions", AssumedOfPass.with(priced.assumptions(), costModelReason));
            case CalibratedEstimateResponse priced ->
                WireMember.copy(priced, "assumptions", AssumedOfPass.with(priced.assumptions(), costModelReason));
            case MemoryEstimateResponse unpriced -> unpriced;
        };
    }

    /// Memory of a rank whose passes have no price: the model, the device or the number format has no
    /// measured kernels.
    @Schema(name = "MemoryEstimate")
    public record MemoryEstimateResponse(String unpriced, EngineRequest engine, RankMemoryResponse memory)
            implements PricedPassResponse {

        public static MemoryEstimateResponse from(UnpricedPass unpriced) {
            RankMemory memory = unpriced.memory();
            RankPass pass = unpriced.pass();
            double context = pass.context();
            return new MemoryEstimateResponse(
                    unpriced.reason(),
                    unpriced.engine(),
                    RankMemoryResponse.from(
                            memory.rank().device().seenGib() * RankMemory.GIB,
                            memory,
                            memory.usableBytes() / memory.cache().heldBytes(context) * context,
                            pass.requests(),
                            context));
        }
    }
}
