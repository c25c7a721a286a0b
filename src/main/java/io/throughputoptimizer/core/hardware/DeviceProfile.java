package io.throughputoptimizer.core.hardware;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/// One kind of accelerator. Peaks and efficiencies are separate; an effective rate is their product.
///
/// @param name catalogue name, such as `TEST_DEVICE`
/// @param vendor manufacturer
/// @param compute peak rates and their efficiencies
/// @param memory capacity and bandwidth of the device memory
/// @param staticCosts static cost per operator, by the unit that runs it
/// @param interconnect grid of devices and its links
/// @param caveats limitations of its figures, as clauses
public record DeviceProfile(
        String name,
        String vendor,
        Compute compute,
        Memory memory,
        StaticCosts staticCosts,
        Interconnect interconnect,
        List<String> caveats) {

    /// Peak rates in operations per second (2 per multiply-accumulate), keyed by rate type
    /// ([DataType#rateType()]).
    ///
    /// @param matrixOperationsPerSecond matrix units (MMA, "cube")
    /// @param generalOperationsPerSecond general units (GP, "vector")
    /// @param efficiency achievable fraction of either peak
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

        /// Returns the effective matrix rate of a type in operations per second; empty if the device lists
        /// none. Products of FP8 weights, [DataType#FLOAT8_E5M2], run at the rate of int8, as msmodeling prices
        /// them, or at that of FP8 if it is no faster than 16 bits: such devices have no units for it.
        public OptionalDouble effectiveMatrixRate(DataType type) {
            return effective(
                    matrixOperationsPerSecond, type == DataType.FLOAT8_E5M2 && !widensFloat8() ? DataType.INT8 : type);
        }

        private boolean widensFloat8() {
            Double float8 = matrixOperationsPerSecond.get(DataType.FLOAT8_E4M3);
            Double half = matrixOperationsPerSecond.get(DataType.BFLOAT16);
            return float8 != null && half != null && float8 <= half;
        }

        /// Returns the effective general rate of a type in operations per second; empty if the device lists
        /// none.
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
    /// @param efficiency achievable fraction of the bandwidth
    public record Memory(double capacityBytes, double bytesPerSecond, double efficiency) {
        public Memory {
            Rates.requirePositive("memory capacity", capacityBytes);
            Rates.requirePositive("memory bandwidth", bytesPerSecond);
            Rates.requireShare("memory efficiency", efficiency);
        }

        /// Returns the effective bandwidth in bytes per second.
        public double effectiveBytesPerSecond() {
            return bytesPerSecond * efficiency;
        }
    }

    /// Launch overheads in seconds.
    ///
    /// @param matrixSeconds overhead of an operator with work on matrix units
    /// @param generalSeconds overhead of any other operator
    /// @param communicationSeconds overhead of a collective
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

    /// Returns a copy with another name and one more caveat.
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

    /// Returns the reason an instance of that many devices does not fit in the grid; empty if it does.
    public Optional<String> obstacle(long devices) {
        long room = interconnect.deviceCount();
        return devices > room
                ? Optional.of("is " + devices + ": the grid of " + name + " holds " + room + " devices")
                : Optional.empty();
    }
}
