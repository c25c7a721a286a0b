package io.throughputoptimizer.core.hardware;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/// Effective rates of a device in the units of the comparison table: each is a peak times its efficiency.
///
/// Compute rates are those of the type most models run in: bfloat16 if the device lists it, else float16, else
/// the type with the highest rate.
///
/// @param matrixTflops matrix units ("cube"), 10^12 operations per second; empty if the device lists none
/// @param generalTflops general units ("vector"), 10^12 operations per second; empty if the device lists none
/// @param memoryTbPerSecond bandwidth of the device memory, 2^40 bytes per second
/// @param memoryGb memory capacity in 2^30 bytes, without efficiency
/// @param grid devices per dimension, outermost first
/// @param linkGbPerSecond bandwidth per dimension, 10^9 bytes per second
/// @param unratedMatrixTypes types without a matrix rate: such work takes no time on the matrix units, so
///     deployments that need it are underestimated
public record DeviceFigures(
        String device,
        OptionalDouble matrixTflops,
        OptionalDouble generalTflops,
        double memoryTbPerSecond,
        double memoryGb,
        List<Integer> grid,
        List<Double> linkGbPerSecond,
        List<DataType> unratedMatrixTypes) {

    private static final double TERA = 1e12;
    private static final double GIGA = 1e9;
    private static final double GIBI = 0x1p30;
    private static final double TEBI = 0x1p40;

    public DeviceFigures {
        grid = List.copyOf(grid);
        linkGbPerSecond = List.copyOf(linkGbPerSecond);
        unratedMatrixTypes = List.copyOf(unratedMatrixTypes);
    }

    /// Returns the figures of one device.
    public static DeviceFigures of(DeviceProfile device) {
        DeviceProfile.Compute compute = device.compute();
        DeviceProfile.Memory memory = device.memory();
        return new DeviceFigures(
                device.name(),
                tflops(compute.matrixOperationsPerSecond(), compute.efficiency()),
                tflops(compute.generalOperationsPerSecond(), compute.efficiency()),
                memory.bytesPerSecond() / TEBI * memory.efficiency(),
                memory.capacityBytes() / GIBI,
                device.interconnect().grid(),
                device.interconnect().links().stream()
                        .map(link -> link.effectiveBytesPerSecond() / GIGA)
                        .toList(),
                unratedMatrixTypes(compute));
    }

    private static OptionalDouble tflops(Map<DataType, Double> peaks, double efficiency) {
        return Stream.of(DataType.BFLOAT16, DataType.FLOAT16)
                .flatMap(type -> Stream.ofNullable(peaks.get(type)))
                .findFirst()
                .or(() -> peaks.values().stream().max(Comparator.naturalOrder()))
                .map(peak -> OptionalDouble.of(peak / TERA * efficiency))
                .orElse(OptionalDouble.empty());
    }

    private static List<DataType> unratedMatrixTypes(DeviceProfile.Compute compute) {
        return Arrays.stream(DataType.values())
                .filter(DeviceFigures::multiplies)
                .filter(type -> !compute.matrixOperationsPerSecond().containsKey(type))
                .toList();
    }

    /// Returns whether some quantization multiplies matrices at the rate of this type.
    private static boolean multiplies(DataType type) {
        return switch (type) {
            case FLOAT32, BFLOAT16, FLOAT16, INT8, FLOAT8_E4M3, INT4 -> true;
            case FLOAT8_E5M2, FLOAT8_E8M0, UINT8, BOOL, INT32, INT64 -> false;
        };
    }
}
