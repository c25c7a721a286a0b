package io.throughputoptimizer.api.job;

import com.fasterxml.jackson.annotation.JsonProperty;

/// Stage of a job's life.
public enum JobStatus {
    @JsonProperty("queued")
    QUEUED,
    @JsonProperty("running")
    RUNNING,
    @JsonProperty("succeeded")
    SUCCEEDED,
    @JsonProperty("failed")
    FAILED,
    @JsonProperty("cancelled")
    CANCELLED;

    /// Returns whether the job has ended.
    public boolean isFinished() {
        return switch (this) {
            case QUEUED, RUNNING -> false;
            case SUCCEEDED, FAILED, CANCELLED -> true;
        };
    }
}
