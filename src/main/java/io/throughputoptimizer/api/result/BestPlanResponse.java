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
@Schema(
        name = "BestPlan",
        description = "Best plan of a result, in one shape for all modes. Figures are those of the whole deployment in"
                + " both cost models. In mode `disaggregation` with limits on TTFT and TPOT each phase is searched on"
                + " its own: `instances` has the best of both phases with their own figures, and throughput of the"
                + " whole is absent.")
public record BestPlanResponse(
        @Schema(
                description = "Kind of device; of several kinds the best by the objective. Two kinds are joined by"
                        + " ` + `, prefill first.",
                example = "H100_SXM")
        String device,

        @Schema(description = "Mode of the request.") Mode mode,

        @Schema(description = "Deployment in words.", example = "4 instances of 2 H100_SXM, TP2")
        String deployment,

        @Schema(description = "Kinds of instance of the deployment: `serve` alone, or `prefill` before `decode`.")
        List<InstancesResponse> instances,

        @Schema(
                description = "Devices of all instances; absent where the available devices do not hold the P:D ratio."
                        + " In mode `disaggregation` each phase is planned for all available devices.",
                example = "8")
        @Nullable
        Long numDevices,

        @Schema(description = "Requests in flight over all instances.", example = "128") @Nullable
        Long concurrency,

        @Schema(description = "Time to first token, in milliseconds; absent in decode alone.") @Nullable
        Double ttftMs,

        @Schema(
                description = "Basis of `ttft_ms`, see `slo.ttft_basis`. Throughput and costs have their own, see"
                        + " `requests_per_s` of the row. Requires `cost_model: calibrated`.")
        @Nullable
        TtftBasisName ttftBasis,

        @Schema(description = "Prediction interval of `ttft_ms`. Requires `cost_model: calibrated`.") @Nullable
        IntervalResponse ttftMsBand,

        @Schema(description = "Time per output token, in milliseconds; absent in prefill alone.") @Nullable
        Double tpotMs,

        @Schema(description = "Prediction interval of `tpot_ms`. Requires `cost_model: calibrated`.") @Nullable
        IntervalResponse tpotMsBand,

        @Schema(description = "Output tokens per second of all instances; absent in prefill alone.") @Nullable
        Double tokensPerS,

        @Schema(
                description = "Prediction interval of `tokens_per_s`; absent in mode `capacity`, where the demand says"
                        + " it. Requires `cost_model: calibrated`.")
        @Nullable
        IntervalResponse tokensPerSBand,

        @Schema(
                description = "Requests per second of all instances: `tokens_per_s` divided by the output tokens of a"
                        + " request. Decode alone leaves out the token that comes with the prompt, except with accounting"
                        + " `documented`.")
        @Nullable
        Double requestsPerS,

        @Schema(
                description = "Prediction interval of `requests_per_s`; absent in mode `capacity`. Requires"
                        + " `cost_model: calibrated`.")
        @Nullable
        IntervalResponse requestsPerSBand,

        @Schema(description = "Price of all devices for an hour; with prices.", example = "33.6") @Nullable
        Double costPerHour,

        @Schema(description = "Currency of `cost_per_hour`, as the request labels it.", example = "USD") @Nullable
        String currency,

        @Schema(description = "Constraints that limit the batch size, as in the row; empty if none is known.")
        List<BindingName> limitedBy,

        @Schema(description = "Warnings to read before relying on the plan; empty if there are none.")
        List<String> warnings) {

    /// Task of an instance.
    public enum Role {
        SERVE,
        PREFILL,
        DECODE
    }

    /// Equal instances of a plan.
    @Schema(name = "BestInstances", description = "Equal instances of a plan.")
    public record InstancesResponse(
            @Schema(description = "Task of each instance: `serve` is prefill and decode.")
            Role role,

            @Schema(description = "Kind of device of these instances.", example = "H100_SXM")
            String device,

            @Schema(
                    description = "Number of instances; absent where the available devices do not hold the P:D ratio.",
                    example = "4")
            @Nullable
            Long count,

            @Schema(description = "Devices of one instance.", example = "2")
            int devicesPerInstance,

            @Schema(description = "Parallel layout of one instance.")
            ParallelResponse parallel,

            @Schema(description = "Requests per data parallel rank.", example = "32") @Nullable
            Long batchSize,

            @Schema(
                    description = "Maximum sequences of a data parallel rank, `engine.max_num_seqs`; absent where the"
                            + " request sets none. Requires `cost_model: calibrated`.",
                    example = "256")
            @Nullable
            Integer maxNumSeqs,

            @Schema(description = "Maximum tokens of one step; absent where unknown.", example = "8192") @Nullable
            Integer maxBatchedTokens,

            @Schema(
                    description = "Requests in flight over these instances; in mode `disaggregation` with both phases"
                            + " only.")
            @Nullable
            Long concurrency,

            @Schema(
                    description = "Requests per second of these instances; in mode `disaggregation` with both phases"
                            + " only.")
            @Nullable
            Double requestsPerS) {

        /// Returns the devices of all instances, or null if their number is unknown.
        @Nullable
        Long devices() {
            return count == null ? null : (Long) (count * devicesPerInstance);
        }
    }

    /// Ends of a prediction interval.
    @Schema(name = "Interval", description = "Ends of a prediction interval, in the unit of the figure.")
    public record IntervalResponse(
            @Schema(description = "Lower end; absent where nothing bounds it.") @Nullable
            Double low,

            @Schema(description = "Upper end; absent where nothing bounds it.") @Nullable
            Double high) {

        static @Nullable IntervalResponse of(@Nullable BandResponse band) {
            return band == null ? null : new IntervalResponse(band.low(), band.high());
        }
    }
}
