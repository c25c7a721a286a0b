package io.throughputoptimizer.core.kernels.operator;

import static io.throughputoptimizer.core.kernels.operator.Times.overlapped;
import static io.throughputoptimizer.core.kernels.operator.Times.us;

import io.throughputoptimizer.core.kernels.calibration.MatrixPeak;
import io.throughputoptimizer.core.kernels.calibration.ModuleType;
import io.throughputoptimizer.core.kernels.calibration.ParameterSet;
import io.throughputoptimizer.core.kernels.calibration.Peaks;

/// A whole attention that selects or compresses its context, from the first projection to the output
/// projection. It was measured as a unit, and its parameters are effective values, not figures of the hardware.
///
/// ```
/// linear    = max(us(2 T el, peak), us(w el + T bytes, bandwidth))
/// index     = max(us(operations, fp8 peak), us(bytes, bandwidth))
/// attention = max(us(o h pairs, bf16 peak), us(entry pairs r + query h T, bandwidth))
/// ```
///
/// with `T` tokens, `h` heads of the rank, `el` weights, and `r` 1 in decode, 1/64 in prefill, where a block of
/// 64 queries reads an entry once.
public sealed interface AttentionModule {
    /// Returns the microseconds of a step.
    double microseconds(Shape shape, Work work);

    /// Sizes of a module that do not depend on the requests.
    ///
    /// @param heads heads of this rank
    /// @param weights elements of all projections, `el`
    /// @param tokenBytes activation bytes read and written per token
    /// @param pairOperations operations per head for a query and an entry, `o`
    /// @param entryBytes bytes of a cached entry
    /// @param queryBytes bytes of a query and its result per head
    record Shape(
            double heads,
            double weights,
            double tokenBytes,
            double pairOperations,
            double entryBytes,
            double queryBytes) {}

    /// Work of a step.
    ///
    /// @param tokens new tokens, `T`
    /// @param length mean cached tokens of a sequence
    /// @param indexOperations operations of the indexer
    /// @param indexBytes bytes that the indexer reads
    /// @param pairs attended pairs of a query and an entry
    /// @param fullPairs pairs if every query had the maximum selection
    record Work(
            double tokens, double length, double indexOperations, double indexBytes, double pairs, double fullPairs) {}

    /// Rates that a module's parts are shares of, and bytes of a weight.
    record Rates(double linear, double index, double attention, double memory, double weightBytes) {
        static Rates of(ModuleType type, Peaks peaks) {
            MatrixPeak fp8 = peaks.has(MatrixPeak.FP8) ? MatrixPeak.FP8 : MatrixPeak.BF16;
            return new Rates(
                    peaks.rate(type.fp8() ? fp8 : MatrixPeak.BF16),
                    peaks.rate(fp8),
                    peaks.rate(MatrixPeak.BF16),
                    peaks.memoryBytesPerSecond(),
                    type.product().weightBytes());
        }

        private double linearCompute(Shape shape, Work work) {
            return us(2 * work.tokens * shape.weights, linear);
        }

        private double linearMemory(Shape shape, Work work) {
            return us(weightBytes * shape.weights + work.tokens * shape.tokenBytes, memory);
        }

        private double indexCompute(Work work) {
            return us(work.indexOperations, index);
        }

        private double indexMemory(Work work) {
            return us(work.indexBytes, memory);
        }
    }

    /// ```
    /// pairs'  = pairs + (full pairs - pairs) masked_share;   h' = max(h, heads_floor)
    /// work    = linear / linear_efficiency + index / index_efficiency
    ///         + attention / attention_efficiency + T item_ns/1000
    /// decode  : time = launch_us + work, and switch_us where 4096 < length <= 100000
    /// prompts : time = (floor^4 + work^4)^(1/4)
    /// ```
    ///
    /// where linear and attention are joined as `(a^4 + b^4)^(1/4)` in place of the maximum.
    ///
    /// @param entryShare `r`
    record Measured(Rates rates, Efficiencies efficiencies, Padding padding, Launch launch, double entryShare)
            implements AttentionModule {
        private static final double SWITCHES_ABOVE = 4096;
        private static final double SWITCHES_TO = 100_000;

        /// Shares of the rates; they may exceed 1.
        record Efficiencies(double linear, double index, double attention) {}

        /// Padding of the computed work.
        ///
        /// @param heads minimum number of computed heads
        /// @param maskedShare share of the masked pairs that are computed anyway
        record Padding(double heads, double maskedShare) {}

        /// Launch overhead.
        ///
        /// @param floorUs time before any work; in prefill the time that hides shorter work
        /// @param itemUs time of a token
        /// @param switchUs time of a second kernel at some lengths
        /// @param prefills whether the module prefills
        record Launch(double floorUs, double itemUs, double switchUs, boolean prefills) {}

        /// Returns the module with measured parameters.
        ///
        /// @param floorUs time before any work
        static Measured of(ModuleType type, Peaks peaks, ParameterSet set, boolean prefills, double floorUs) {
            return new Measured(
                    Rates.of(type, peaks),
                    new Efficiencies(
                            set.get("linear_efficiency"), set.get("index_efficiency"), set.get("attention_efficiency")),
                    new Padding(set.get("heads_floor"), set.get("masked_share")),
                    new Launch(
                            floorUs,
                            Times.microseconds(set.get("item_ns")),
                            set.getOrZero(ParameterSet.SWITCH),
                            prefills),
                    shareOfEntries(prefills));
        }

        @Override
        public double microseconds(Shape shape, Work work) {
            double heads = Math.max(shape.heads, padding.heads);
            double pairs = work.pairs + (work.fullPairs - work.pairs) * padding.maskedShare;
            double bytes = shape.entryBytes * pairs * entryShare + shape.queryBytes * heads * work.tokens;
            double attention =
                    overlapped(us(shape.pairOperations * heads * pairs, rates.attention), us(bytes, rates.memory));
            double linear = overlapped(rates.linearCompute(shape, work), rates.linearMemory(shape, work));
            double all = linear / efficiencies.linear
                    + Math.max(rates.indexCompute(work), rates.indexMemory(work)) / efficiencies.index
                    + attention / efficiencies.attention
                    + work.tokens * launch.itemUs;
            if (launch.prefills) {
                return overlapped(launch.floorUs, all);
            }
            boolean switches = work.length > SWITCHES_ABOVE && work.length <= SWITCHES_TO;
            return launch.floorUs + all + (switches ? launch.switchUs : 0);
        }
    }

    /// Estimate without measurements: all parts at 0.7 of the matrix rate or 0.8 of the bandwidth, whichever
    /// takes longer, and 10 us; only the actual heads and pairs, and queries for free.
    ///
    /// @param entryShare share of entries read, `r`
    record Generic(Rates rates, double entryShare) implements AttentionModule {
        static Generic of(ModuleType type, Peaks peaks, boolean prefills) {
            return new Generic(Rates.of(type, peaks), shareOfEntries(prefills));
        }

        @Override
        public double microseconds(Shape shape, Work work) {
            double attended = us(shape.pairOperations * shape.heads * work.pairs, rates.attention);
            double read = us(shape.entryBytes * work.pairs * entryShare, rates.memory);
            return GenericRates.longer(rates.linearCompute(shape, work), rates.linearMemory(shape, work))
                    + GenericRates.longer(rates.indexCompute(work), rates.indexMemory(work))
                    + GenericRates.longer(attended, read)
                    + GenericRates.ATTENTION_LAUNCH_US;
        }
    }

    private static double shareOfEntries(boolean prefills) {
        return prefills ? 1.0 / 64 : 1;
    }
}
