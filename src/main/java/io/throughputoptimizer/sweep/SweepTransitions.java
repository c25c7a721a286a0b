package io.throughputoptimizer.sweep;

import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.api.problem.Problem;
import io.throughputoptimizer.api.sweep.SweepCellResponse;
import io.throughputoptimizer.api.sweep.SweepCellResponse.Outcome;
import io.throughputoptimizer.job.JobColumns;
import io.throughputoptimizer.job.JobRetention;
import java.sql.Types;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.core.simple.JdbcClient.StatementSpec;

/// Changes what the database has of sweeps. Each change is one statement that says what must hold for it, but for
/// [#finish], whose statements go together. Thread-safe, and safe with other replicas.
final class SweepTransitions implements JobRetention.Kept {
    private static final String ADD = """
            INSERT INTO sweep (id, status, submitted_at, owner, sharer, idempotency_key, cells, chunk_cells, checked,
                request)
            VALUES (:id, 'queued', :at, :owner, :sharer, :key, :cells, :chunkCells, :checked, :request)""";

    private static final String BEGIN = """
            UPDATE sweep SET status = 'running', started_at = COALESCE(started_at, :at)
            WHERE id = :id AND status IN ('queued', 'running')""";

    private static final String COUNT = """
            UPDATE sweep
            SET done = done + :done, answered = answered + :answered, unanswered = unanswered + :unanswered,
                invalid = invalid + :invalid, failed = failed + :failed,
                status = CASE WHEN done + :done >= cells THEN 'succeeded' ELSE status END,
                finished_at = CASE WHEN done + :done >= cells
                    THEN CAST(:at AS TIMESTAMP WITH TIME ZONE) ELSE finished_at END
            WHERE id = :id AND status IN ('queued', 'running')""";

    private static final String END = """
            UPDATE sweep SET status = :status, finished_at = :at, problem = :problem
            WHERE id = :id AND status IN ('queued', 'running')""";

    private static final String BEYOND = JobRetention.choice("id", "id DESC", "sweep WHERE finished_at IS NOT NULL");

    private final JdbcClient jdbc;

    SweepTransitions(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /// Makes every other transaction wait that would admit a sweep, until this one ends.
    void lockAdmission() {
        jdbc.sql("SELECT id FROM sweep_admission WHERE id = 1 FOR UPDATE")
                .query(Integer.class)
                .single();
    }

    /// @throws org.springframework.dao.DuplicateKeyException if the idempotency key is taken
    void add(Sweep sweep, String request) {
        at(ADD, sweep.submittedAt())
                .param("id", sweep.id())
                .param("owner", sweep.origin().owner(), Types.VARCHAR)
                .param("sharer", sweep.origin().storedCallerId(), Types.VARCHAR)
                .param("key", sweep.origin().storedKey(), Types.VARCHAR)
                .param("cells", sweep.cells())
                .param("chunkCells", sweep.chunkCells())
                .param("checked", sweep.standing().progress().checked())
                .param("request", JobColumns.bytes(request), Types.VARBINARY)
                .update();
    }

    /// @return whether there is anything to do of it any more
    boolean begin(UUID id, Instant at) {
        return at(BEGIN, at).param("id", id).update() > 0;
    }

    /// Says how many cells were judged.
    ///
    /// @return whether the sweep goes on
    boolean saveChecked(UUID id, int checked) {
        return jdbc.sql("UPDATE sweep SET checked = :checked WHERE id = :id AND status IN ('queued', 'running')")
                        .param("id", id)
                        .param("checked", checked)
                        .update()
                > 0;
    }

    /// Keeps the rows of a chunk, in the caller's transaction, which has to be taken back if this says so. The sweep
    /// ends with its last one.
    ///
    /// @return false if the sweep has ended
    /// @throws org.springframework.dao.DuplicateKeyException if another replica has kept them
    boolean finish(UUID id, int number, List<SweepCellResponse> rows, Instant at) {
        boolean goesOn = at(COUNT, at)
                        .param("id", id)
                        .param("done", rows.size())
                        .param("answered", count(rows, Outcome.ANSWERED))
                        .param("unanswered", count(rows, Outcome.NOTHING))
                        .param("invalid", count(rows, Outcome.INVALID))
                        .param("failed", count(rows, Outcome.FAILED))
                        .update()
                > 0;
        if (goesOn) {
            jdbc.sql("INSERT INTO sweep_chunk (sweep_id, number, column_names, content)"
                            + " VALUES (:id, :number, :names, :content)")
                    .param("id", id)
                    .param("number", number)
                    .param("names", String.join("\n", columns(rows)))
                    .param("content", JobColumns.bytes(WireFormat.write(new SweepStore.Chunk(rows))), Types.VARBINARY)
                    .update();
        }
        return goesOn;
    }

    private static long count(List<SweepCellResponse> rows, Outcome outcome) {
        return rows.stream().filter(row -> row.outcome() == outcome).count();
    }

    private static List<String> columns(List<SweepCellResponse> rows) {
        List<String> columns = new ArrayList<>();
        for (SweepCellResponse row : rows) {
            for (Map<String, Object> best : row.best() == null ? List.<Map<String, Object>>of() : row.best()) {
                SweepStore.merge(columns, best.keySet());
            }
        }
        return columns;
    }

    void fail(UUID id, Problem problem, Instant at) {
        end("failed", at)
                .param("id", id)
                .param("problem", JobColumns.bytes(WireFormat.write(problem)), Types.VARBINARY)
                .update();
    }

    /// @return whether it was not finished
    boolean cancel(UUID id, Instant at) {
        return end("cancelled", at)
                        .param("id", id)
                        .param("problem", null, Types.VARBINARY)
                        .update()
                > 0;
    }

    private StatementSpec end(String status, Instant at) {
        return at(END, at).param("status", status);
    }

    /// Deletes a finished sweep with its rows.
    void remove(UUID id) {
        jdbc.sql("DELETE FROM sweep WHERE id = :id AND finished_at IS NOT NULL")
                .param("id", id)
                .update();
    }

    @Override
    public String words() {
        return "finished sweeps";
    }

    @Override
    public int removeBefore(Instant time) {
        return at("DELETE FROM sweep WHERE finished_at < :at", time).update();
    }

    @Override
    public int removeBeyond(int most) {
        int finished = jdbc.sql("SELECT COUNT(*) FROM sweep WHERE finished_at IS NOT NULL")
                .query(Integer.class)
                .single();
        return finished <= most
                ? 0
                : JobRetention.removeChosen(
                        jdbc.sql(BEYOND).param("kept", most), jdbc.sql("DELETE FROM sweep WHERE id IN (:ids)"));
    }

    private StatementSpec at(String sql, Instant time) {
        return jdbc.sql(sql).param("at", JobColumns.time(time), Types.TIMESTAMP_WITH_TIMEZONE);
    }
}
