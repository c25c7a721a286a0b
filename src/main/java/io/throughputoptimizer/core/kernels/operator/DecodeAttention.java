package io.throughputoptimizer.core.kernels.operator;

import static io.throughputoptimizer.core.kernels.operator.Times.interleaved;
import static io.throughputoptimizer.core.kernels.operator.Times.overlapped;
import static io.throughputoptimizer.core.kernels.operator.Times.us;

import io.throughputoptimizer.core.kernels.calibration.ParameterSet;
import io.throughputoptimizer.core.kernels.calibration.Peaks;

/// Grouped-query attention of one new token a sequence: `n` sequences with `C` cached tokens in sum.
public sealed interface DecodeAttention {
    /// Microseconds of `sequences` with `context` cached tokens in sum.
    double microseconds(double sequences, double context, Heads heads);

    /// ```
    /// memory = us(2 C g d e + 4 n h d, bandwidth * memory_efficiency)
    /// items  = n g item_ns / 1000;   split = split_us log2(1 + C/n/64)
    /// time   = launch_us + split + (memory^1.5 + items^1.5)^(1/1.5)
    /// time   = ((launch_us + split + items)^4 + memory^4)^(1/4)         where the launch overlaps the memory
    /// ```
    ///
    /// @param cacheBytes `e`, bytes of a cached element
    record Measured(
            double cacheBytes,
            double memoryRate,
            double launchUs,
            double itemUs,
            double splitUs,
            boolean launchOverlapsMemory)
            implements DecodeAttention {
        /// Tokens of the least part into which a context is split.
        static final double PART = 64;

        static Measured of(double cacheBytes, Peaks peaks, ParameterSet set, boolean launchOverlapsMemory) {
            return new Measured(
                    cacheBytes,
                    peaks.memoryBytesPerSecond() * set.get("memory_efficiency"),
                    set.get("launch_us"),
                    Times.microseconds(set.get("item_ns")),
                    set.get("split_us"),
                    launchOverlapsMemory);
        }

        @Override
        public double microseconds(double sequences, double context, Heads heads) {
            double cache = 2 * context * heads.keyValue() * heads.size() * cacheBytes;
            double memory = us(cache + 4 * sequences * heads.query() * heads.size(), memoryRate);
            double items = sequences * heads.keyValue() * itemUs;
            double start = launchUs + splitUs * Times.log2OnePlus(context / sequences / PART);
            return launchOverlapsMemory ? overlapped(start + items, memory) : start + interleaved(memory, items);
        }
    }

    /// `us(2 C g d e, 0.8 bandwidth) + 10`
    ///
    /// @param cacheBytes `e`, bytes of a cached element
    record Generic(double cacheBytes, double memoryRate) implements DecodeAttention {
        @Override
        public double microseconds(double sequences, double context, Heads heads) {
            return us(2 * context * heads.keyValue() * heads.size() * cacheBytes, memoryRate)
                    + GenericRates.ATTENTION_LAUNCH_US;
        }
    }
}
