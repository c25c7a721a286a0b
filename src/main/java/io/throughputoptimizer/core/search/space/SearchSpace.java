package io.throughputoptimizer.core.search.space;

import io.throughputoptimizer.core.deployment.ParallelLayout;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/// Candidates of one phase on one kind of device: each layout with each value of every axis, the values of the
/// last axis alternating fastest.
public record SearchSpace(LayoutAxis layouts, List<Axis> axes) {

    /// Returns the candidates in the order in which they are tried and shown.
    ///
    /// @param any creates a candidate of a layout
    public Stream<Candidate> candidates(Function<ParallelLayout, Candidate> any) {
        Stream<Candidate> candidates = layouts.layouts().stream().map(any);
        for (Axis axis : axes) {
            candidates = candidates.flatMap(axis::over);
        }
        return candidates;
    }

    /// Returns the number of [#candidates] without creating them.
    public long count() {
        long ofTensorSize = layouts.countPerTensorSize();
        long ofAll = axes.stream()
                .filter(axis -> !axis.dependsOnTensorSize())
                .mapToLong(Axis::size)
                .reduce(ofTensorSize, Tally::times);
        List<Axis> others = axes.stream().filter(Axis::dependsOnTensorSize).toList();
        return layouts.dividingTensorSizes()
                .mapToLong(tensorSize ->
                        others.stream().mapToLong(axis -> axis.size(tensorSize)).reduce(ofAll, Tally::times))
                .reduce(0, Tally::plus);
    }
}
