package io.throughputoptimizer.core.silicon;

import io.throughputoptimizer.core.deployment.ParallelLayout;
import org.jspecify.annotations.Nullable;

/// What instances of a model on one kind of device differ in: a search tries each combination.
///
/// @param speculation of decode steps; absent where nobody asks, or there are none
public record InstanceForm(ParallelLayout layout, @Nullable Speculation speculation) {
    /// As people read it.
    public String label() {
        return speculation != null && speculation.drafting()
                ? layout.label() + " | MTP=" + speculation.drafts()
                : layout.label();
    }
}
