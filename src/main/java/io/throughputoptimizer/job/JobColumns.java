package io.throughputoptimizer.job;

import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.api.job.JobAnswer;
import io.throughputoptimizer.api.job.JobProgress;
import java.sql.Types;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient.StatementSpec;
import org.springframework.jdbc.core.support.SqlBinaryValue;

/// Sets columns of the job table and of similar tables.
public final class JobColumns {
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

    /// Converts an instant to the type of time columns.
    public static @Nullable OffsetDateTime time(@Nullable Instant instant) {
        return instant == null ? null : instant.atOffset(ZoneOffset.UTC);
    }

    /// Compresses text as a stream, since H2 accepts no array above 1 MB.
    public static @Nullable SqlBinaryValue bytes(@Nullable String text) {
        return text == null ? null : new SqlBinaryValue(Gzip.compress(text));
    }
}
