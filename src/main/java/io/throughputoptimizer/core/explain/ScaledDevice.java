package io.throughputoptimizer.core.explain;

import io.throughputoptimizer.core.explain.Lever.DeviceFigure;
import io.throughputoptimizer.core.hardware.DataType;
import io.throughputoptimizer.core.hardware.DeviceProfile;
import io.throughputoptimizer.core.hardware.DeviceProfile.Compute;
import io.throughputoptimizer.core.hardware.DeviceProfile.Memory;
import io.throughputoptimizer.core.hardware.DeviceProfile.StaticCosts;
import io.throughputoptimizer.core.hardware.Interconnect;
import io.throughputoptimizer.core.hardware.Interconnect.Link;
import java.util.EnumMap;
import java.util.Map;

/// A device with one of its peaks `factor` times as high; efficiencies stay.
record ScaledDevice(DeviceProfile device, double factor) {

    DeviceProfile of(DeviceFigure figure) {
        Compute compute = device.compute();
        Memory memory = device.memory();
        return switch (figure) {
            case MEMORY_SIZE ->
                with(new Memory(memory.capacityBytes() * factor, memory.bytesPerSecond(), memory.efficiency()));
            case MEMORY_BANDWIDTH ->
                with(new Memory(memory.capacityBytes(), memory.bytesPerSecond() * factor, memory.efficiency()));
            case MATRIX_RATE ->
                with(new Compute(
                        scaled(compute.matrixOperationsPerSecond()),
                        compute.generalOperationsPerSecond(),
                        compute.efficiency()));
            case STATIC_COSTS -> with(staticCosts());
            case LINK_BANDWIDTH -> withLinks(factor, 1);
            case LINK_LATENCY -> withLinks(1, factor);
        };
    }

    private Map<DataType, Double> scaled(Map<DataType, Double> rates) {
        Map<DataType, Double> scaled = new EnumMap<>(DataType.class);
        rates.forEach((type, rate) -> scaled.put(type, rate * factor));
        return scaled;
    }

    private StaticCosts staticCosts() {
        StaticCosts costs = device.staticCosts();
        return new StaticCosts(
                costs.matrixSeconds() * factor, costs.generalSeconds() * factor, costs.communicationSeconds() * factor);
    }

    private DeviceProfile withLinks(double bandwidth, double latency) {
        Interconnect links = device.interconnect();
        return new DeviceProfile(
                device.name(),
                device.vendor(),
                device.compute(),
                device.memory(),
                device.staticCosts(),
                new Interconnect(
                        links.grid(),
                        links.links().stream()
                                .map(link -> new Link(
                                        link.bytesPerSecond() * bandwidth,
                                        link.latencySeconds() * latency,
                                        link.efficiency(),
                                        link.topology()))
                                .toList()));
    }

    private DeviceProfile with(Compute compute) {
        return new DeviceProfile(
                device.name(), device.vendor(), compute, device.memory(), device.staticCosts(), device.interconnect());
    }

    private DeviceProfile with(Memory memory) {
        return new DeviceProfile(
                device.name(), device.vendor(), device.compute(), memory, device.staticCosts(), device.interconnect());
    }

    private DeviceProfile with(StaticCosts costs) {
        return new DeviceProfile(
                device.name(), device.vendor(), device.compute(), device.memory(), costs, device.interconnect());
    }
}
