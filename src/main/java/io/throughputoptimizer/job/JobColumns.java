package io.throughputoptimizer.job;

import io.throughputoptimizer.api.EarlierNames;
import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.api.job.JobAnswer;
import io.throughputoptimizer.api.job.JobProgress;
import io.throughputoptimizer.api.job.JobStatus;
import io.throughputoptimizer.quota.CallerId;
import java.io.InputStream;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Clock;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.core.simple.JdbcClient.StatementSpec;
import org.springframework.jdbc.core.support.SqlBinaryValue;

/// Reads and sets columns of the job table and of similar tables.
public final class JobColumns {
    /// The caller that a record counts for.
    static final String CALLER = "COALESCE(owner, sharer, '')";

    /// Maximum length of the column.
    private static final int LONGEST_ANSWER = 2_000;

    private JobColumns() {}

    /// Sets the parameters `done`, `total`, `points`.
    static StatementSpec withProgress(StatementSpec statement, JobProgress progress) {
        return statement
                .param("done", progress.candidatesDone())
                .param("total", progress.candidatesTotal(), Types.INTEGER)
                .param("points", progress.points());
    }

    /// Sets the parameters `status`, `finishedAt`, `result`, `answer`, `problem`.
    static StatementSpec withOutcome(StatementSpec statement, JobState state) {
        String problem = state.problem() == null ? null : WireFormat.write(state.problem());
        return statement
                .param("status", WireFormat.name(state.status()))
                .param("finishedAt", time(state.finishedAt()), Types.TIMESTAMP_WITH_TIMEZONE)
                .param("result", bytes(state.result()), Types.VARBINARY)
                .param("answer", answer(state.answer()), Types.VARCHAR)
                .param("problem", bytes(problem), Types.VARBINARY);
    }

    /// Returns the result summary for lists, or null if it is too long.
    private static @Nullable String answer(@Nullable JobAnswer found) {
        return Optional.ofNullable(found)
                .map(WireFormat::write)
                .filter(answer -> answer.length() <= LONGEST_ANSWER)
                .orElse(null);
    }

    /// Sets the parameters `owner`, `sharer`, `key`.
    public static StatementSpec withOrigin(StatementSpec statement, Origin origin) {
        return statement
                .param("owner", origin.owner(), Types.VARCHAR)
                .param("sharer", origin.storedCallerId(), Types.VARCHAR)
                .param("key", origin.storedKey(), Types.VARCHAR);
    }

    public static Origin origin(ResultSet row) throws SQLException {
        return Origin.stored(row.getString("owner"), row.getString("idempotency_key"), row.getString("sharer"));
    }

    public static JobStatus status(ResultSet row) throws SQLException {
        return JobStatus.valueOf(row.getString("status").toUpperCase(Locale.ROOT));
    }

    /// Returns the current time with the precision of stored times.
    public static Instant now(Clock clock) {
        return clock.instant().truncatedTo(ChronoUnit.MILLIS);
    }

    public static @Nullable Instant time(ResultSet row, String column) throws SQLException {
        OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
        return time == null ? null : time.toInstant();
    }

    /// Reads the text of a compressed column. JSON of earlier versions gets the names of this one.
    ///
    /// @throws StoredTextException if it cannot be read
    public static @Nullable String text(ResultSet row, String column) throws SQLException {
        InputStream bytes = row.getBinaryStream(column);
        if (bytes == null) {
            return null;
        }
        String text = Gzip.decompress(bytes);
        return switch (column) {
            case "request", "asked" -> EarlierNames.inRequest(text);
            case "result" -> EarlierNames.inResult(text);
            case "content" -> EarlierNames.inCells(text);
            default -> text;
        };
    }

    /// Returns the numbers of jobs in a table that wait, in total and of a caller.
    ///
    /// @param statuses statuses in which a job counts
    public static Admission.Waiting waiting(
            JdbcClient jdbc, String table, Collection<JobStatus> statuses, CallerId callerId) {
        return jdbc.sql("""
                        SELECT COUNT(*) AS jobs, COUNT(CASE WHEN counted = :caller THEN 1 END) AS own,
                            COUNT(DISTINCT counted) AS callers
                        FROM (SELECT %s AS counted FROM %s WHERE status IN (:statuses)) waiting""".formatted(CALLER, table))
                .param("statuses", statuses.stream().map(WireFormat::name).toList())
                .param("caller", callerId.name())
                .query((row, _) -> new Admission.Waiting(row.getInt("jobs"), row.getInt("own"), row.getInt("callers")))
                .single();
    }

    /// Converts an instant to the type of time columns.
    public static @Nullable OffsetDateTime time(@Nullable Instant instant) {
        return instant == null ? null : instant.atOffset(ZoneOffset.UTC);
    }

    /// Compresses text as a stream, since H2 accepts no array above 1 MB.
    public static @Nullable SqlBinaryValue bytes(@Nullable String text) {
        return text == null ? null : new SqlBinaryValue(Gzip.compress(text));
    }
}
