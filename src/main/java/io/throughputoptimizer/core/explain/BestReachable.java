package io.throughputoptimizer.core.explain;

import org.jspecify.annotations.Nullable;

/// Best achievable figures of a candidate, each independent of the others and of the limits. Usually found at
/// the smallest batch size, but steps of MoE models can get shorter with one more request. Batch sizes are
/// those of the Pareto frontier; if the smallest one exceeds memory, figures assume devices with enough.
///
/// @param ttftMillis null if the phase has none or no batch size was evaluated
/// @param tpotMillis null if the phase has none or no batch size was evaluated
/// @param memoryBytes memory per device without the reserved part; in the calibrated model weights and the KV
///     cache of running requests
public record BestReachable(
        @Nullable Figure ttftMillis, @Nullable Figure tpotMillis, Figure memoryBytes) {

    /// @param batchSize smallest batch size with the value
    public record Figure(double value, long batchSize) {
        private static @Nullable Figure of(@Nullable Double value, long batchSize) {
            return value == null || value.isInfinite() ? null : new Figure(value, batchSize);
        }

        private static @Nullable Figure lower(@Nullable Figure one, @Nullable Figure later) {
            return one == null || (later != null && later.value < one.value) ? later : one;
        }
    }

    /// Returns the figures of one batch size.
    static BestReachable at(
            long batchSize, @Nullable Double ttftMillis, @Nullable Double tpotMillis, double memoryBytes) {
        return new BestReachable(
                Figure.of(ttftMillis, batchSize), Figure.of(tpotMillis, batchSize), new Figure(memoryBytes, batchSize));
    }

    /// Returns a copy with TTFT increased by the given delay.
    BestReachable later(double millis) {
        return ttftMillis == null
                ? this
                : new BestReachable(
                        new Figure(ttftMillis.value + millis, ttftMillis.batchSize), tpotMillis, memoryBytes);
    }

    /// Returns the minimum of two results.
    ///
    /// @param before result of smaller batch sizes; null if there is none
    static BestReachable of(@Nullable BestReachable before, BestReachable later) {
        if (before == null) {
            return later;
        }
        return new BestReachable(
                Figure.lower(before.ttftMillis, later.ttftMillis),
                Figure.lower(before.tpotMillis, later.tpotMillis),
                later.memoryBytes.value < before.memoryBytes.value ? later.memoryBytes : before.memoryBytes);
    }
}
