package io.throughputoptimizer.job;

import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Part of a list of jobs, newest first, without their results.
///
/// @param next where the next page begins; absent on the last one
public record JobPage(List<OptimizationJob> jobs, @Nullable UUID next) {
    public JobPage {
        jobs = List.copyOf(jobs);
    }
}
