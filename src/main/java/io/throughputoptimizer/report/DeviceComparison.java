package io.throughputoptimizer.report;

import io.throughputoptimizer.api.result.figure.DeviceFiguresResponse;
import io.throughputoptimizer.core.serving.Decimals;
import io.throughputoptimizer.report.table.Cell;
import io.throughputoptimizer.report.table.Section;
import io.throughputoptimizer.report.table.Section.Comparison;
import io.throughputoptimizer.report.table.Table;
import java.util.List;
import java.util.stream.Collectors;

/// Effective rates of several kinds of device, side by side.
final class DeviceComparison {
    private static final int WIDTH = 108;

    private static final List<String> PROFILE_COLUMNS = List.of(
            "Device",
            "Cube Compute (TFLOPS)",
            "Vector Compute (TFLOPS)",
            "HBM BW (TB/s)",
            "Memory (GB)",
            "Comm Grid",
            "Comm BW (GB/s)");

    private static final List<String> PROFILE_NOTES = List.of(
            "Notes:",
            "- Cube/Vector Compute: nominal BF16 peak x compute efficiency (FP16 if BF16 is not listed, else the highest).",
            "- HBM BW: nominal bandwidth x memory efficiency, in 2^40 bytes per second.",
            "- Comm BW: bandwidth x communication efficiency of each topology, in the order of the grid.",
            "  Example: 50 GB/s x 0.7 = 35 GB/s.");

    private DeviceComparison() {}

    /// Returns the section with the effective rates.
    static Section profiles(List<DeviceFiguresResponse> profiles) {
        return new Comparison(
                WIDTH,
                List.of(
                        "Cross-hardware - device profile summary (modeling abstraction vs performance merge tables)",
                        "Device profile parameter comparison (effective compute / memory BW / comm BW)"),
                new Table(
                        PROFILE_COLUMNS,
                        profiles.stream().map(DeviceComparison::profile).toList()),
                PROFILE_NOTES);
    }

    private static List<Cell> profile(DeviceFiguresResponse figures) {
        return List.of(
                new Cell.Text(figures.device()),
                Cell.figure(figures.matrixTflops()),
                Cell.figure(figures.generalTflops()),
                new Cell.Figure(figures.memoryTbPerS(), 3),
                new Cell.Figure(figures.memoryGb(), 1),
                new Cell.Text(figures.grid().stream().map(String::valueOf).collect(Collectors.joining(" x "))),
                new Cell.Text(
                        figures.linkGbPerS().stream().map(Decimals::general).collect(Collectors.joining(" | "))));
    }
}
