package io.throughputoptimizer.api.result.figure;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.core.hardware.DeviceFigures;
import java.util.List;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/// Effective rates of a device: peak times efficiency.
@Schema(name = "DeviceFigures")
public record DeviceFiguresResponse(
        String device,
        @Nullable Double matrixTflops,
        @Nullable Double generalTflops,
        double memoryTbPerS,
        double memoryGb,
        List<Integer> grid,
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
