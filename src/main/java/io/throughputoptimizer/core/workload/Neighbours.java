package io.throughputoptimizer.core.workload;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/// Merges length bins with too few samples into a neighbor.
final class Neighbours {
    private static final double ROUNDING = 1e-9;

    private Neighbours() {}

    /// Returns the parts, merged until each has a share of at least `1 / most`; the rest at the end goes to the
    /// last.
    ///
    /// @param ratio share of a part, all adding up to 1
    /// @param merge merges several parts into their mean
    static <T> List<T> joined(List<T> parts, long most, ToDoubleFunction<T> ratio, Function<List<T>, T> merge) {
        double least = (1 - ROUNDING) / most;
        List<List<T>> joined = new ArrayList<>();
        List<T> open = new ArrayList<>();
        double share = 0;
        for (T part : parts) {
            open.add(part);
            share += ratio.applyAsDouble(part);
            if (share >= least) {
                joined.add(open);
                open = new ArrayList<>();
                share = 0;
            }
        }
        if (!open.isEmpty()) {
            joined.getLast().addAll(open);
        }
        return joined.stream()
                .map(some -> some.size() == 1 ? some.getFirst() : merge.apply(some))
                .toList();
    }
}
