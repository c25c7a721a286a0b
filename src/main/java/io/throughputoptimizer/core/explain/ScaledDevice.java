package io.throughputoptimizer.core.explain;

import io.throughputoptimizer.core.explain.Lever.DeviceFigure;
import io.throughputoptimizer.core.hardware.DataType;
import io.throughputoptimizer.core.hardware.DeviceProfile;
import io.throughputoptimizer.core.hardware.DeviceProfile.Compute;
import io.throughputoptimizer.core.hardware.DeviceProfile.Memory;
import io.throughputoptimizer.core.hardware.DeviceProfile.StaticCosts;
import io.throughputoptimizer.core.hardware.Interconnect;
import io.throughputoptimizer.core.hardware.Interconnect.Link;
import java.math.BigDecimal;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.UnaryOperator;

/// A device with one peak multiplied by `factor`; efficiencies are unchanged. Figures are scaled as decimals of
/// the device document: 110% of 353.9 TFLOPS are exactly 389.29 TFLOPS.
record ScaledDevice(DeviceProfile device, double factor) {
    private static final double TEBI = 0x1p40;

    DeviceProfile of(DeviceFigure figure) {
        Compute compute = device.compute();
        Memory memory = device.memory();
        return switch (figure) {
            case MEMORY_SIZE ->
                with(new Memory(memory.capacityBytes() * factor, memory.bytesPerSecond(), memory.efficiency()));
            case MEMORY_BANDWIDTH ->
                with(new Memory(
                        memory.capacityBytes(), scaled(memory.bytesPerSecond() / TEBI) * TEBI, memory.efficiency()));
            case MATRIX_RATE ->
                with(new Compute(
                        scaled(compute.matrixOperationsPerSecond()),
                        compute.generalOperationsPerSecond(),
                        compute.efficiency()));
            case STATIC_COSTS -> with(staticCosts());
            case LINK_BANDWIDTH ->
                withLinks(link -> new Link(
                        scaled(link.bytesPerSecond()), link.latencySeconds(), link.efficiency(), link.topology()));
            case LINK_LATENCY ->
                withLinks(link -> new Link(
                        link.bytesPerSecond(), scaled(link.latencySeconds()), link.efficiency(), link.topology()));
        };
    }

    private Map<DataType, Double> scaled(Map<DataType, Double> rates) {
        Map<DataType, Double> scaled = new EnumMap<>(DataType.class);
        rates.forEach((type, rate) -> scaled.put(type, scaled(rate)));
        return scaled;
    }

    private StaticCosts staticCosts() {
        StaticCosts costs = device.staticCosts();
        return new StaticCosts(
                scaled(costs.matrixSeconds()), scaled(costs.generalSeconds()), scaled(costs.communicationSeconds()));
    }

    private double scaled(double figure) {
        return BigDecimal.valueOf(figure).multiply(BigDecimal.valueOf(factor)).doubleValue();
    }

    private DeviceProfile withLinks(UnaryOperator<Link> change) {
        Interconnect links = device.interconnect();
        return new DeviceProfile(
                device.name(),
                device.vendor(),
                device.compute(),
                device.memory(),
                device.staticCosts(),
                new Interconnect(
                        links.grid(), links.links().stream().map(change).toList()),
                device.caveats());
    }

    private DeviceProfile with(Compute compute) {
        return new DeviceProfile(
                device.name(),
                device.vendor(),
                compute,
                device.memory(),
                device.staticCosts(),
                device.interconnect(),
                device.caveats());
    }

    private DeviceProfile with(Memory memory) {
        return new DeviceProfile(
                device.name(),
                device.vendor(),
                device.compute(),
                memory,
                device.staticCosts(),
                device.interconnect(),
                device.caveats());
    }

    private DeviceProfile with(StaticCosts costs) {
        return new DeviceProfile(
                device.name(),
                device.vendor(),
                device.compute(),
                device.memory(),
                costs,
                device.interconnect(),
                device.caveats());
    }
}
