package io.throughputoptimizer.core.kernels.operator;

import static io.throughputoptimizer.core.kernels.operator.Times.overlapped;
import static io.throughputoptimizer.core.kernels.operator.Times.us;

import io.throughputoptimizer.core.kernels.calibration.ParameterSet;
import io.throughputoptimizer.core.kernels.calibration.Peaks;
import io.throughputoptimizer.core.kernels.calibration.ProductType;

/// All routed experts of one rank, from the permutation of tokens to the weighted sum. `w` are the bytes of a weight.
public sealed interface Experts {
    /// Microseconds of experts of that shape.
    ///
    /// @param pairs tokens times experts on this rank
    /// @param live experts of this rank that get a token
    /// @param permuted tokens that are sorted by their experts, `T'`
    double microseconds(Shape shape, double pairs, double live, double permuted);

    /// Sizes of routed experts.
    ///
    /// @param hidden width of a token, `H`
    /// @param inner width inside an expert on this rank, `I'`
    /// @param expertsPerToken experts that a token visits, `k`
    record Shape(double hidden, double inner, double expertsPerToken) {}

    /// ```
    /// compute = us(2 a (pairs + m_overhead live) H (I' + inter_overhead), peak * compute_efficiency)
    /// memory  = us(a live H I' w, bandwidth * memory_efficiency)
    /// time    = launch_us + (compute^4 + memory^4)^(1/4)
    ///         + local_traffic us(2 pairs (2 H + a I'), bandwidth) + global_traffic us(2 T' k H, bandwidth)
    /// ```
    ///
    /// @param matrices `a`, matrices of an expert: 3, or 2 without a gate
    record Measured(
            int matrices,
            double weightBytes,
            double computeRate,
            double memoryRate,
            Overheads overheads,
            Traffic traffic)
            implements Experts {

        /// Overheads of the grouped product.
        ///
        /// @param launchUs time before any work
        /// @param rows rows of tile padding per active expert
        /// @param inner elements of padding of the inner width
        record Overheads(double launchUs, double rows, double inner) {}

        /// Memory traffic of activations.
        ///
        /// @param bandwidth bytes per second
        /// @param local passes over the activations of the rank's own pairs
        /// @param global passes over the activations of all pairs
        record Traffic(double bandwidth, double local, double global) {}

        static Measured of(int matrices, ProductType type, Peaks peaks, ParameterSet set) {
            double bandwidth = peaks.memoryBytesPerSecond();
            return new Measured(
                    matrices,
                    type.weightBytes(),
                    peaks.rate(type.peak()) * set.get("compute_efficiency"),
                    bandwidth * set.get("memory_efficiency"),
                    new Overheads(set.get("launch_us"), set.get("m_overhead"), set.get("inter_overhead")),
                    new Traffic(bandwidth, set.get("local_traffic"), set.get("global_traffic")));
        }

        @Override
        public double microseconds(Shape shape, double pairs, double live, double permuted) {
            double rows = pairs + overheads.rows * live;
            double compute = us(2 * matrices * rows * shape.hidden * (shape.inner + overheads.inner), computeRate);
            double memory = us(matrices * live * shape.hidden * shape.inner * weightBytes, memoryRate);
            double local = 2 * pairs * (2 * shape.hidden + matrices * shape.inner);
            double global = 2 * permuted * shape.expertsPerToken * shape.hidden;
            return overheads.launchUs
                    + overlapped(compute, memory)
                    + us(traffic.local * local + traffic.global * global, traffic.bandwidth);
        }
    }

    /// `max(us(2 a pairs H I', 0.2 peak), us(a live H I' w, 0.8 bandwidth)) + 30`
    record Generic(int matrices, double weightBytes, double computeRate, double memoryRate) implements Experts {
        private static final double COMPUTE_SHARE = 0.2;
        private static final double LAUNCH_US = 30;

        static Generic of(int matrices, ProductType type, Peaks peaks) {
            return new Generic(
                    matrices, type.weightBytes(), peaks.rate(type.peak()) * COMPUTE_SHARE, GenericRates.memory(peaks));
        }

        @Override
        public double microseconds(Shape shape, double pairs, double live, double permuted) {
            double expert = shape.hidden * shape.inner;
            return Math.max(
                            us(2 * matrices * pairs * expert, computeRate),
                            us(matrices * live * expert * weightBytes, memoryRate))
                    + LAUNCH_US;
        }
    }
}
