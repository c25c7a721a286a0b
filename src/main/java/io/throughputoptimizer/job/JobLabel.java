package io.throughputoptimizer.job;

import org.jspecify.annotations.Nullable;

/// What people say of a job.
///
/// @param name what they call it; absent where nobody named it
/// @param starred whether it is marked
public record JobLabel(@Nullable String name, boolean starred) {
    static final JobLabel NONE = new JobLabel(null, false);
}
