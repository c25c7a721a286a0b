package io.throughputoptimizer.catalog;

import static io.throughputoptimizer.catalog.DeviceUnits.GIBI;
import static io.throughputoptimizer.catalog.DeviceUnits.GIGA;
import static io.throughputoptimizer.catalog.DeviceUnits.MICRO;
import static io.throughputoptimizer.catalog.DeviceUnits.TEBI;
import static io.throughputoptimizer.catalog.DeviceUnits.TERA;
import static io.throughputoptimizer.catalog.DeviceUnits.shifted;

import io.throughputoptimizer.catalog.DeviceDocument.DeviceCompute;
import io.throughputoptimizer.catalog.DeviceDocument.DeviceEffective;
import io.throughputoptimizer.catalog.DeviceDocument.DeviceInterconnect;
import io.throughputoptimizer.catalog.DeviceDocument.DeviceLink;
import io.throughputoptimizer.catalog.DeviceDocument.DeviceMemory;
import io.throughputoptimizer.catalog.DeviceDocument.DeviceStaticCosts;
import io.throughputoptimizer.catalog.DeviceDocument.GeneralTflops;
import io.throughputoptimizer.catalog.DeviceDocument.MatrixTflops;
import io.throughputoptimizer.core.hardware.DataType;
import io.throughputoptimizer.core.hardware.DeviceFigures;
import io.throughputoptimizer.core.hardware.DeviceProfile;
import io.throughputoptimizer.core.hardware.Interconnect;
import java.util.Map;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/// Converts a device profile into a document.
final class DeviceDocumentWriter {
    private DeviceDocumentWriter() {}

    /// @param read original document of the profile
    static DeviceDocument write(DeviceProfile profile, DeviceDocument read) {
        return new DeviceDocument(
                profile.name(),
                profile.vendor(),
                read.source(),
                compute(profile.compute()),
                memory(profile.memory()),
                staticCosts(profile.staticCosts()),
                interconnect(profile.interconnect()),
                effective(profile),
                read.calibration(),
                read.comparedWithSilicon(),
                read.aliases());
    }

    static DeviceEffective effective(DeviceProfile profile) {
        DeviceFigures figures = DeviceFigures.of(profile);
        return new DeviceEffective(
                orNull(figures.matrixTflops()),
                orNull(figures.generalTflops()),
                figures.memoryTbPerSecond(),
                figures.linkGbPerSecond(),
                figures.unratedMatrixTypes().stream().map(DeviceUnits::rateName).toList());
    }

    private static DeviceCompute compute(DeviceProfile.Compute compute) {
        Map<DataType, Double> matrix = compute.matrixOperationsPerSecond();
        Map<DataType, Double> general = compute.generalOperationsPerSecond();
        return new DeviceCompute(
                new MatrixTflops(
                        tflops(matrix, DataType.FLOAT32),
                        tflops(matrix, DataType.BFLOAT16),
                        tflops(matrix, DataType.FLOAT16),
                        tflops(matrix, DataType.INT8),
                        tflops(matrix, DataType.FLOAT8_E4M3),
                        tflops(matrix, DataType.INT4)),
                new GeneralTflops(
                        tflops(general, DataType.FLOAT32),
                        tflops(general, DataType.BFLOAT16),
                        tflops(general, DataType.FLOAT16)),
                compute.efficiency());
    }

    private static DeviceMemory memory(DeviceProfile.Memory memory) {
        return new DeviceMemory(memory.capacityBytes() / GIBI, memory.bytesPerSecond() / TEBI, memory.efficiency());
    }

    private static DeviceStaticCosts staticCosts(DeviceProfile.StaticCosts costs) {
        return new DeviceStaticCosts(
                shifted(costs.matrixSeconds(), -MICRO),
                shifted(costs.generalSeconds(), -MICRO),
                shifted(costs.communicationSeconds(), -MICRO));
    }

    private static DeviceInterconnect interconnect(Interconnect interconnect) {
        return new DeviceInterconnect(
                interconnect.grid(),
                interconnect.links().stream().map(DeviceDocumentWriter::link).toList());
    }

    private static DeviceLink link(Interconnect.Link link) {
        return new DeviceLink(
                shifted(link.bytesPerSecond(), -GIGA),
                shifted(link.latencySeconds(), -MICRO),
                link.efficiency(),
                link.topology());
    }

    private static @Nullable Double tflops(Map<DataType, Double> rates, DataType type) {
        return DeviceUnits.shiftedIfGiven(rates.get(type), -TERA);
    }

    private static @Nullable Double orNull(OptionalDouble value) {
        return value.isPresent() ? Double.valueOf(value.getAsDouble()) : null;
    }
}
