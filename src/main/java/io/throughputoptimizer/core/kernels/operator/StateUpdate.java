package io.throughputoptimizer.core.kernels.operator;

import static io.throughputoptimizer.core.kernels.operator.Times.interleaved;
import static io.throughputoptimizer.core.kernels.operator.Times.us;

import io.throughputoptimizer.core.kernels.calibration.ParameterSet;
import io.throughputoptimizer.core.kernels.calibration.Peaks;

/// The delta rule in decode: `n` sequences with `q` tokens each, whose state of `S` bytes an
/// element is read once and written once a token.
public sealed interface StateUpdate {
    /// Returns the microseconds of updating `sequences`.
    ///
    /// @param query tokens of a sequence, 1 without speculation
    /// @param stateBytes bytes of an element of the state
    double microseconds(double sequences, double query, StateHeads heads, double stateBytes);

    /// ```
    /// memory = us(n nv dk dv S (1 + q) + 2 n q (2 nk dk + 2 nv dv), bandwidth * memory_efficiency)
    /// time   = launch_us + (memory^1.5 + (n nv q item_ns/1000)^1.5)^(1/1.5)
    /// ```
    record Measured(double memoryRate, double launchUs, double itemUs) implements StateUpdate {
        static Measured of(Peaks peaks, ParameterSet set) {
            return new Measured(
                    peaks.memoryBytesPerSecond() * set.get("memory_efficiency"),
                    set.get("launch_us"),
                    Times.microseconds(set.get("item_ns")));
        }

        @Override
        public double microseconds(double sequences, double query, StateHeads heads, double stateBytes) {
            double memory = us(bytes(sequences, query, heads, stateBytes), memoryRate);
            return launchUs + interleaved(memory, sequences * heads.value() * query * itemUs);
        }
    }

    /// Estimate without measurements: the bytes at 0.8 of the bandwidth, and 2 us.
    record Generic(Move move) implements StateUpdate {
        @Override
        public double microseconds(double sequences, double query, StateHeads heads, double stateBytes) {
            return move.microseconds(bytes(sequences, query, heads, stateBytes));
        }
    }

    private static double bytes(double sequences, double query, StateHeads heads, double stateBytes) {
        return sequences * heads.stateElements() * stateBytes * (1 + query)
                + 2 * sequences * query * heads.tokenElements();
    }
}
