package io.throughputoptimizer.core.kernels.operator;

import static io.throughputoptimizer.core.kernels.operator.Times.overlapped;
import static io.throughputoptimizer.core.kernels.operator.Times.us;

import io.throughputoptimizer.core.kernels.calibration.MatrixPeak;
import io.throughputoptimizer.core.kernels.calibration.ParameterSet;
import io.throughputoptimizer.core.kernels.calibration.Peaks;

/// Latent attention over prompts, on keys of 192 and values of 128 elements: `T` new tokens that see `Q` keys in sum.
public sealed interface LatentPrefill {
    /// Elements of a key and a value.
    double WIDTH = 192 + 128;

    /// Microseconds of `tokens` new tokens with `pairs` visible pairs of query and key, on `heads` heads.
    double microseconds(double tokens, double pairs, double heads);

    /// ```
    /// s       = 2 Q / T
    /// compute = us(h 320 T (s + seq_overhead), peak * compute_efficiency)
    /// memory  = us(2 T h 640, bandwidth * memory_efficiency)
    /// time    = launch_us + seq_latency_ns/1000 s + (compute^4 + memory^4)^(1/4)
    /// ```
    record Measured(double computeRate, double memoryRate, double launchUs, double sequenceOverhead, double latencyUs)
            implements LatentPrefill {
        static Measured of(Peaks peaks, ParameterSet set) {
            return new Measured(
                    peaks.rate(MatrixPeak.BF16) * set.get("compute_efficiency"),
                    peaks.memoryBytesPerSecond() * set.get("memory_efficiency"),
                    set.get("launch_us"),
                    set.get("seq_overhead"),
                    Times.microseconds(set.get("seq_latency_ns")));
        }

        @Override
        public double microseconds(double tokens, double pairs, double heads) {
            double length = 2 * pairs / tokens;
            double compute = us(heads * WIDTH * tokens * (length + sequenceOverhead), computeRate);
            double memory = us(2 * tokens * heads * 2 * WIDTH, memoryRate);
            return launchUs + latencyUs * length + overlapped(compute, memory);
        }
    }

    /// `max(us(640 Q h, 0.7 peak), us(1280 T h, 0.8 bandwidth)) + 10`
    record Generic(double computeRate, double memoryRate) implements LatentPrefill {
        static Generic of(Peaks peaks) {
            return new Generic(GenericRates.compute(peaks, MatrixPeak.BF16), GenericRates.memory(peaks));
        }

        @Override
        public double microseconds(double tokens, double pairs, double heads) {
            double width = 2 * WIDTH * heads;
            return Math.max(us(width * pairs, computeRate), us(2 * width * tokens, memoryRate))
                    + GenericRates.ATTENTION_LAUNCH_US;
        }
    }
}
