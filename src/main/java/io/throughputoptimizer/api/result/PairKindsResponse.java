package io.throughputoptimizer.api.result;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.api.result.figure.BandResponse;
import io.throughputoptimizer.core.calibrated.CalibratedInstances;
import io.throughputoptimizer.core.calibrated.CalibratedPoint;
import io.throughputoptimizer.core.calibrated.CalibratedPoint.Uncertain;
import io.throughputoptimizer.core.forward.MemoryFootprint;
import io.throughputoptimizer.core.search.PdRatioRow;
import io.throughputoptimizer.core.search.space.KvTransferLink.Handover;
import org.jspecify.annotations.Nullable;

/// Devices of a prefill and a decode instance and the transfer between them, if a search tries several sizes.
@Schema(name = "PairKinds")
public record PairKindsResponse(
        @JsonProperty("device_p") @Nullable String prefillDevice,
        @JsonProperty("device_d") @Nullable String decodeDevice,
        @Nullable Double requestsPerSPerDevice,
        @Nullable Double kvTransferMs,
        @Nullable Double kvTransferGb,
        @Nullable BandResponse requestsPerSPerDeviceBand) {

    static PairKindsResponse from(PdRatioRow row, PdRatioRow.Together together) {
        return of(
                row.prefill().device(),
                row.decode().device(),
                together.requestsPerSPerDevice(),
                together.handover(),
                null);
    }

    static PairKindsResponse from(CalibratedPoint at) {
        CalibratedInstances.Pair pair = at.pair();
        Uncertain rate = at.requestsPerSecondPerDevice();
        return of(pair.kinds().prefill(), pair.kinds().decode(), rate.value(), pair.handover(), BandResponse.of(rate));
    }

    private static PairKindsResponse of(
            String prefill,
            String decode,
            double requestsPerSPerDevice,
            @Nullable Handover handover,
            @Nullable BandResponse band) {
        return new PairKindsResponse(
                prefill,
                decode,
                requestsPerSPerDevice,
                handover == null ? null : handover.millis(),
                handover == null ? null : handover.bytes() / MemoryFootprint.GIB,
                band);
    }

    /// Returns the response, or null if the search tries one size per phase.
    static @Nullable PairKindsResponse orAbsent(@Nullable PairKindsResponse kinds) {
        return kinds == null || kinds.prefillDevice == null ? null : kinds;
    }
}
