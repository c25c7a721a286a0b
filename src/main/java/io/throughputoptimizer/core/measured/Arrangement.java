package io.throughputoptimizer.core.measured;

import io.throughputoptimizer.core.deployment.ParallelLayout;
import io.throughputoptimizer.core.search.InstanceCounts;
import io.throughputoptimizer.core.silicon.Speculation;
import org.jspecify.annotations.Nullable;

/// How devices are split into instances.
public sealed interface Arrangement {

    /// How it is called.
    default String label() {
        return switch (this) {
            case Equal(var layout, var speculation) -> label(layout, speculation);
            case Pair(var prefill, var decode, var speculation, InstanceCounts(int feeding, int fed)) ->
                feeding + " x " + prefill.label() + " feed " + fed + " x " + label(decode, speculation);
            case Side(var layout, var speculation, var _) -> label(layout, speculation);
        };
    }

    /// A layout with what its decode steps draft, as people read it.
    static String label(ParallelLayout layout, @Nullable Speculation speculation) {
        return speculation != null && speculation.drafting()
                ? layout.label() + " | MTP=" + speculation.drafts()
                : layout.label();
    }

    /// Equal instances that do both phases.
    ///
    /// @param speculation of decode steps; absent where nobody asks
    record Equal(ParallelLayout layout, @Nullable Speculation speculation) implements Arrangement {}

    /// Prefill instances that feed decode instances.
    ///
    /// @param speculation of decode steps; absent where nobody asks
    record Pair(
            ParallelLayout prefill,
            ParallelLayout decode,
            @Nullable Speculation speculation,
            InstanceCounts counts) implements Arrangement {}

    /// One kind of instance, whatever is on the other side.
    ///
    /// @param speculation of its decode steps; absent where nobody asks, or there are none
    record Side(ParallelLayout layout, @Nullable Speculation speculation, boolean decodes) implements Arrangement {}
}
