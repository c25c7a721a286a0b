package io.throughputoptimizer.core.kernels.operator;

import static io.throughputoptimizer.core.kernels.operator.Times.overlapped;
import static io.throughputoptimizer.core.kernels.operator.Times.us;

import io.throughputoptimizer.core.kernels.calibration.ParameterSet;
import io.throughputoptimizer.core.kernels.calibration.Peaks;

/// The short convolution over queries, keys and values of prompts, before the scan of a recurrent
/// attention: `T` tokens of `b` prompts on `c` channels.
public sealed interface PromptConvolution {
    /// Returns the microseconds of `tokens` in `prompts`, which may be fractional.
    double microseconds(double tokens, double prompts, double channels);

    /// `launch_us + ((b sequence_ns/1000)^4 + us(4 T c, bandwidth * memory_efficiency)^4)^(1/4)`
    record Measured(double launchUs, double promptUs, double memoryRate) implements PromptConvolution {
        static Measured of(Peaks peaks, ParameterSet set) {
            return new Measured(
                    set.get("launch_us"),
                    Times.microseconds(set.get("sequence_ns")),
                    peaks.memoryBytesPerSecond() * set.get("memory_efficiency"));
        }

        @Override
        public double microseconds(double tokens, double prompts, double channels) {
            return launchUs + overlapped(prompts * promptUs, us(bytes(tokens, channels), memoryRate));
        }
    }

    /// `us(4 T c, 0.8 bandwidth) + 2`
    record Generic(Move move) implements PromptConvolution {
        @Override
        public double microseconds(double tokens, double prompts, double channels) {
            return move.microseconds(bytes(tokens, channels));
        }
    }

    private static double bytes(double tokens, double channels) {
        return 4 * tokens * channels;
    }
}
