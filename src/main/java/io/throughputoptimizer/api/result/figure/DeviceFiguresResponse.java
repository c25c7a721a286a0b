package io.throughputoptimizer.api.result.figure;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.core.hardware.DeviceFigures;
import java.util.List;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/// Effective rates of a device: peak times efficiency.
@Schema(name = "DeviceFigures", description = "Effective figures of a device: peaks times efficiencies.")
public record DeviceFiguresResponse(
        @Schema(description = "Name of the device.") String device,

        @Schema(description = "Matrix units, 10^12 operations per second.") @Nullable
        Double matrixTflops,

        @Schema(description = "General units, 10^12 operations per second.") @Nullable
        Double generalTflops,

        @Schema(description = "Device memory, 2^40 bytes per second.")
        double memoryTbPerS,

        @Schema(description = "Capacity, 2^30 bytes.") double memoryGb,

        @Schema(description = "Devices per dimension, outermost first.")
        List<Integer> grid,

        @Schema(description = "Per dimension, 10^9 bytes per second.")
        List<Double> linkGbPerS) {

    public static DeviceFiguresResponse from(DeviceFigures figures) {
        return new DeviceFiguresResponse(
                figures.device(),
                orNull(figures.matrixTflops()),
                orNull(figures.generalTflops()),
                figures.memoryTbPerSecond(),
                figures.memoryGb(),
                figures.grid(),
                figures.linkGbPerSecond());
    }

    private static @Nullable Double orNull(OptionalDouble figure) {
        return figure.isPresent() ? figure.getAsDouble() : null;
    }
}
