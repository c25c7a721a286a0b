package io.throughputoptimizer.core.search;

import io.throughputoptimizer.core.deployment.ParallelLayout;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/// Candidates of one phase on one kind of device (search space): each layout with each value of every axis, the
/// values of the last axis alternating fastest.
record SearchSpace(LayoutAxis layouts, List<Axis> axes) {

    /// Candidates in the order in which they are tried and shown.
    ///
    /// @param any a candidate of that layout
    Stream<Candidate> candidates(Function<ParallelLayout, Candidate> any) {
        Stream<Candidate> candidates = layouts.layouts().stream().map(any);
        for (Axis axis : axes) {
            candidates = candidates.flatMap(axis::over);
        }
        return candidates;
    }

    /// How many [#candidates] there are, which is known without making them.
    long count() {
        return layouts.dividingTensorSizes().mapToLong(this::count).sum();
    }

    private long count(int tensorSize) {
        return axes.stream()
                .mapToLong(axis -> axis.size(tensorSize))
                .reduce(layouts.countPerTensorSize(), (one, other) -> one * other);
    }
}
