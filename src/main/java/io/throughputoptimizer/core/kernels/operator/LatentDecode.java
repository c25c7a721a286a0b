package io.throughputoptimizer.core.kernels.operator;

import static io.throughputoptimizer.core.kernels.operator.Times.interleaved;
import static io.throughputoptimizer.core.kernels.operator.Times.overlapped;
import static io.throughputoptimizer.core.kernels.operator.Times.us;

import io.throughputoptimizer.core.kernels.calibration.MatrixPeak;
import io.throughputoptimizer.core.kernels.calibration.ParameterSet;
import io.throughputoptimizer.core.kernels.calibration.Peaks;

/// Latent attention of one new token per sequence, in its absorbed form: on entries of 576 elements, 512 of
/// them the value. `n` sequences with `C` total cached tokens.
public sealed interface LatentDecode {
    /// Elements of a cache entry.
    double ENTRY = 576;

    /// Elements that a head reads as key and as value.
    double WIDTH = ENTRY + 512;

    /// Returns the microseconds of `sequences` with `context` total cached tokens, on `heads` heads.
    double microseconds(double sequences, double context, double heads);

    /// ```
    /// compute = us(2 h 1088 C, peak * compute_efficiency)
    /// memory  = us(576 C e + 2 n h 1088, bandwidth * memory_efficiency)
    /// work    = (memory^4 + compute^4)^(1/4);   items = n item_ns/1000
    /// time    = launch_us + split_us log2(1 + C/n/64) + (work^1.5 + items^1.5)^(1/1.5)
    /// ```
    ///
    /// @param cacheBytes `e`, bytes of a cached element
    record Measured(
            double cacheBytes, double computeRate, double memoryRate, double launchUs, double itemUs, double splitUs)
            implements LatentDecode {
        static Measured of(double cacheBytes, Peaks peaks, ParameterSet set) {
            return new Measured(
                    cacheBytes,
                    peaks.rate(MatrixPeak.BF16) * set.get("compute_efficiency"),
                    peaks.memoryBytesPerSecond() * set.get("memory_efficiency"),
                    set.get("launch_us"),
                    Times.microseconds(set.get("item_ns")),
                    set.get("split_us"));
        }

        @Override
        public double microseconds(double sequences, double context, double heads) {
            double compute = us(2 * heads * WIDTH * context, computeRate);
            double memory = us(ENTRY * context * cacheBytes + 2 * sequences * heads * WIDTH, memoryRate);
            double split = splitUs * Times.log2OnePlus(context / sequences / DecodeAttention.Measured.PART);
            return launchUs + split + interleaved(overlapped(memory, compute), sequences * itemUs);
        }
    }

    /// `max(us(2176 h C, 0.7 peak), us(576 C e, 0.8 bandwidth)) + 10`
    ///
    /// @param cacheBytes `e`, bytes of a cached element
    record Generic(double cacheBytes, double computeRate, double memoryRate) implements LatentDecode {
        static Generic of(double cacheBytes, Peaks peaks) {
            return new Generic(cacheBytes, GenericRates.compute(peaks, MatrixPeak.BF16), GenericRates.memory(peaks));
        }

        @Override
        public double microseconds(double sequences, double context, double heads) {
            return Math.max(us(2 * WIDTH * heads * context, computeRate), us(ENTRY * context * cacheBytes, memoryRate))
                    + GenericRates.ATTENTION_LAUNCH_US;
        }
    }
}
