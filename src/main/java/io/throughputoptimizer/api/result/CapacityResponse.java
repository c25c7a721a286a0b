package io.throughputoptimizer.api.result;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.api.result.figure.ObjectiveResponse;
import io.throughputoptimizer.api.result.figure.ParallelResponse;
import io.throughputoptimizer.api.result.figure.PhaseName;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Fewest devices that serve a demand.
@Schema(name = "Capacity", description = "How few devices serve the demand; mode `capacity` only.")
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

        @Schema(description = "What one instance of each size serves at most, by device, size and phase.")
        List<InstanceResponse> instances,

        @Schema(description = "Kinds of deployment of which none or not all are compared; absent when all are.")
        @Nullable
        List<LeftOutResponse> omitted,

        @Schema(
                description = "Fewest devices over demands, up to four times that of the request or as far as"
                        + " `num_devices` reach, for curves.")
        List<DevicesResponse> curve,

        @Schema(description = "How many worse deployments `rows` leaves out; absent when it has them all.") @Nullable
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
                    description =
                            "Devices that it takes where every figure lies at the unfavourable end of its band, limits"
                                    + " kept there too; cost model `calibrated` only, absent where figures have no band or"
                                    + " nothing keeps the limits there.")
            @Nullable
            Long numDevicesUnfavourable,

            @Schema(
                    description = "Share of what the instances could serve that the demand takes, headroom not counted;"
                            + " of prefill and decode instances the larger.",
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

            @Schema(description = "Time of a whole answer in ms, at the demand; with `slo.e2e_latency_ms`.") @Nullable
            Double e2eLatencyMs,

            @Schema(description = "Requests a second, at the demand.")
            double requestsPerS,

            @Schema(description = "Output tokens a second, at the demand.")
            double tokensPerS,

            @Schema(description = "Requests a second with every instance at its most.")
            double mostRequestsPerS,

            @Schema(description = "Its instances: those that do both, or those of prefill and those of decode.")
            List<GroupResponse> instances,

            @Schema(description = "Price of its devices for an hour; with prices.", example = "50.4") @Nullable
            Double costPerHour,

            @Schema(description = "What it is ranked by besides devices; with `objective`.") @Nullable
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
    @Schema(name = "CapacityPercentiles", description = "Latencies that a percentile of the requests keeps.")
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
                    description = "What each does: aggregation means prefill and decode.",
                    allowableValues = {"aggregation", "prefill", "decode"})
            PhaseName phase,

            @Schema(description = "How many there are.", example = "3")
            long count,

            @Schema(description = "Devices of one.", example = "8")
            int devicesPerInstance,

            @Schema(description = "Share of what they could serve that the demand takes, headroom not counted.")
            double utilization,

            @Schema(
                    description =
                            "One of them at its share of the demand: the smallest batch size that keeps the limits and"
                                    + " serves it.")
            RowResponse load,

            @Schema(description = "Requests a second of one at its most within the limits.")
            double mostRequestsPerS,

            @Schema(description = "One of them at its most within the limits.")
            RowResponse peak) {}

    /// An instance at its most.
    @Schema(name = "CapacityPeak", description = "One instance at its most within the limits.")
    public record PeakResponse(
            @Schema(description = "Requests per data parallel rank.")
            long batchSize,

            @Schema(description = "Requests of the instance.")
            long concurrency,

            @Schema(
                    description =
                            "Requests a second of the instance that devices are counted by: in decode of all output"
                                    + " tokens but the one that comes with the prompt; wherever a"
                                    + " row promises more than it has time for, the `sustained_requests_per_s` of its row.")
            double requestsPerS,

            @Schema(description = "Time to first token in ms.") @Nullable
            Double ttftMs,

            @Schema(description = "Time per output token in ms.") @Nullable
            Double tpotMs,

            @Schema(
                    description = "Conversations that the instance keeps open at once; with `workload.conversation` of"
                            + " several turns.")
            @Nullable
            Double openConversations) {}

    /// A kind of device that does not serve the demand.
    @Schema(name = "CapacityShortfall", description = "A kind of device that does not serve the demand.")
    public record ShortfallResponse(
            @Schema(description = "Name of the device.") String device,

            @Schema(description = "How far the devices reach, and what would do, in sentences.")
            List<String> advice,

            @Schema(
                    description =
                            "The largest demand that `num_devices` serve with headroom, of each kind of deployment.")
            List<DeploymentResponse> reaches,

            @Schema(description = "What serves the demand with more devices, the best of each kind of deployment.")
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
                    description = "What it does: aggregation means prefill and decode.",
                    allowableValues = {"aggregation", "prefill", "decode"})
            PhaseName phase,

            @Schema(description = "How its devices are split; of a rejected size the layout that comes nearest.")
            @Nullable
            ParallelResponse parallel,

            @Schema(description = "The most that it serves; absent for a rejected size.") @Nullable
            PeakResponse peak,

            @Schema(description = "Why it serves nothing, of a rejected size.", example = "needs 71.3 GB of 54.0 GB")
            @Nullable
            String rejected) {}

    /// A kind of deployment that is not compared.
    @Schema(name = "CapacityLeftOut", description = "A kind of deployment that is not compared.")
    public record LeftOutResponse(
            @Schema(
                    description = "Kind of deployment.",
                    allowableValues = {"aggregated", "disaggregated"})
            String deployment,

            @Schema(description = "Why not.") String reason) {}

    /// Fewest devices for a demand.
    @Schema(name = "CapacityDevices", description = "Fewest devices for a demand.")
    public record DevicesResponse(
            @Schema(description = "Name of the device.") String device,

            @Schema(
                    description = "Kind of deployment.",
                    allowableValues = {"aggregated", "disaggregated"})
            String deployment,

            @Schema(description = "In the unit of the request's demand.")
            double demand,

            @Schema(description = "Fewest devices.") long numDevices) {}
}
