package io.throughputoptimizer.core.search.space;

import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Sizes to try per dimension. Absent: the dimension keeps its fixed default; empty: powers of two up to the
/// device count; otherwise the given sizes in order.
public record ParallelSizes(
        @Nullable List<Integer> tp,
        @Nullable List<Integer> ep,
        @Nullable List<Integer> moeDp,
        @Nullable List<Integer> dcp) {
    /// Returns the sizes that fit instances of `devices` devices; the smallest of a list whose sizes are all
    /// larger.
    public ParallelSizes within(int devices) {
        return new ParallelSizes(
                within(tp, devices), within(ep, devices), within(moeDp, devices), within(dcp, devices));
    }

    private static @Nullable List<Integer> within(@Nullable List<Integer> sizes, int devices) {
        if (sizes == null || sizes.isEmpty()) {
            return sizes;
        }
        List<Integer> small = sizes.stream().filter(size -> size <= devices).toList();
        return small.isEmpty() ? List.of(Collections.min(sizes)) : small;
    }

    /// Creates sizes without decode context parallelism.
    public ParallelSizes(@Nullable List<Integer> tp, @Nullable List<Integer> ep, @Nullable List<Integer> moeDp) {
        this(tp, ep, moeDp, null);
    }
}
