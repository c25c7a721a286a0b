package io.throughputoptimizer.api.job;

import io.swagger.v3.oas.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/// Progress of a job's search.
@Schema(name = "Progress")
public record JobProgress(int candidatesDone, @Nullable Integer candidatesTotal, long points) {
    /// Progress before anything is done.
    public static final JobProgress NONE = new JobProgress(0, null, 0);
}
