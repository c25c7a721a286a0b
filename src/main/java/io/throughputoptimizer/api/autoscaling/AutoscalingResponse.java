package io.throughputoptimizer.api.autoscaling;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.api.result.figure.ParallelResponse;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Parameters of autoscalers for a capacity plan.
@Schema(name = "Autoscaling")
public record AutoscalingResponse(
        String name,
        String namespace,
        String device,

        @Schema(allowableValues = {"aggregated", "disaggregated"})
        String deployment,

        ParallelResponse parallel,
        int devicesPerInstance,

        @Schema(allowableValues = {"analytic", "calibrated"})
        String costModel,

        double headroom,
        List<ParameterResponse> parameters,
        @Nullable ScheduleResponse schedule,
        List<FileResponse> files,
        List<String> notes) {

    /// Returns the files as one YAML stream, with the notes as comments.
    public String yaml() {
        return notes.stream().map(note -> "# " + note + "\n").collect(Collectors.joining())
                + files.stream().map(file -> "---\n" + file.content).collect(Collectors.joining());
    }

    /// A number of an autoscaler.
    @Schema(name = "AutoscalingParameter")
    public record ParameterResponse(
            String name,
            double value,
            @Nullable Double low,
            @Nullable Double high,
            String unit,
            String formula,
            String source) {}

    /// Instances over time.
    @Schema(name = "AutoscalingSchedule")
    public record ScheduleResponse(
            List<IntervalResponse> intervals,
            double instanceHours,
            double deviceHours,
            double fixedDeviceHours,
            @Nullable Double cost,
            @Nullable Double fixedCost) {}

    /// Instances of one interval.
    @Schema(name = "AutoscalingInterval")
    public record IntervalResponse(
            double fromSeconds,
            double requestsPerS,
            List<Long> instances,
            @Nullable Long instancesUnfavorable) {}

    /// A file of an autoscaler.
    @Schema(name = "AutoscalingFile")
    public record FileResponse(
            @Schema(allowableValues = {"keda", "hpa", "wva", "llm-d", "dynamo"})
            String format,

            String name,
            String content) {}
}
