package io.throughputoptimizer.api.job;

/// Stage of a job's life.
public enum JobStatus {
    QUEUED,
    RUNNING,
    SUCCEEDED,
    FAILED,
    CANCELLED;

    /// Returns whether the job has ended.
    public boolean isFinished() {
        return switch (this) {
            case QUEUED, RUNNING -> false;
            case SUCCEEDED, FAILED, CANCELLED -> true;
        };
    }
}
