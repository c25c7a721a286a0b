package io.throughputoptimizer.job;

import io.throughputoptimizer.api.job.JobAnswer;
import io.throughputoptimizer.api.job.JobProgress;
import io.throughputoptimizer.api.job.JobStatus;
import io.throughputoptimizer.api.problem.Problem;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// State of a job, with the data known in that state.
public sealed interface JobState {

    JobStatus status();

    /// Returns the progress of the search.
    JobProgress progress();

    /// Returns the start time; null if not started.
    default @Nullable Instant startedAt() {
        return null;
    }

    /// Returns the end time; null if not finished.
    default @Nullable Instant finishedAt() {
        return null;
    }

    /// Returns the result as JSON, or null.
    default @Nullable String result() {
        return null;
    }

    /// Returns the result summary for lists, or null.
    default @Nullable JobAnswer answer() {
        return null;
    }

    /// Returns the problem of a failed job, or null.
    default @Nullable Problem problem() {
        return null;
    }

    /// Returns whether the state is final.
    default boolean isFinished() {
        return status().isFinished();
    }

    /// The job waits for a worker.
    record Queued() implements JobState {
        @Override
        public JobStatus status() {
            return JobStatus.QUEUED;
        }

        @Override
        public JobProgress progress() {
            return JobProgress.NONE;
        }
    }

    /// A worker runs the search.
    record Running(Instant startedAt, JobProgress progress) implements JobState {
        @Override
        public JobStatus status() {
            return JobStatus.RUNNING;
        }
    }

    /// @param result the result as JSON; null if not requested
    /// @param answer result summary for lists, which read it from its own column
    record Succeeded(
            Instant startedAt,
            Instant finishedAt,
            JobProgress progress,
            @Nullable String result,
            @Nullable JobAnswer answer)
            implements JobState {
        @Override
        public JobStatus status() {
            return JobStatus.SUCCEEDED;
        }
    }

    /// @param startedAt null if no worker started it
    /// @param problem reason of the failure
    record Failed(@Nullable Instant startedAt, Instant finishedAt, JobProgress progress, Problem problem)
            implements JobState {
        @Override
        public JobStatus status() {
            return JobStatus.FAILED;
        }
    }

    /// @param startedAt null if it was canceled while queued
    record Cancelled(@Nullable Instant startedAt, Instant finishedAt, JobProgress progress) implements JobState {
        @Override
        public JobStatus status() {
            return JobStatus.CANCELLED;
        }
    }
}
