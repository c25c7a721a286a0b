package io.throughputoptimizer.api.result.figure;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.core.calibrated.CalibratedPoint;
import io.throughputoptimizer.core.search.PdRatioRow;
import org.jspecify.annotations.Nullable;

/// The numbers of instances of a pair that serve most on the devices available.
@Schema(name = "MostInstances")
public record BestFitResponse(
        int prefillInstances,
        int decodeInstances,
        int devicesUsed,
        @Nullable Long concurrency,
        double requestsPerS,
        @Nullable Double sustainedRequestsPerS,
        @Nullable BandResponse requestsPerSBand,
        @Nullable BandResponse requestsPerSRange,
        double tokensPerS) {

    public static BestFitResponse from(PdRatioRow.Most most, double outputTokens) {
        return new BestFitResponse(
                most.counts().prefill(),
                most.counts().decode(),
                most.devices(),
                null,
                most.requestsPerS(),
                most.sustainedRequestsPerS(),
                null,
                null,
                most.requestsPerS() * outputTokens);
    }

    public static BestFitResponse from(CalibratedPoint at) {
        return new BestFitResponse(
                at.pair().counts().prefill(),
                at.pair().counts().decode(),
                at.devices(),
                at.concurrency(),
                at.requestsPerSecond().value(),
                at.sustainedRequestsPerS(),
                BandResponse.of(at.requestsPerSecond()),
                BandResponse.rangeOf(at.requestsPerSecond()),
                at.tokensPerSecond().value());
    }
}
