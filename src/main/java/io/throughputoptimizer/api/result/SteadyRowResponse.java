package io.throughputoptimizer.api.result;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.api.WireMember;
import io.throughputoptimizer.api.request.LimitsRequest.TtftBasisName;
import io.throughputoptimizer.api.result.figure.BandResponse;
import io.throughputoptimizer.api.result.figure.SpeculationResponse;
import io.throughputoptimizer.core.calibrated.CalibratedPoint;
import org.jspecify.annotations.Nullable;

/// Additional figures of a row with accounting `steady`.
@Schema(name = "SteadyRow", description = "Additional figures of a row with accounting `steady`.")
public record SteadyRowResponse(
        @Schema(
                description = "Basis of `ttft_ms`: that of `slo.ttft_basis`. Throughput and costs have their own, see"
                        + " `requests_per_s`; `sustained_requests_per_s` has no opening burst.")
        @Nullable
        TtftBasisName ttftBasis,

        @Schema(description = "Mean TTFT in ms of the opening burst.") @Nullable
        Double ttftBurstMs,

        @Schema(description = "Prediction interval of `ttft_burst_ms`.") @Nullable
        BandResponse ttftBurstMsBand,

        @Schema(description = "Range of `ttft_burst_ms` on an Ascend device.") @Nullable
        BandResponse ttftBurstMsRange,

        @Schema(description = "Mean TTFT in ms of the requests after the opening burst.") @Nullable
        Double ttftSettledMs,

        @Schema(description = "Prediction interval of `ttft_settled_ms`.") @Nullable
        BandResponse ttftSettledMsBand,

        @Schema(description = "Range of `ttft_settled_ms` on an Ascend device.") @Nullable
        BandResponse ttftSettledMsRange,

        @Schema(
                description = "Time of a decode step in ms with all running requests. With `speculation`, divided"
                        + " by the tokens per step.")
        @Nullable
        Double decodeMs,

        @Schema(description = "Prediction interval of `decode_ms`.") @Nullable
        BandResponse decodeMsBand,

        @Schema(description = "Range of `decode_ms` on an Ascend device.") @Nullable
        BandResponse decodeMsRange,

        @Schema(description = "Time of one prompt in ms.") @Nullable
        Double prefillMs,

        @Schema(description = "Prediction interval of `prefill_ms`.") @Nullable
        BandResponse prefillMsBand,

        @Schema(description = "Range of `prefill_ms` on an Ascend device.") @Nullable
        BandResponse prefillMsRange,

        @Schema(description = "Mean running requests of a decode rank. The other requests wait.") @Nullable
        Double running,

        @Schema(description = "Equal instances that share the load.") @Nullable
        Integer replicas,

        @Schema(description = "Results of a simulation. Requires `percentiles` or `slo.percentile`.") @Nullable
        RowSimulationResponse simulation,

        @Schema(description = "Draft tokens of decode steps. Requires `speculation` with draft tokens.") @Nullable
        SpeculationResponse speculation) {

    /// Returns a copy with the speculative decoding of decode steps; null without drafts.
    SteadyRowResponse with(@Nullable SpeculationResponse drafted) {
        return WireMember.copy(this, "speculation", drafted);
    }

    /// @param replicas absent where instances do not do the same
    /// @param simulation absent unless it was asked for
    static SteadyRowResponse from(
            CalibratedPoint row, @Nullable Integer replicas, @Nullable RowSimulationResponse simulation) {
        return new SteadyRowResponse(
                TtftBasisName.of(row.basis()),
                row.ttftBurstMillis().value(),
                BandResponse.of(row.ttftBurstMillis()),
                BandResponse.rangeOf(row.ttftBurstMillis()),
                row.ttftSettledMillis().value(),
                BandResponse.of(row.ttftSettledMillis()),
                BandResponse.rangeOf(row.ttftSettledMillis()),
                row.decodeMillis().value(),
                BandResponse.of(row.decodeMillis()),
                BandResponse.rangeOf(row.decodeMillis()),
                row.prefillMillis().value(),
                BandResponse.of(row.prefillMillis()),
                BandResponse.rangeOf(row.prefillMillis()),
                row.running(),
                replicas,
                simulation,
                null);
    }

    /// Returns the response, or null for rows of other accountings.
    static @Nullable SteadyRowResponse orAbsent(@Nullable SteadyRowResponse row) {
        return row == null || row.running == null ? null : row;
    }
}
