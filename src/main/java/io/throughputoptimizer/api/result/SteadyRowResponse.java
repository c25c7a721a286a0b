package io.throughputoptimizer.api.result;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.api.WireMember;
import io.throughputoptimizer.api.request.LimitsRequest.TtftBasisName;
import io.throughputoptimizer.api.result.figure.BandResponse;
import io.throughputoptimizer.api.result.figure.SpeculationResponse;
import io.throughputoptimizer.core.calibrated.CalibratedPoint;
import org.jspecify.annotations.Nullable;

/// Additional figures of a row with accounting `steady`.
@Schema(name = "SteadyRow")
public record SteadyRowResponse(
        @Nullable TtftBasisName ttftBasis,
        @Nullable Double ttftBurstMs,
        @Nullable BandResponse ttftBurstMsBand,
        @Nullable BandResponse ttftBurstMsRange,
        @Nullable Double ttftSettledMs,
        @Nullable BandResponse ttftSettledMsBand,
        @Nullable BandResponse ttftSettledMsRange,
        @Nullable Double decodeMs,
        @Nullable BandResponse decodeMsBand,
        @Nullable BandResponse decodeMsRange,
        @Nullable Double prefillMs,
        @Nullable BandResponse prefillMsBand,
        @Nullable BandResponse prefillMsRange,
        @Nullable Double running,
        @Nullable Integer replicas,
        @Nullable RowSimulationResponse simulation,
        @Nullable SpeculationResponse speculation) {

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
