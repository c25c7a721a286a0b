package io.throughputoptimizer.api.job;

import io.swagger.v3.oas.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/// Progress of a job's search.
@Schema(name = "Progress", description = "Progress of the search.")
public record JobProgress(
        @Schema(description = "Finished layouts.") int candidatesDone,

        @Schema(description = "Layouts to try. Absent until known.") @Nullable
        Integer candidatesTotal,

        @Schema(description = "Evaluated batch sizes.") long points) {
    /// Progress before anything is done.
    public static final JobProgress NONE = new JobProgress(0, null, 0);
}
