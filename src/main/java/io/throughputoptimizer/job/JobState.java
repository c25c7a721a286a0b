package io.throughputoptimizer.job;

import io.throughputoptimizer.api.Problem;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// Where a job stands, with what is known then.
public sealed interface JobState {

    JobStatus status();

    /// Whether nothing more will happen.
    default boolean isFinished() {
        return switch (this) {
            case Queued _, Running _ -> false;
            case Succeeded _, Failed _, Cancelled _ -> true;
        };
    }

    /// Waits for a worker.
    record Queued() implements JobState {
        @Override
        public JobStatus status() {
            return JobStatus.QUEUED;
        }
    }

    /// A worker searches.
    record Running(Instant startedAt) implements JobState {
        @Override
        public JobStatus status() {
            return JobStatus.RUNNING;
        }
    }

    /// @param result the result as JSON
    record Succeeded(Instant startedAt, Instant finishedAt, JobProgress progress, String result) implements JobState {
        @Override
        public JobStatus status() {
            return JobStatus.SUCCEEDED;
        }
    }

    /// @param problem what went wrong
    record Failed(Instant startedAt, Instant finishedAt, JobProgress progress, Problem problem) implements JobState {
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
