package io.throughputoptimizer.core.kernels;

import io.throughputoptimizer.core.deployment.ParallelLayout;
import org.jspecify.annotations.Nullable;

/// Form of an instance of a model on one kind of device: a search tries each combination.
///
/// @param speculation speculation of decode steps; absent if none is requested
public record InstanceForm(ParallelLayout layout, @Nullable Speculation speculation) {
    /// Returns the display name.
    public String label() {
        return speculation != null && speculation.drafting()
                ? layout.label() + " | MTP=" + speculation.drafts()
                : layout.label();
    }
}
