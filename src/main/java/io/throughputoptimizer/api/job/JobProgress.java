package io.throughputoptimizer.api.job;

import io.swagger.v3.oas.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/// Progress of a job's search.
@Schema(name = "Progress", description = "How far the search has come.")
public record JobProgress(
        @Schema(description = "Layouts finished.") int candidatesDone,

        @Schema(description = "Layouts to try; absent until known.") @Nullable
        Integer candidatesTotal,

        @Schema(description = "Batch sizes evaluated.") long points) {
    /// Progress before anything is done.
    public static final JobProgress NONE = new JobProgress(0, null, 0);
}
