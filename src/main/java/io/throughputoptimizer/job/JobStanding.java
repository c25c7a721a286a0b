package io.throughputoptimizer.job;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.api.job.JobProgress;
import io.throughputoptimizer.api.job.JobStatus;
import java.util.UUID;

/// State of a job that changes while it is queued or runs.
@Schema(name = "Standing", description = "What changes while a job waits and runs.")
public record JobStanding(UUID id, JobStatus status, JobProgress progress) implements JobEvents.Standing {

    JobStanding withProgress(JobProgress latest) {
        return new JobStanding(id, status, latest);
    }
}
