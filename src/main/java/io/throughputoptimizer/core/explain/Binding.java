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
}
