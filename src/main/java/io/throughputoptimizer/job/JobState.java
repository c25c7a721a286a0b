package io.throughputoptimizer.job;

import io.throughputoptimizer.api.job.JobAnswer;
import io.throughputoptimizer.api.job.JobProgress;
import io.throughputoptimizer.api.job.JobStatus;
import io.throughputoptimizer.api.problem.Problem;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// Where a job stands, with what is known then.
public sealed interface JobState {

    JobStatus status();

    /// How far the search has come.
    JobProgress progress();

    /// When a worker began.
    default @Nullable Instant startedAt() {
        return null;
    }

    /// When nothing more happened.
    default @Nullable Instant finishedAt() {
        return null;
    }

    /// The result as JSON.
    default @Nullable String result() {
        return null;
    }

    /// What lists say of the result, where it is to be kept.
    default @Nullable JobAnswer answer() {
        return null;
    }

    /// What went wrong.
    default @Nullable Problem problem() {
        return null;
    }

    /// Whether nothing more will happen.
    default boolean isFinished() {
        return status().isFinished();
    }

    /// Waits for a worker.
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

    /// A worker searches.
    record Running(Instant startedAt, JobProgress progress) implements JobState {
        @Override
        public JobStatus status() {
            return JobStatus.RUNNING;
        }
    }

    /// @param result the result as JSON; absent where it was not asked for
    /// @param answer what lists say of it; lists read it by themselves
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

    /// @param startedAt absent if no worker came to start it
    /// @param problem what went wrong
    record Failed(@Nullable Instant startedAt, Instant finishedAt, JobProgress progress, Problem problem)
            implements JobState {
        @Override
        public JobStatus status() {
            return JobStatus.FAILED;
        }
    }

    /// @param startedAt absent if it was cancelled while it waited
    record Cancelled(@Nullable Instant startedAt, Instant finishedAt, JobProgress progress) implements JobState {
        @Override
        public JobStatus status() {
            return JobStatus.CANCELLED;
        }
    }
}
