package io.throughputoptimizer.api.result.figure;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.core.calibrated.CalibratedPoint;
import io.throughputoptimizer.core.search.PdRatioRow;
import org.jspecify.annotations.Nullable;

/// The numbers of instances of a pair that serve most on the devices available.
@Schema(
        name = "MostInstances",
        description = "Smallest numbers of instances of the pair with the most requests per second on the"
                + " available devices. Absent if the row's own numbers reach the same `requests_per_s`,"
                + " or the devices do not hold one of each.")
public record BestFitResponse(
        @Schema(description = "Prefill instances.", example = "2")
        int prefillInstances,

        @Schema(description = "Decode instances.", example = "3")
        int decodeInstances,

        @Schema(description = "Devices of all these instances; the others are idle.")
        int devicesUsed,

        @Schema(description = "Concurrency over all instances. Requires `cost_model: calibrated`.") @Nullable
        Long concurrency,

        @Schema(
                description = "Requests per second of all these instances: the lesser of `prefill_instances` times"
                        + " `prefill_requests_per_s` and `decode_instances` times `decode_requests_per_s`, with accounting `steady` of"
                        + " `prefill_sustained_requests_per_s` and `decode_sustained_requests_per_s`.")
        double requestsPerS,

        @Schema(
                description =
                        "Requests per second that the time of all these instances suffices for: the lesser of"
                                + " `prefill_instances` times `prefill_sustained_requests_per_s` and `decode_instances` times `decode_sustained_requests_per_s`.")
        @Nullable
        Double sustainedRequestsPerS,

        @Schema(description = "Prediction interval of `requests_per_s`. Requires `cost_model: calibrated`.") @Nullable
        BandResponse requestsPerSBand,

        @Schema(description = "Range of `requests_per_s` on an Ascend device. Requires `cost_model: calibrated`.")
        @Nullable
        BandResponse requestsPerSRange,

        @Schema(description = "Output tokens per second of all these instances.")
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
