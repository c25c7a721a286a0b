package io.throughputoptimizer.core.explain;

import io.throughputoptimizer.core.calibrated.CalibratedRow;
import io.throughputoptimizer.core.calibrated.InstanceLayout;
import io.throughputoptimizer.core.forward.MemoryFootprint;
import io.throughputoptimizer.core.load.RequestLengths;
import io.throughputoptimizer.core.search.BindingLimit;
import io.throughputoptimizer.core.search.space.Candidate;
import io.throughputoptimizer.core.workload.Phase;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The bottleneck of a candidate: the limit that prevents a larger load, or a smaller one if the objective
/// prefers fewer concurrent requests. For a rejected candidate, the limit that it violates.
///
/// @param of the candidate or calibrated instances
/// @param load requests per data parallel rank, or over all instances for calibrated pairs: load of the best
///     row, or the smallest load of a rejected candidate; null if none was tried
/// @param kept true if the candidate has a row
/// @param limit limit violated by the next load, or by the smallest load of a rejected candidate
/// @param detail description of the violated limit
/// @param margins distances to the limits; null if no load was evaluated
/// @param least best achievable figures regardless of limits; null if no load was evaluated
public record Binding(
        Bound of,
        @Nullable Long load,
        boolean kept,
        BindingLimit limit,
        String detail,
        @Nullable Margins margins,
        @Nullable BestReachable least) {

    /// The constrained candidate or arrangement, with its resource use at the load.
    public sealed interface Bound {
        String label();
    }

    /// A candidate of the analytic model.
    ///
    /// @param memory footprint of the pass with the least free memory; null if no load was evaluated
    /// @param passes the longest pass of each phase of the candidate
    public record OfCandidate(
            Phase phase, Candidate candidate, @Nullable MemoryFootprint memory, List<PassProfile> passes)
            implements Bound {
        public OfCandidate {
            passes = List.copyOf(passes);
        }

        @Override
        public String label() {
            return candidate.label();
        }
    }

    /// Instances of the calibrated model.
    ///
    /// @param at figures of the row; null if none were computed
    /// @param lengths lengths of the requests
    public record OfArrangement(
            InstanceLayout arrangement, @Nullable CalibratedRow at, RequestLengths lengths) implements Bound {
        @Override
        public String label() {
            return arrangement.label();
        }
    }

    /// Distances to the limits; negative where a limit is violated.
    ///
    /// @param ttftMillis null without a limit or a figure
    /// @param tpotMillis null without a limit or a figure
    /// @param requestLatencyMillis null without a limit or a figure
    /// @param memoryBytes free memory per device
    public record Margins(
            @Nullable Margin ttftMillis,
            @Nullable Margin tpotMillis,
            @Nullable Margin requestLatencyMillis,
            @Nullable Margin memoryBytes) {}

    /// @param left absolute distance, `limit - value`
    /// @param share relative distance, `left / limit`
    public record Margin(double left, double share) {
        static Margin of(double value, double limit) {
            return new Margin(limit - value, (limit - value) / limit);
        }

        static @Nullable Margin of(@Nullable Double value, @Nullable Double limit) {
            return value == null || limit == null || Double.isInfinite(value) || Double.isInfinite(limit)
                    ? null
                    : of(value.doubleValue(), limit.doubleValue());
        }
    }

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
                    Figure.of(ttftMillis, batchSize),
                    Figure.of(tpotMillis, batchSize),
                    new Figure(memoryBytes, batchSize));
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
}
