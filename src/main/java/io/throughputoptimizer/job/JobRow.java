package io.throughputoptimizer.job;

import static io.throughputoptimizer.job.JobColumns.origin;
import static io.throughputoptimizer.job.JobColumns.status;
import static io.throughputoptimizer.job.JobColumns.text;
import static io.throughputoptimizer.job.JobColumns.time;

import io.throughputoptimizer.api.EarlierNames;
import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.api.job.JobAnswer;
import io.throughputoptimizer.api.job.JobProgress;
import io.throughputoptimizer.api.problem.Problem;
import io.throughputoptimizer.api.request.BriefRequest;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.RowMapper;

/// Reads rows of the job table.
final class JobRow {
    /// Columns of a state.
    static final String STANDING = "id, status, candidates_done, candidates_total, points";

    /// Columns of a job without its result.
    static final String WITHOUT_RESULT = STANDING
            + ", submitted_at, started_at, finished_at, owner, sharer, idempotency_key, name, starred, request,"
            + " include_defaults, problem";

    /// Columns of a job in a list.
    static final String LISTED = STANDING + ", submitted_at, started_at, finished_at, owner, sharer, idempotency_key,"
            + " name, starred, include_defaults, brief, CASE WHEN brief IS NULL THEN request END AS request, answer, problem";

    /// Columns of a job.
    static final String ALL = WITHOUT_RESULT + ", asked, result";

    /// Maximum length of the column.
    private static final int LONGEST_MODEL = 300;

    private static final String NOTHING = "{}";

    private JobRow() {}

    static OptimizationJob withResult(ResultSet row, int number) throws SQLException {
        return job(row, text(row, "asked"), text(row, "result"));
    }

    static OptimizationJob withoutResult(ResultSet row, int number) throws SQLException {
        return job(row, null, null);
    }

    /// Reads a job as [#withoutResult] does. An unreadable row becomes a failed job without a request, so that
    /// it neither hides other rows nor is kept forever.
    static OptimizationJob asFarAsReadable(ResultSet row, int number) throws SQLException {
        return unlessUnreadable(row, JobRow::withoutResult);
    }

    /// Reads a job of a list, as [#asFarAsReadable], with a brief request. Rows of earlier versions can lack
    /// it.
    static OptimizationJob listed(ResultSet row, int number) throws SQLException {
        return unlessUnreadable(row, (readable, _) -> {
            String stored = text(readable, "brief");
            String answer = readable.getString("answer");
            return job(readable, stored == null ? BriefRequest.of(request(readable)) : storedBrief(stored), null, null)
                    .answered(
                            answer == null
                                    ? null
                                    : WireFormat.readStored(EarlierNames.inResult(answer), JobAnswer.class));
        });
    }

    /// Returns the abridged request stored for lists; null if the request is short enough.
    static @Nullable String brief(String request) {
        BriefRequest brief = BriefRequest.of(request);
        return brief.abridged().isEmpty() ? null : String.join(",", brief.abridged()) + "\n" + brief.json();
    }

    /// Returns the model that lists are searched by; null if the request names none.
    static @Nullable String model(String request) {
        String model = BriefRequest.modelOf(request);
        return model == null || model.length() <= LONGEST_MODEL ? model : model.substring(0, LONGEST_MODEL);
    }

    private static BriefRequest storedBrief(String stored) {
        int names = stored.indexOf('\n');
        return new BriefRequest(
                EarlierNames.inRequest(stored.substring(names + 1)),
                List.of(stored.substring(0, names).split(",", -1)));
    }

    private static OptimizationJob unlessUnreadable(ResultSet row, RowMapper<OptimizationJob> reader)
            throws SQLException {
        try {
            return Objects.requireNonNull(reader.mapRow(row, 0));
        } catch (StoredTextException e) {
            Instant submittedAt = Objects.requireNonNull(time(row, "submitted_at"));
            Instant finishedAt = time(row, "finished_at");
            return new OptimizationJob(
                    row.getObject("id", UUID.class),
                    submittedAt,
                    NOTHING,
                    List.of(),
                    null,
                    false,
                    origin(row),
                    new JobState.Failed(
                            time(row, "started_at"),
                            finishedAt == null ? submittedAt : finishedAt,
                            progress(row),
                            JobProblems.unreadable(e)),
                    label(row),
                    null);
        }
    }

    static OptimizationJob.Standing standing(ResultSet row, int number) throws SQLException {
        return new OptimizationJob.Standing(row.getObject("id", UUID.class), status(row), progress(row));
    }

    private static String request(ResultSet row) throws SQLException {
        return Objects.requireNonNull(text(row, "request"));
    }

    private static OptimizationJob job(ResultSet row, @Nullable String asked, @Nullable String result)
            throws SQLException {
        return job(row, new BriefRequest(request(row), List.of()), asked, result);
    }

    private static OptimizationJob job(
            ResultSet row, BriefRequest request, @Nullable String asked, @Nullable String result) throws SQLException {
        return new OptimizationJob(
                row.getObject("id", UUID.class),
                Objects.requireNonNull(time(row, "submitted_at")),
                request.json(),
                request.abridged(),
                asked,
                row.getBoolean("include_defaults"),
                origin(row),
                state(row, result),
                label(row),
                null);
    }

    private static OptimizationJob.Label label(ResultSet row) throws SQLException {
        return new OptimizationJob.Label(row.getString("name"), row.getBoolean("starred"));
    }

    private static JobState state(ResultSet row, @Nullable String result) throws SQLException {
        Instant startedAt = time(row, "started_at");
        Instant finishedAt = time(row, "finished_at");
        return switch (status(row)) {
            case QUEUED -> new JobState.Queued();
            case RUNNING -> new JobState.Running(Objects.requireNonNull(startedAt), progress(row));
            case SUCCEEDED ->
                new JobState.Succeeded(
                        Objects.requireNonNull(startedAt),
                        Objects.requireNonNull(finishedAt),
                        progress(row),
                        result,
                        null);
            case FAILED ->
                new JobState.Failed(startedAt, Objects.requireNonNull(finishedAt), progress(row), problem(row));
            case CANCELLED -> new JobState.Cancelled(startedAt, Objects.requireNonNull(finishedAt), progress(row));
        };
    }

    private static JobProgress progress(ResultSet row) throws SQLException {
        return new JobProgress(
                row.getInt("candidates_done"), row.getObject("candidates_total", Integer.class), row.getLong("points"));
    }

    private static Problem problem(ResultSet row) throws SQLException {
        return WireFormat.read(Objects.requireNonNull(text(row, "problem")), Problem.class);
    }
}
