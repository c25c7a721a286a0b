package io.throughputoptimizer.core.kernels.operator;

import static io.throughputoptimizer.core.kernels.operator.Times.overlapped;
import static io.throughputoptimizer.core.kernels.operator.Times.us;

import io.throughputoptimizer.core.kernels.calibration.ParameterSet;
import io.throughputoptimizer.core.kernels.calibration.Peaks;
import io.throughputoptimizer.core.kernels.calibration.ProductType;

/// A matrix product `[m, k] x [k, n]` with a 16-bit result; `a` and `w` are the bytes of an activation and a weight.
public sealed interface Gemm {
    /// Microseconds of the product.
    double microseconds(double m, double n, double k);

    /// Bytes read and written.
    private static double bytes(ProductType type, double m, double n, double k) {
        return type.activationBytes() * m * k + type.weightBytes() * n * k + 2 * m * n;
    }

    /// ```
    /// compute = us(2 (m + m_overhead) (n + n_overhead) (k + k_overhead), peak * compute_efficiency)
    /// memory  = us(a m k + w n k + 2 m n, bandwidth * memory_efficiency)
    /// time    = launch_us + k_latency_ns/1000 k + (compute^4 + memory^4)^(1/4)
    /// ```
    record Measured(ProductType type, double computeRate, double memoryRate, Overheads overheads, double latencyUs)
            implements Gemm {

        /// Overheads of a product.
        ///
        /// @param launchUs time before any work
        /// @param m rows of tile padding
        /// @param n columns of tile padding
        /// @param k depth of tile padding
        record Overheads(double launchUs, double m, double n, double k) {}

        static Measured of(ProductType type, Peaks peaks, ParameterSet set) {
            return new Measured(
                    type,
                    peaks.rate(type.peak()) * set.get("compute_efficiency"),
                    peaks.memoryBytesPerSecond() * set.get("memory_efficiency"),
                    new Overheads(
                            set.get("launch_us"), set.get("m_overhead"), set.get("n_overhead"), set.get("k_overhead")),
                    Times.microseconds(set.get("k_latency_ns")));
        }

        @Override
        public double microseconds(double m, double n, double k) {
            double compute = us(2 * (m + overheads.m) * (n + overheads.n) * (k + overheads.k), computeRate);
            double memory = us(bytes(type, m, n, k), memoryRate);
            return overheads.launchUs + latencyUs * k + overlapped(compute, memory);
        }
    }

    /// The faster of a matrix product and one row by row:
    /// ```
    /// gemv_launch_us + us(2 m n k, peak * gemv_compute_efficiency)
    ///                + us(bytes, bandwidth * gemv_memory_efficiency)
    /// ```
    record Fastest(Measured product, double launchUs, double computeRate, double memoryRate) implements Gemm {
        @Override
        public double microseconds(double m, double n, double k) {
            double byRow = launchUs + us(2 * m * n * k, computeRate) + us(bytes(product.type, m, n, k), memoryRate);
            return Math.min(product.microseconds(m, n, k), byRow);
        }
    }

    /// Returns the products of a set.
    static Gemm of(ProductType type, Peaks peaks, ParameterSet set) {
        Measured product = Measured.of(type, peaks, set);
        return set.has(ParameterSet.VECTOR_LAUNCH)
                ? new Fastest(
                        product,
                        set.get(ParameterSet.VECTOR_LAUNCH),
                        peaks.rate(type.peak()) * set.get("gemv_compute_efficiency"),
                        peaks.memoryBytesPerSecond() * set.get("gemv_memory_efficiency"))
                : product;
    }

    /// `max(us(2 m n k, 0.7 peak), us(a m k + w n k + 2 m n, 0.8 bandwidth)) + 2`
    record Generic(ProductType type, double computeRate, double memoryRate) implements Gemm {
        private static final double LAUNCH_US = 2;

        static Generic of(ProductType type, Peaks peaks) {
            return new Generic(type, GenericRates.compute(peaks, type.peak()), GenericRates.memory(peaks));
        }

        @Override
        public double microseconds(double m, double n, double k) {
            return Math.max(us(2 * m * n * k, computeRate), us(bytes(type, m, n, k), memoryRate)) + LAUNCH_US;
        }
    }
}
