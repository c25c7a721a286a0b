package io.throughputoptimizer.core.kernels.calibration;

import java.util.Map;

/// Peaks of a device, dense and without sparsity; efficiencies of kernels are shares of them.
///
/// @param matrixOperationsPerSecond rates with 2 operations per multiply-accumulate; an absent rate or 0 is not
///     supported
/// @param memoryBytes capacity of the memory
/// @param memoryBytesPerSecond bandwidth of the memory
/// @param links links between devices
public record Peaks(
        Map<MatrixPeak, Double> matrixOperationsPerSecond,
        double memoryBytes,
        double memoryBytesPerSecond,
        Links links) {

    /// Links of one device in one direction.
    ///
    /// @param bytesPerSecond rate within the domain
    /// @param domainDevices devices that reach each other at that rate
    /// @param interNodeBytesPerSecond rate of a group that is larger than the domain
    /// @param inSwitchReduction whether switches reduce tensors that pass through them
    public record Links(
            double bytesPerSecond, int domainDevices, double interNodeBytesPerSecond, boolean inSwitchReduction) {
        public Links {
            requirePositive("link rate", bytesPerSecond);
            requirePositive("link domain", domainDevices);
            requirePositive("inter-node rate", interNodeBytesPerSecond);
        }

        /// Returns whether a group of `ranks` is larger than the domain.
        public boolean crossNodes(int ranks) {
            return ranks > domainDevices;
        }
    }

    public Peaks {
        matrixOperationsPerSecond = Map.copyOf(matrixOperationsPerSecond);
        requirePositive("memory", memoryBytes);
        requirePositive("memory bandwidth", memoryBytesPerSecond);
        matrixOperationsPerSecond.forEach((peak, rate) -> {
            if (!(rate >= 0) || Double.isInfinite(rate)) {
                throw new IllegalArgumentException(
                        "rate of " + peak + " is " + rate + ": a finite number of at least 0 is needed");
            }
        });
    }

    /// Returns whether the device supports this rate.
    public boolean has(MatrixPeak peak) {
        return matrixOperationsPerSecond.getOrDefault(peak, 0.0) > 0;
    }

    /// Returns the operations per second.
    ///
    /// @throws IllegalArgumentException if the device does not support the rate
    public double rate(MatrixPeak peak) {
        if (!has(peak)) {
            throw new IllegalArgumentException("there is no matrix rate for " + peak);
        }
        return matrixOperationsPerSecond.getOrDefault(peak, 0.0);
    }

    private static void requirePositive(String field, double value) {
        if (!(value > 0) || Double.isInfinite(value)) {
            throw new IllegalArgumentException(field + " is " + value + ": a finite number above 0 is needed");
        }
    }
}
