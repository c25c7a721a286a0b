package io.throughputoptimizer.job;

import org.jspecify.annotations.Nullable;

/// User-defined label of a job.
///
/// @param name name; null if unset
/// @param starred true if the job is starred
public record JobLabel(@Nullable String name, boolean starred) {
    static final JobLabel NONE = new JobLabel(null, false);
}
