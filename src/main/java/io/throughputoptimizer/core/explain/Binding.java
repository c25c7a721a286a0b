package io.throughputoptimizer.core.explain;

import io.throughputoptimizer.core.forward.MemoryFootprint;
import io.throughputoptimizer.core.search.BindingLimit;
import io.throughputoptimizer.core.search.Candidate;
import io.throughputoptimizer.core.workload.Phase;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What keeps a candidate from serving more, or where the objective prefers fewer requests at once from serving fewer;
/// or,
/// where it has no plan, from serving at all.
///
/// @param batchSize of its best row; of a rejected candidate the smallest one, absent when none was tried
/// @param kept whether the candidate has a row
/// @param limit what the next batch size breaks; of a rejected candidate what the smallest breaks
/// @param detail that limit in words
/// @param margins absent when nothing was evaluated
/// @param memory of the pass that leaves least; absent when nothing was evaluated
/// @param least that it reaches whatever the limits; absent when nothing was evaluated
/// @param passes the longest pass of each phase that the candidate runs
public record Binding(
        Phase phase,
        Candidate candidate,
        @Nullable Long batchSize,
        boolean kept,
        BindingLimit limit,
        String detail,
        @Nullable Margins margins,
        @Nullable MemoryFootprint memory,
        @Nullable Least least,
        List<PassProfile> passes) {

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
            Margin memoryBytes) {}

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

    public Binding {
        passes = List.copyOf(passes);
    }
}
