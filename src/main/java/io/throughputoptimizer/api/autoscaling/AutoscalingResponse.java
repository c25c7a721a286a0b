package io.throughputoptimizer.api.autoscaling;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.api.result.figure.ParallelResponse;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Parameters of autoscalers for a capacity plan.
@Schema(name = "Autoscaling", description = "Parameters of autoscalers for a deployment of mode `capacity`.")
public record AutoscalingResponse(
        @Schema(description = "Name of the objects and of the scaled Deployment.", example = "qwen3-32b")
        String name,

        @Schema(description = "Namespace of the objects.", example = "default")
        String namespace,

        @Schema(description = "Device of the deployment.", example = "H100_SXM")
        String device,

        @Schema(
                description = "Kind of deployment. `disaggregated` has files for `dynamo` only, and no thresholds.",
                allowableValues = {"aggregated", "disaggregated"})
        String deployment,

        @Schema(description = "Parallel layout of an instance; of the decode instances if disaggregated.")
        ParallelResponse parallel,

        @Schema(description = "Devices of an instance; of a decode instance if disaggregated.", example = "2")
        int devicesPerInstance,

        @Schema(
                description = "Cost model of the numbers. `analytic` has no prediction intervals and no share of the"
                        + " KV cache.",
                allowableValues = {"analytic", "calibrated"})
        String costModel,

        @Schema(description = "Extra capacity as a fraction of the demand, from the request.", example = "0.2")
        double headroom,

        @Schema(description = "Numbers, each with its formula and source.")
        List<ParameterResponse> parameters,

        @Schema(description = "Instances over time. Requires `rate_profile`.") @Nullable
        ScheduleResponse schedule,

        @Schema(description = "Files of the requested formats.")
        List<FileResponse> files,

        @Schema(description = "Things to know before you apply the files.")
        List<String> notes) {

    /// Returns the files as one YAML stream, with the notes as comments.
    public String yaml() {
        return notes.stream().map(note -> "# " + note + "\n").collect(Collectors.joining())
                + files.stream().map(file -> "---\n" + file.content).collect(Collectors.joining());
    }

    /// A number of an autoscaler.
    @Schema(name = "AutoscalingParameter", description = "A number of an autoscaler, with its formula and source.")
    public record ParameterResponse(
            @Schema(description = "Name of the number.", example = "target_concurrency")
            String name,

            @Schema(description = "Value.", example = "75") double value,

            @Schema(
                    description = "Lower end, with every figure at an end of its prediction interval. Requires"
                            + " `cost_model: calibrated`; absent if unknown.",
                    example = "40")
            @Nullable
            Double low,

            @Schema(description = "Upper end, likewise.", example = "92") @Nullable
            Double high,

            @Schema(description = "Unit.", example = "requests")
            String unit,

            @Schema(description = "Formula.", example = "T = highest n with R(n) <= R / (1 + headroom)")
            String formula,

            @Schema(
                    description = "Field that reads the number, with the project and commit that define it, or the"
                            + " source of a law.",
                    example = "ScaledObject spec.triggers[].metadata.threshold (kedacore/keda 8b4f083)")
            String source) {}

    /// Instances over time.
    @Schema(name = "AutoscalingSchedule", description = "Instances over time, as mode `capacity` counts them.")
    public record ScheduleResponse(
            @Schema(description = "Intervals, by start.") List<IntervalResponse> intervals,

            @Schema(description = "Sum of instances times hours.", example = "25.0")
            double instanceHours,

            @Schema(description = "Sum of devices times hours.", example = "50.0")
            double deviceHours,

            @Schema(description = "Device hours of a plan that keeps the largest number.", example = "84.0")
            double fixedDeviceHours,

            @Schema(description = "Price of `device_hours`; with prices.") @Nullable
            Double cost,

            @Schema(description = "Price of `fixed_device_hours`; with prices.") @Nullable
            Double fixedCost) {}

    /// Instances of one interval.
    @Schema(name = "AutoscalingInterval", description = "Instances of one interval.")
    public record IntervalResponse(
            @Schema(description = "Start, in seconds, as in `rate_profile`.", example = "3600")
            double fromSeconds,

            @Schema(description = "Request rate.", example = "5.0")
            double requestsPerS,

            @Schema(description = "Number of instances: aggregated ones, or prefill and decode ones.")
            List<Long> instances,

            @Schema(
                    description = "Instances if every figure is at the unfavorable end of its prediction interval;"
                            + " absent if unknown.",
                    example = "4")
            @Nullable
            Long instancesUnfavorable) {}

    /// A file of an autoscaler.
    @Schema(name = "AutoscalingFile", description = "A file of an autoscaler.")
    public record FileResponse(
            @Schema(
                    description = "Format of the file.",
                    allowableValues = {"keda", "hpa", "wva", "llm-d", "dynamo"})
            String format,

            @Schema(description = "Name of the file.", example = "keda.yaml")
            String name,

            @Schema(description = "Content in YAML; several objects are separated by `---`.")
            String content) {}
}
