package io.throughputoptimizer.api.result;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.api.request.LimitsRequest.TtftBasisName;
import io.throughputoptimizer.api.request.OptimizationRequest.Mode;
import io.throughputoptimizer.api.result.figure.BandResponse;
import io.throughputoptimizer.api.result.figure.BindingName;
import io.throughputoptimizer.api.result.figure.ParallelResponse;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Best plan of a result, in one shape for all modes. Figures are those of the whole deployment.
@Schema(name = "BestPlan")
public record BestPlanResponse(
        String device,
        Mode mode,
        String deployment,
        List<InstancesResponse> instances,
        @Nullable Long numDevices,
        @Nullable Long concurrency,
        @Nullable Double ttftMs,
        @Nullable TtftBasisName ttftBasis,
        @Nullable IntervalResponse ttftMsBand,
        @Nullable Double tpotMs,
        @Nullable IntervalResponse tpotMsBand,
        @Nullable Double tokensPerS,
        @Nullable IntervalResponse tokensPerSBand,
        @Nullable Double requestsPerS,
        @Nullable IntervalResponse requestsPerSBand,
        @Nullable Double costPerHour,
        @Nullable String currency,
        List<BindingName> limitedBy,
        List<String> warnings) {

    /// Task of an instance.
    public enum Role {
        SERVE,
        PREFILL,
        DECODE
    }

    /// Equal instances of a plan.
    @Schema(name = "BestInstances")
    public record InstancesResponse(
            Role role,
            String device,
            @Nullable Long count,
            int devicesPerInstance,
            ParallelResponse parallel,
            @Nullable Long batchSize,
            @Nullable Integer maxNumSeqs,
            @Nullable Integer maxBatchedTokens,
            @Nullable Long concurrency,
            @Nullable Double requestsPerS) {

        /// Returns the devices of all instances, or null if their number is unknown.
        @Nullable
        Long devices() {
            return count == null ? null : (Long) (count * devicesPerInstance);
        }
    }

    /// Ends of a prediction interval.
    @Schema(name = "Interval")
    public record IntervalResponse(
            @Nullable Double low, @Nullable Double high) {

        static @Nullable IntervalResponse of(@Nullable BandResponse band) {
            return band == null ? null : new IntervalResponse(band.low(), band.high());
        }
    }
}
