package io.throughputoptimizer.core.kernels.operator;

import static io.throughputoptimizer.core.kernels.operator.Times.overlapped;
import static io.throughputoptimizer.core.kernels.operator.Times.us;

import io.throughputoptimizer.core.kernels.calibration.MatrixPeak;
import io.throughputoptimizer.core.kernels.calibration.ParameterSet;
import io.throughputoptimizer.core.kernels.calibration.Peaks;

/// A recurrence over prompts in chunks of `chunk` tokens: `T` tokens of `b` prompts, a prompt of `s = T/b`.
public sealed interface StateScan {
    /// Tokens of a chunk of the delta rule.
    int USUAL_CHUNK = 64;

    /// Returns the microseconds of `tokens` in `prompts`, which may be fractional.
    double microseconds(double tokens, double prompts, StateHeads heads);

    /// ```
    /// compute = us((T + seq_overhead b) nv (6 dk dv + chunk (6 dk + 4 dv)), peak * compute_efficiency)
    /// memory  = us(2 T (2 nk dk + 2 nv dv) + 8 b nv dk dv, bandwidth * memory_efficiency)
    /// work    = (compute^4 + memory^4)^(1/4);   serial = seq_latency_ns/1000 (s + seq_overhead)
    /// time    = launch_us + (serial^4 + work^4)^(1/4)
    /// ```
    ///
    /// @param overhead tokens that each prompt is padded by
    record Measured(int chunk, double computeRate, double memoryRate, double launchUs, double overhead, double tokenUs)
            implements StateScan {
        static Measured of(int chunk, Peaks peaks, ParameterSet set) {
            return new Measured(
                    chunk,
                    peaks.rate(MatrixPeak.BF16) * set.get("compute_efficiency"),
                    peaks.memoryBytesPerSecond() * set.get("memory_efficiency"),
                    set.get("launch_us"),
                    set.get("seq_overhead"),
                    Times.microseconds(set.get("seq_latency_ns")));
        }

        @Override
        public double microseconds(double tokens, double prompts, StateHeads heads) {
            double work = overlapped(
                    us(operations(chunk, tokens + overhead * prompts, heads), computeRate),
                    us(bytes(tokens, prompts, heads), memoryRate));
            return launchUs + overlapped(tokenUs * (tokens / prompts + overhead), work);
        }
    }

    /// The longer of the operations at 0.7 of the peak and the bytes at 0.8 of the bandwidth, and
    /// 10 us.
    record Generic(int chunk, double computeRate, double memoryRate) implements StateScan {
        static Generic of(int chunk, Peaks peaks) {
            return new Generic(chunk, GenericRates.compute(peaks, MatrixPeak.BF16), GenericRates.memory(peaks));
        }

        @Override
        public double microseconds(double tokens, double prompts, StateHeads heads) {
            return Math.max(
                            us(operations(chunk, tokens, heads), computeRate),
                            us(bytes(tokens, prompts, heads), memoryRate))
                    + GenericRates.ATTENTION_LAUNCH_US;
        }
    }

    private static double operations(int chunk, double tokens, StateHeads heads) {
        double chunked = chunk * (6 * heads.keySize() + 4 * heads.valueSize());
        return tokens * heads.value() * (6 * heads.keySize() * heads.valueSize() + chunked);
    }

    private static double bytes(double tokens, double prompts, StateHeads heads) {
        return 2 * tokens * heads.tokenElements() + 8 * prompts * heads.stateElements();
    }
}
