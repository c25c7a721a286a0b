package io.throughputoptimizer.api.job;

import io.swagger.v3.oas.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/// How far a job's search has come.
@Schema(name = "Progress", description = "How far the search has come.")
public record JobProgress(
        @Schema(description = "Layouts finished.") int candidatesDone,

        @Schema(description = "Layouts to try; absent until known.") @Nullable
        Integer candidatesTotal,

        @Schema(description = "Batch sizes evaluated.") long points) {
    /// Nothing is done yet.
    public static final JobProgress NONE = new JobProgress(0, null, 0);
}
