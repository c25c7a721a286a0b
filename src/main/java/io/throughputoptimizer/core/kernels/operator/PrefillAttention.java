package io.throughputoptimizer.core.kernels.operator;

import static io.throughputoptimizer.core.kernels.operator.Times.overlapped;
import static io.throughputoptimizer.core.kernels.operator.Times.us;

import io.throughputoptimizer.core.kernels.calibration.MatrixPeak;
import io.throughputoptimizer.core.kernels.calibration.ParameterSet;
import io.throughputoptimizer.core.kernels.calibration.Peaks;

/// Grouped-query attention over prompts: `T` new tokens that see `Q` keys in sum, a prompt of `s` tokens `s^2/2`.
/// Masked blocks are skipped.
public sealed interface PrefillAttention {
    /// Microseconds of `tokens` new tokens with `pairs` visible pairs of query and key.
    double microseconds(double tokens, double pairs, Heads heads);

    /// ```
    /// s       = 2 Q / T
    /// compute = us(2 h (d + head_dim_overhead) T (s + seq_overhead), peak * compute_efficiency)
    /// memory  = us(4 T h d + 2 T g d e, bandwidth * memory_efficiency)
    /// time    = launch_us + seq_latency_ns/1000 s + (compute^4 + memory^4)^(1/4)
    /// ```
    ///
    /// @param elementBytes `e`, bytes of an operand: 1 where attention itself runs in FP8, else 2
    record Measured(double elementBytes, double computeRate, double memoryRate, Overheads overheads, double latencyUs)
            implements PrefillAttention {

        /// Overheads of a prompt attention.
        ///
        /// @param launchUs time before any work
        /// @param sequence tokens of padding per prompt
        /// @param headDimension elements of padding per head
        record Overheads(double launchUs, double sequence, double headDimension) {}

        static Measured of(MatrixPeak peak, Peaks peaks, ParameterSet set) {
            return new Measured(
                    peak == MatrixPeak.FP8 ? 1 : 2,
                    peaks.rate(peak) * set.get("compute_efficiency"),
                    peaks.memoryBytesPerSecond() * set.get("memory_efficiency"),
                    new Overheads(set.get("launch_us"), set.get("seq_overhead"), set.get("head_dim_overhead")),
                    Times.microseconds(set.get("seq_latency_ns")));
        }

        @Override
        public double microseconds(double tokens, double pairs, Heads heads) {
            double length = 2 * pairs / tokens;
            double width = heads.query() * (heads.size() + overheads.headDimension);
            double compute = us(2 * width * tokens * (length + overheads.sequence), computeRate);
            double bytes = 4 * heads.query() + 2 * heads.keyValue() * elementBytes;
            double memory = us(bytes * tokens * heads.size(), memoryRate);
            return overheads.launchUs + latencyUs * length + overlapped(compute, memory);
        }
    }

    /// `max(us(4 Q h d, 0.7 peak), us(4 T h d, 0.8 bandwidth)) + 10`
    record Generic(double computeRate, double memoryRate) implements PrefillAttention {
        static Generic of(MatrixPeak peak, Peaks peaks) {
            return new Generic(GenericRates.compute(peaks, peak), GenericRates.memory(peaks));
        }

        @Override
        public double microseconds(double tokens, double pairs, Heads heads) {
            double width = 4 * heads.query() * heads.size();
            return Math.max(us(width * pairs, computeRate), us(width * tokens, memoryRate))
                    + GenericRates.ATTENTION_LAUNCH_US;
        }
    }
}
