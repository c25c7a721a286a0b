package io.throughputoptimizer.api.result;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.api.WireMember;
import io.throughputoptimizer.api.result.figure.BandResponse;
import io.throughputoptimizer.api.result.figure.SpeculationResponse;
import io.throughputoptimizer.core.calibrated.CalibratedPoint;
import org.jspecify.annotations.Nullable;

/// Additional figures of a row with accounting `steady`.
@Schema(name = "SteadyRow", description = "What a row says besides with accounting `steady`.")
public record SteadyRowResponse(
        @Schema(description = "Mean TTFT in ms of the requests that open the load all at once.") @Nullable
        Double ttftBurstMs,

        @Schema(description = "Of `ttft_burst_ms`.") @Nullable
        BandResponse ttftBurstMsBand,

        @Schema(description = "Of `ttft_burst_ms`.") @Nullable
        BandResponse ttftBurstMsRange,

        @Schema(description = "Mean TTFT in ms of the requests after those.") @Nullable
        Double ttftSettledMs,

        @Schema(description = "Of `ttft_settled_ms`.") @Nullable
        BandResponse ttftSettledMsBand,

        @Schema(description = "Of `ttft_settled_ms`.") @Nullable
        BandResponse ttftSettledMsRange,

        @Schema(
                description =
                        "A step in ms in which all that run decode; with `speculation` over the tokens that it yields.")
        @Nullable
        Double decodeMs,

        @Schema(description = "Of `decode_ms`.") @Nullable BandResponse decodeMsBand,
        @Schema(description = "Of `decode_ms`.") @Nullable BandResponse decodeMsRange,
        @Schema(description = "One prompt in ms.") @Nullable Double prefillMs,
        @Schema(description = "Of `prefill_ms`.") @Nullable BandResponse prefillMsBand,
        @Schema(description = "Of `prefill_ms`.") @Nullable BandResponse prefillMsRange,

        @Schema(description = "Requests that a rank that decodes runs at once in the mean; the rest waits.") @Nullable
        Double running,

        @Schema(description = "Equal instances that share the load.") @Nullable
        Integer replicas,

        @Schema(description = "What a simulation showed; with `percentiles` or `slo.percentile`.") @Nullable
        RowSimulationResponse simulation,

        @Schema(description = "What decode steps draft and take; with `speculation` of drafts.") @Nullable
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
