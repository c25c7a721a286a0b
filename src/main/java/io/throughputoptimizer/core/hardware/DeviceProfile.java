package io.throughputoptimizer.core.hardware;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/// One kind of accelerator. Peaks and efficiencies are kept apart: a rate that is reached is their product.
///
/// @param name catalogue name, such as `TEST_DEVICE`
/// @param vendor who makes it
/// @param compute peak rates and how much of them is reached
/// @param memory capacity and bandwidth of the device memory
/// @param staticCosts time added to each operator, by the unit that runs it
/// @param interconnect the grid of devices and its links
/// @param caveats what to know before trusting figures of it, as clauses
public record DeviceProfile(
        String name,
        String vendor,
        Compute compute,
        Memory memory,
        StaticCosts staticCosts,
        Interconnect interconnect,
        List<String> caveats) {

    /// Without anything to know before trusting its figures.
    public DeviceProfile(
            String name,
            String vendor,
            Compute compute,
            Memory memory,
            StaticCosts staticCosts,
            Interconnect interconnect) {
        this(name, vendor, compute, memory, staticCosts, interconnect, List.of());
    }

    /// Peak rates in operations per second (2 per multiply-accumulate), keyed by rate type
    /// ([DataType#rateType()]).
    ///
    /// @param matrixOperationsPerSecond matrix units (MMA, "cube")
    /// @param generalOperationsPerSecond general units (GP, "vector")
    /// @param efficiency share of either peak that is reached
    public record Compute(
            Map<DataType, Double> matrixOperationsPerSecond,
            Map<DataType, Double> generalOperationsPerSecond,
            double efficiency) {
        public Compute {
            matrixOperationsPerSecond = Map.copyOf(matrixOperationsPerSecond);
            generalOperationsPerSecond = Map.copyOf(generalOperationsPerSecond);
            matrixOperationsPerSecond.forEach((type, rate) -> Rates.requirePositive("matrix rate of " + type, rate));
            generalOperationsPerSecond.forEach((type, rate) -> Rates.requirePositive("general rate of " + type, rate));
            Rates.requireShare("compute efficiency", efficiency);
        }

        /// Matrix rate that is reached for a type, in operations per second; empty when the device lists none.
        public OptionalDouble effectiveMatrixRate(DataType type) {
            return effective(matrixOperationsPerSecond, type);
        }

        /// General rate that is reached for a type, in operations per second; empty when the device lists none.
        public OptionalDouble effectiveGeneralRate(DataType type) {
            return effective(generalOperationsPerSecond, type);
        }

        private OptionalDouble effective(Map<DataType, Double> peaks, DataType type) {
            Double peak = peaks.get(type.rateType());
            return peak == null ? OptionalDouble.empty() : OptionalDouble.of(peak * efficiency);
        }
    }

    /// @param capacityBytes device memory
    /// @param bytesPerSecond peak bandwidth
    /// @param efficiency share of the bandwidth that is reached
    public record Memory(double capacityBytes, double bytesPerSecond, double efficiency) {
        public Memory {
            Rates.requirePositive("memory capacity", capacityBytes);
            Rates.requirePositive("memory bandwidth", bytesPerSecond);
            Rates.requireShare("memory efficiency", efficiency);
        }

        /// Bandwidth that is reached, in bytes per second.
        public double effectiveBytesPerSecond() {
            return bytesPerSecond * efficiency;
        }
    }

    /// Launch overheads in seconds.
    ///
    /// @param matrixSeconds of an operator with work on matrix units
    /// @param generalSeconds of any other operator
    /// @param communicationSeconds of a collective
    public record StaticCosts(double matrixSeconds, double generalSeconds, double communicationSeconds) {
        public StaticCosts {
            Rates.requireNotNegative("matrix static cost", matrixSeconds);
            Rates.requireNotNegative("general static cost", generalSeconds);
            Rates.requireNotNegative("communication static cost", communicationSeconds);
        }
    }

    public DeviceProfile {
        if (name.isBlank()) {
            throw new IllegalArgumentException("name is blank: a device needs a name");
        }
        caveats = List.copyOf(caveats);
    }

    /// The same device by another name, with one more thing to know.
    public DeviceProfile as(String otherName, String caveat) {
        return new DeviceProfile(
                otherName,
                vendor,
                compute,
                memory,
                staticCosts,
                interconnect,
                Stream.concat(Stream.of(caveat), caveats.stream()).toList());
    }

    /// Why an instance of that many devices has no room in the grid; empty when it has.
    public Optional<String> obstacle(long devices) {
        long room = interconnect.deviceCount();
        return devices > room
                ? Optional.of("is " + devices + ": the grid of " + name + " holds " + room + " devices")
                : Optional.empty();
    }
}
