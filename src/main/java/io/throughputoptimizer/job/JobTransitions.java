package io.throughputoptimizer.job;

import static java.sql.Types.TIMESTAMP_WITH_TIMEZONE;

import io.throughputoptimizer.api.job.JobProgress;
import io.throughputoptimizer.api.problem.Problem;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.core.simple.JdbcClient.StatementSpec;

/// State transitions of jobs in the database. Each is one conditional statement, so only one of two competing
/// replicas succeeds. Thread-safe.
final class JobTransitions {
    private static final String START = """
            UPDATE optimization_job
            SET status = 'running', started_at = :at, attempt = attempt + 1,
                candidates_done = 0, candidates_total = NULL, points = 0
            WHERE id = :id AND status IN ('queued', 'running')""";

    private static final String SAVE_PROGRESS = """
            UPDATE optimization_job SET candidates_done = :done, candidates_total = :total, points = :points
            WHERE id = :id AND attempt = :attempt AND status = 'running'""";

    private static final String FINISH = """
            UPDATE optimization_job
            SET status = :status, finished_at = :finishedAt, candidates_done = :done, candidates_total = :total,
                points = :points, result = :result, answer = :answer, problem = :problem
            WHERE id = :id AND attempt = :attempt AND status = 'running'""";

    private static final String FAIL = """
            UPDATE optimization_job
            SET status = :status, finished_at = :finishedAt, result = :result, answer = :answer, problem = :problem
            WHERE id = :id AND status IN ('queued', 'running')""";

    private static final String REQUEUE = """
            UPDATE optimization_job SET status = 'queued', started_at = NULL
            WHERE id = :id AND status = 'running'""";

    private static final String CANCEL_QUEUED = """
            UPDATE optimization_job SET status = 'cancelled', finished_at = :at
            WHERE id = :id AND status = 'queued'""";

    private static final String STANDING_OF_RUNNING = """
            SELECT id, attempt, cancel_requested FROM optimization_job
            WHERE id IN (:ids) AND status = 'running'""";

    private final JdbcClient jdbc;
    private final JobMeters meters;

    JobTransitions(JdbcClient jdbc, JobMeters meters) {
        this.jdbc = jdbc;
        this.meters = meters;
    }

    /// A job whose search starts.
    ///
    /// @param attempt number of this start, which later updates must match
    /// @param request effective request
    /// @param asked submitted body; null for jobs of older versions
    /// @param includesDefaults whether the engine's own defaults are searched as well
    record Started(
            int attempt, String request, @Nullable String asked, boolean includesDefaults, boolean cancelRequested) {}

    /// A running job in the database.
    record Running(UUID id, int attempt, boolean cancelRequested) {}

    /// Marks a job as running that is queued or was lost on another replica.
    ///
    /// @return empty if the job is no longer to be run
    /// @throws StoredTextException if its request cannot be read
    Optional<Started> start(UUID id, Instant at) {
        if (at(START, at).param("id", id).update() == 0) {
            return Optional.empty();
        }
        return of(
                        "SELECT attempt, request, asked, include_defaults, cancel_requested FROM optimization_job"
                                + " WHERE id = :id",
                        id)
                .query(JobTransitions::started)
                .optional();
    }

    void saveProgress(UUID id, int attempt, JobProgress progress) {
        JobColumns.withProgress(of(SAVE_PROGRESS, id).param("attempt", attempt), progress)
                .update();
    }

    /// Returns the running jobs among the given ones.
    List<Running> running(Collection<UUID> ids) {
        return jdbc.sql(STANDING_OF_RUNNING)
                .param("ids", ids)
                .query(JobTransitions::running)
                .list();
    }

    /// Finishes a running job, unless it no longer runs or was restarted.
    ///
    /// @return true if it was finished
    boolean finish(UUID id, int attempt, JobState end) {
        StatementSpec update = of(FINISH, id).param("attempt", attempt);
        boolean ended = JobColumns.withOutcome(JobColumns.withProgress(update, end.progress()), end)
                        .update()
                > 0;
        if (ended) {
            meters.finished(end);
        }
        return ended;
    }

    /// Fails a job that is given up, running or not.
    void fail(UUID id, Problem problem, Instant at) {
        JobState failed = new JobState.Failed(null, at, JobProgress.NONE, problem);
        if (JobColumns.withOutcome(of(FAIL, id), failed).update() > 0) {
            meters.finished(failed);
        }
    }

    /// Returns a running job to the queue, unless it was restarted.
    void requeue(UUID id, int attempt) {
        of(REQUEUE + " AND attempt = :attempt", id).param("attempt", attempt).update();
    }

    /// Returns a running job of a dead replica to the queue.
    void requeue(UUID id) {
        of(REQUEUE, id).update();
    }

    /// Cancels a queued job.
    ///
    /// @return true if it was queued
    boolean cancelQueued(UUID id, Instant at) {
        boolean waited = at(CANCEL_QUEUED, at).param("id", id).update() > 0;
        if (waited) {
            meters.finished(new JobState.Cancelled(null, at, JobProgress.NONE));
        }
        return waited;
    }

    /// Requests cancellation from the worker of a job, on any replica, now or later.
    ///
    /// @return true if the job was not finished
    boolean requestCancel(UUID id) {
        return of("UPDATE optimization_job SET cancel_requested = TRUE WHERE id = :id AND finished_at IS NULL", id)
                        .update()
                > 0;
    }

    /// Deletes a finished job.
    void remove(UUID id) {
        of("DELETE FROM optimization_job WHERE id = :id AND finished_at IS NOT NULL", id)
                .update();
    }

    private StatementSpec of(String sql, UUID id) {
        return jdbc.sql(sql).param("id", id);
    }

    private StatementSpec at(String sql, Instant time) {
        return jdbc.sql(sql).param("at", JobColumns.time(time), TIMESTAMP_WITH_TIMEZONE);
    }

    private static Started started(ResultSet row, int number) throws SQLException {
        return new Started(
                row.getInt("attempt"),
                Objects.requireNonNull(JobColumns.text(row, "request")),
                JobColumns.text(row, "asked"),
                row.getBoolean("include_defaults"),
                row.getBoolean("cancel_requested"));
    }

    private static Running running(ResultSet row, int number) throws SQLException {
        return new Running(row.getObject("id", UUID.class), row.getInt("attempt"), row.getBoolean("cancel_requested"));
    }
}
