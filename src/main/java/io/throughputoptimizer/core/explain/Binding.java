package io.throughputoptimizer.core.explain;

import io.throughputoptimizer.core.forward.MemoryFootprint;
import io.throughputoptimizer.core.measured.Arrangement;
import io.throughputoptimizer.core.measured.MeasuredRow;
import io.throughputoptimizer.core.search.BindingLimit;
import io.throughputoptimizer.core.search.space.Candidate;
import io.throughputoptimizer.core.steady.RequestLengths;
import io.throughputoptimizer.core.workload.Phase;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What keeps a candidate from serving more, or where the objective prefers fewer requests at once from serving fewer;
/// or, where it has no plan, from serving at all.
///
/// @param of what is bound
/// @param load requests of a data parallel rank, of measured pairs those over all instances: of its best row, or of a
///     rejected candidate the least; absent when none was tried
/// @param kept whether the candidate has a row
/// @param limit what the next load breaks; of a rejected candidate what the least breaks
/// @param detail that limit in words
/// @param margins absent when nothing was evaluated
/// @param least that it reaches whatever the limits; absent when nothing was evaluated
public record Binding(
        Bound of,
        @Nullable Long load,
        boolean kept,
        BindingLimit limit,
        String detail,
        @Nullable Margins margins,
        @Nullable Least least) {

    /// What is bound, with what it takes at its load.
    public sealed interface Bound {
        String label();
    }

    /// A candidate by the roofline.
    ///
    /// @param memory of the pass that leaves least; absent when nothing was evaluated
    /// @param passes the longest pass of each phase that it runs
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

    /// Measured instances.
    ///
    /// @param at what they are and take; absent when they have no figures
    /// @param lengths lengths of the requests
    public record OfArrangement(
            Arrangement arrangement, @Nullable MeasuredRow at, RequestLengths lengths) implements Bound {
        @Override
        public String label() {
            return arrangement.label();
        }
    }

    /// What is left of each limit; negative where it is broken.
    ///
    /// @param ttftMillis absent without a limit or a figure
    /// @param tpotMillis absent without a limit or a figure
    /// @param requestLatencyMillis absent without a limit or a figure
    /// @param memoryBytes of each device
    public record Margins(
            @Nullable Margin ttftMillis,
            @Nullable Margin tpotMillis,
            @Nullable Margin requestLatencyMillis,
            @Nullable Margin memoryBytes) {}

    /// @param left `limit - value`
    /// @param share `left / limit`
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
