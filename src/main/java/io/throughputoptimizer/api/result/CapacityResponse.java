package io.throughputoptimizer.api.result;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.api.result.figure.ObjectiveResponse;
import io.throughputoptimizer.api.result.figure.ParallelResponse;
import io.throughputoptimizer.api.result.figure.PhaseName;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Fewest devices that serve a demand.
@Schema(name = "Capacity", description = "Fewest devices that serve the demand. Requires `mode: capacity`.")
public record CapacityResponse(
        @Schema(description = "The first of `rows`; absent when the devices available do not serve the demand.")
        @Nullable
        DeploymentResponse best,

        @Schema(
                description =
                        "Deployments within `num_devices` that serve the demand with its headroom: of each size of"
                                + " instances that do prefill and decode, and of each pair of sizes of prefill and decode"
                                + " instances, the best. Fewest devices first, then by `objective`, then those with most to spare;"
                                + " with prices the least cost for an hour first.")
        List<DeploymentResponse> rows,

        @Schema(description = "Kinds of device that do not serve the demand; absent when all do.") @Nullable
        List<ShortfallResponse> shortfalls,

        @Schema(description = "Largest load of one instance of each size, by device, size and phase.")
        List<InstanceResponse> instances,

        @Schema(
                description = "Kinds of deployment that were compared in part or not at all. Absent if all were"
                        + " compared.")
        @Nullable
        List<LeftOutResponse> omitted,

        @Schema(
                description = "Fewest devices over demands, up to four times that of the request or as far as"
                        + " `num_devices` reach, for curves.")
        List<DevicesResponse> curve,

        @Schema(description = "Number of worse deployments that `rows` omits. Absent if it has all.") @Nullable
        Long omittedRows) {

    /// Instances that serve a demand together.
    @Schema(name = "CapacityDeployment", description = "Instances that serve a demand together.")
    public record DeploymentResponse(
            @Schema(description = "Place in its table, from 1.", example = "1") @Nullable
            Integer rank,

            @Schema(description = "Name of the device.") String device,

            @Schema(
                    description =
                            "`aggregated`: each instance does prefill and decode. `disaggregated`: prefill instances"
                                    + " feed decode instances.",
                    allowableValues = {"aggregated", "disaggregated"})
            String deployment,

            @Schema(description = "Devices of all instances.", example = "24")
            long numDevices,

            @Schema(
                    description = "Devices needed if every figure is at the unfavorable end of its prediction interval."
                            + " Requires `cost_model: calibrated`; absent without prediction intervals, or if no"
                            + " plan is feasible at those ends.")
            @Nullable
            Long numDevicesUnfavourable,

            @Schema(
                    description = "Fraction of the instances' maximum load that the demand takes, without headroom."
                            + " With prefill and decode instances, the larger of both.",
                    example = "0.78")
            double utilization,

            @Schema(description = "Time to first token in ms, at the demand, with `kv_transfer_ms`.")
            double ttftMs,

            @Schema(
                    description =
                            "Time that the KV cache of a request takes to decode, in ms; in `ttft_ms`. With `kv_transfer`,"
                                    + " of prefill and decode instances.")
            @Nullable
            Double kvTransferMs,

            @Schema(description = "KV cache and recurrent states of a request that move, in GB of 2^30 bytes.")
            @Nullable
            Double kvTransferGb,

            @Schema(description = "Time per output token in ms, at the demand.")
            double tpotMs,

            @Schema(description = "End-to-end latency in ms, at the demand. Requires `slo.e2e_latency_ms`.") @Nullable
            Double e2eLatencyMs,

            @Schema(description = "Requests per second, at the demand.")
            double requestsPerS,

            @Schema(description = "Output tokens per second, at the demand.")
            double tokensPerS,

            @Schema(description = "Requests per second with every instance at its maximum load.")
            double mostRequestsPerS,

            @Schema(description = "Instances of the deployment: aggregated ones, or prefill and decode instances.")
            List<GroupResponse> instances,

            @Schema(description = "Price of its devices for an hour; with prices.", example = "50.4") @Nullable
            Double costPerHour,

            @Schema(description = "Value of the ranking objective. Requires `objective`.") @Nullable
            ObjectiveResponse objective,

            @Schema(
                    description =
                            "Percentiles at the demand, by simulation. Present for the best deployment of"
                                    + " each kind of device if its instances do both phases. Requires `cost_model: calibrated`.")
            @Nullable
            PercentilesResponse percentiles,

            @Schema(description = "Warnings about the deployment, one clause each. Absent if there are none.") @Nullable
            List<String> warnings) {}

    /// Latencies that a percentile of the requests keeps.
    @Schema(name = "CapacityPercentiles", description = "Percentiles of the latencies.")
    public record PercentilesResponse(
            @Schema(description = "`slo.percentile`. Default: 95.", example = "95")
            double percentile,

            @Schema(description = "Time to first token, in milliseconds.")
            double ttftMs,

            @Schema(description = "Time per output token, in milliseconds. Absent where requests have one token.")
            @Nullable
            Double tpotMs,

            @Schema(description = "End-to-end latency, in milliseconds.")
            double e2eLatencyMs) {}

    /// Equal instances that share a demand.
    @Schema(name = "CapacityInstances", description = "Equal instances that share a demand.")
    public record GroupResponse(
            @Schema(
                    description = "Phase of each instance. `aggregation`: prefill and decode.",
                    allowableValues = {"aggregation", "prefill", "decode"})
            PhaseName phase,

            @Schema(description = "Number of instances.", example = "3")
            long count,

            @Schema(description = "Devices of one.", example = "8")
            int devicesPerInstance,

            @Schema(description = "Fraction of the instances' maximum load that the demand takes, without headroom.")
            double utilization,

            @Schema(
                    description = "Row of an instance at its share of the demand: the smallest feasible batch size that"
                            + " serves it.")
            RowResponse load,

            @Schema(description = "Maximum requests per second of one instance within the targets.")
            double mostRequestsPerS,

            @Schema(description = "Row of an instance at its maximum load within the targets.")
            RowResponse peak) {}

    /// An instance at its most.
    @Schema(name = "CapacityPeak", description = "An instance at its maximum load within the targets.")
    public record PeakResponse(
            @Schema(description = "Requests per data parallel rank.")
            long batchSize,

            @Schema(description = "Requests of the instance.")
            long concurrency,

            @Schema(
                    description = "Requests per second of the instance, from which the number of devices follows. In"
                            + " decode, output tokens exclude the first. Never above the row's"
                            + " `sustained_requests_per_s`.")
            double requestsPerS,

            @Schema(description = "Time to first token in ms.") @Nullable
            Double ttftMs,

            @Schema(description = "Time per output token in ms.") @Nullable
            Double tpotMs,

            @Schema(
                    description = "Open conversations of the instance. Requires `workload.conversation` with several"
                            + " turns.")
            @Nullable
            Double openConversations) {}

    /// A kind of device that does not serve the demand.
    @Schema(name = "CapacityShortfall", description = "A kind of device that does not serve the demand.")
    public record ShortfallResponse(
            @Schema(description = "Name of the device.") String device,

            @Schema(description = "Demand that the devices can serve, and remedies, one sentence each.")
            List<String> advice,

            @Schema(
                    description =
                            "The largest demand that `num_devices` serve with headroom, of each kind of deployment.")
            List<DeploymentResponse> reaches,

            @Schema(description = "Best deployment of each kind that serves the demand with more devices.")
            List<DeploymentResponse> needed) {}

    /// An instance of one size, or why there is none.
    @Schema(
            name = "CapacityInstance",
            description = "An instance of one size in its best layout, or why there is none.")
    public record InstanceResponse(
            @Schema(description = "Name of the device.") String device,

            @Schema(description = "Devices of an instance.", example = "8")
            int devicesPerInstance,

            @Schema(
                    description = "Phase of the instance. `aggregation`: prefill and decode.",
                    allowableValues = {"aggregation", "prefill", "decode"})
            PhaseName phase,

            @Schema(description = "Parallel layout of the instance. For a rejected size, the nearest layout.") @Nullable
            ParallelResponse parallel,

            @Schema(description = "Maximum load of the instance. Absent for a rejected size.") @Nullable
            PeakResponse peak,

            @Schema(description = "Reason for the rejection. Absent if feasible.", example = "needs 71.3 GB of 54.0 GB")
            @Nullable
            String rejected) {}

    /// A kind of deployment that is not compared.
    @Schema(name = "CapacityLeftOut", description = "A kind of deployment that is not compared.")
    public record LeftOutResponse(
            @Schema(
                    description = "Kind of deployment.",
                    allowableValues = {"aggregated", "disaggregated"})
            String deployment,

            @Schema(description = "Reason for the omission.")
            String reason) {}

    /// Fewest devices for a demand.
    @Schema(name = "CapacityDevices", description = "Fewest devices for a demand.")
    public record DevicesResponse(
            @Schema(description = "Name of the device.") String device,

            @Schema(
                    description = "Kind of deployment.",
                    allowableValues = {"aggregated", "disaggregated"})
            String deployment,

            @Schema(description = "Demand in the unit of the request.")
            double demand,

            @Schema(description = "Fewest devices.") long numDevices) {}
}
