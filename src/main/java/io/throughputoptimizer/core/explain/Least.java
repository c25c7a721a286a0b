package io.throughputoptimizer.core.explain;

import org.jspecify.annotations.Nullable;

/// The least that a candidate reaches, each figure by itself: often at the smallest batch size, but steps of a model
/// with experts may get shorter with one request more. Limits do not matter. Batch sizes are those of the frontier;
/// where memory is short at the smallest one already, the figures are of that one on devices with enough.
///
/// @param ttftMillis absent where the phase has none, or no batch size was priced
/// @param tpotMillis absent where the phase has none, or no batch size was priced
/// @param memoryBytes that the passes take on a device: all but what is reserved; on a measured device weights and
///     the KV cache of the requests that run
public record Least(@Nullable Figure ttftMillis, @Nullable Figure tpotMillis, Figure memoryBytes) {

    /// @param batchSize smallest that has it
    public record Figure(double value, long batchSize) {
        private static @Nullable Figure of(@Nullable Double value, long batchSize) {
            return value == null || value.isInfinite() ? null : new Figure(value, batchSize);
        }

        private static @Nullable Figure lower(@Nullable Figure one, @Nullable Figure later) {
            return one == null || (later != null && later.value < one.value) ? later : one;
        }
    }

    /// Of one batch size.
    static Least at(long batchSize, @Nullable Double ttftMillis, @Nullable Double tpotMillis, double memoryBytes) {
        return new Least(
                Figure.of(ttftMillis, batchSize), Figure.of(tpotMillis, batchSize), new Figure(memoryBytes, batchSize));
    }

    /// With first tokens that come later.
    Least later(double millis) {
        return ttftMillis == null
                ? this
                : new Least(new Figure(ttftMillis.value + millis, ttftMillis.batchSize), tpotMillis, memoryBytes);
    }

    /// Of more batch sizes.
    ///
    /// @param before of smaller ones; absent when there are none
    static Least of(@Nullable Least before, Least later) {
        if (before == null) {
            return later;
        }
        return new Least(
                Figure.lower(before.ttftMillis, later.ttftMillis),
                Figure.lower(before.tpotMillis, later.tpotMillis),
                later.memoryBytes.value < before.memoryBytes.value ? later.memoryBytes : before.memoryBytes);
    }
}
