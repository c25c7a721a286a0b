package io.throughputoptimizer.api.result;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.api.result.figure.ObjectiveResponse;
import io.throughputoptimizer.api.result.figure.ParallelResponse;
import io.throughputoptimizer.api.result.figure.PhaseName;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Fewest devices that serve a demand.
@Schema(name = "Capacity")
public record CapacityResponse(
        @Nullable DeploymentResponse best,
        List<DeploymentResponse> rows,
        @Nullable List<ShortfallResponse> shortfalls,
        List<InstanceResponse> instances,
        @Nullable List<LeftOutResponse> omitted,
        List<DevicesResponse> curve,
        @Nullable Long omittedRows) {

    /// Instances that serve a demand together.
    @Schema(name = "CapacityDeployment")
    public record DeploymentResponse(
            @Nullable Integer rank,
            String device,

            @Schema(allowableValues = {"aggregated", "disaggregated"})
            String deployment,

            long numDevices,
            @Nullable Long numDevicesUnfavourable,
            double utilization,
            double ttftMs,
            @Nullable Double kvTransferMs,
            @Nullable Double kvTransferGb,
            double tpotMs,
            @Nullable Double e2eLatencyMs,
            double requestsPerS,
            double tokensPerS,
            double mostRequestsPerS,
            List<GroupResponse> instances,
            @Nullable Double costPerHour,
            @Nullable ObjectiveResponse objective,
            @Nullable PercentilesResponse percentiles,
            @Nullable List<String> warnings) {}

    /// Latencies that a percentile of the requests keeps.
    @Schema(name = "CapacityPercentiles")
    public record PercentilesResponse(
            double percentile, double ttftMs, @Nullable Double tpotMs, double e2eLatencyMs) {}

    /// Equal instances that share a demand.
    @Schema(name = "CapacityInstances")
    public record GroupResponse(
            @Schema(allowableValues = {"aggregation", "prefill", "decode"})
            PhaseName phase,

            long count,
            int devicesPerInstance,
            double utilization,
            RowResponse load,
            double mostRequestsPerS,
            RowResponse peak) {}

    /// An instance at its most.
    @Schema(name = "CapacityPeak")
    public record PeakResponse(
            long batchSize,
            long concurrency,
            double requestsPerS,
            @Nullable Double ttftMs,
            @Nullable Double tpotMs,
            @Nullable Double openConversations) {}

    /// A kind of device that does not serve the demand.
    @Schema(name = "CapacityShortfall")
    public record ShortfallResponse(
            String device, List<String> advice, List<DeploymentResponse> reaches, List<DeploymentResponse> needed) {}

    /// An instance of one size, or why there is none.
    @Schema(name = "CapacityInstance")
    public record InstanceResponse(
            String device,
            int devicesPerInstance,

            @Schema(allowableValues = {"aggregation", "prefill", "decode"})
            PhaseName phase,

            @Nullable ParallelResponse parallel,
            @Nullable PeakResponse peak,
            @Nullable String rejected) {}

    /// A kind of deployment that is not compared.
    @Schema(name = "CapacityLeftOut")
    public record LeftOutResponse(
            @Schema(allowableValues = {"aggregated", "disaggregated"})
            String deployment,

            String reason) {}

    /// Fewest devices for a demand.
    @Schema(name = "CapacityDevices")
    public record DevicesResponse(
            String device,

            @Schema(allowableValues = {"aggregated", "disaggregated"})
            String deployment,

            double demand,
            long numDevices) {}
}
