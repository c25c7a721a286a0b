package io.throughputoptimizer.sweep;

import static io.throughputoptimizer.job.JobColumns.text;
import static io.throughputoptimizer.job.JobColumns.time;

import io.throughputoptimizer.api.EarlierNames;
import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.api.job.JobStatus;
import io.throughputoptimizer.api.problem.Problem;
import io.throughputoptimizer.api.sweep.SweepCellResponse;
import io.throughputoptimizer.api.sweep.SweepCellResponse.Outcome;
import io.throughputoptimizer.api.sweep.SweepRequest.SubmittedSweep;
import io.throughputoptimizer.api.sweep.SweepResponse.SweepProgress;
import io.throughputoptimizer.job.Admission;
import io.throughputoptimizer.job.JobColumns;
import io.throughputoptimizer.job.JobRetention;
import io.throughputoptimizer.job.Origin;
import io.throughputoptimizer.job.Page;
import io.throughputoptimizer.job.StoredTextException;
import io.throughputoptimizer.quota.CallerId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.core.simple.JdbcClient.StatementSpec;

/// Sweeps in the database. Rows are read chunk by chunk, so a sweep of any size needs the memory of one
/// chunk. Each change is one conditional statement, except [#finish]. Thread-safe, also across replicas.
public final class SweepStore implements Admission.Store<SubmittedSweep, Sweep> {
    private static final String STANDING = "id, status, cells, checked, done, answered, unanswered, invalid, failed";
    private static final String ALL = STANDING
            + ", name, submitted_at, started_at, finished_at, chunk_cells, owner, sharer, idempotency_key, problem";

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

    private final JdbcClient jdbc;

    public SweepStore(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /// Rows of a chunk, as they are stored.
    record Chunk(List<SweepCellResponse> cells) {}

    public Optional<Sweep> find(UUID id) {
        return jdbc.sql("SELECT " + ALL + " FROM sweep WHERE id = :id")
                .param("id", id)
                .query(SweepStore::sweep)
                .optional();
    }

    /// Returns the request as JSON.
    ///
    /// @throws StoredTextException if it cannot be read
    public Optional<String> request(UUID id) {
        return jdbc.sql("SELECT request FROM sweep WHERE id = :id")
                .param("id", id)
                .query((row, _) -> text(row, "request"))
                .optional();
    }

    @Override
    public Optional<Sweep> findByKey(Origin origin) {
        return jdbc.sql("SELECT " + ALL + " FROM sweep WHERE idempotency_key = :key")
                .param("key", origin.storedKey(), Types.VARCHAR)
                .query(SweepStore::sweep)
                .optional();
    }

    /// @param owner owner of the sweeps; null for all
    /// @param before id that the page begins below; absent for the first page
    public Page<Sweep> list(@Nullable String owner, @Nullable UUID before, int limit) {
        return Page.of(
                jdbc,
                "SELECT " + ALL + " FROM sweep WHERE 1 = 1",
                Map.of(),
                new Page.Wanted(owner, before, limit),
                SweepStore::sweep,
                Sweep::id);
    }

    /// Names a sweep.
    ///
    /// @param name empty to remove the name
    public void rename(UUID id, String name) {
        jdbc.sql("UPDATE sweep SET name = NULLIF(:name, '') WHERE id = :id")
                .param("id", id)
                .param("name", name)
                .update();
    }

    /// Returns the standings of sweeps; unknown ids are left out.
    public List<Sweep.Standing> standings(Collection<UUID> ids) {
        return jdbc.sql("SELECT " + STANDING + " FROM sweep WHERE id IN (:ids)")
                .param("ids", ids)
                .query((row, _) -> standing(row))
                .list();
    }

    /// Returns the unfinished sweeps among the given ones.
    Set<UUID> unfinished(Collection<UUID> ids) {
        return standings(ids).stream()
                .filter(standing -> !standing.status().isFinished())
                .map(Sweep.Standing::id)
                .collect(Collectors.toSet());
    }

    /// Returns the numbers of unfinished sweeps.
    @Override
    public Admission.Waiting waiting(CallerId callerId) {
        return JobColumns.waiting(jdbc, "sweep", List.of(JobStatus.QUEUED, JobStatus.RUNNING), callerId);
    }

    @Override
    public boolean isOf(Sweep sweep, SubmittedSweep request) {
        return request(sweep.id()).equals(Optional.of(request.json()));
    }

    @Override
    public void lockAdmission() {
        jdbc.sql("SELECT id FROM sweep_admission WHERE id = 1 FOR UPDATE")
                .query(Integer.class)
                .single();
    }

    /// Returns the finished sweeps, which have a retention period.
    public JobRetention.Kept finished() {
        return new JobRetention.Kept(jdbc, "finished sweeps", "sweep", "finished_at", "FALSE");
    }

    /// Rows of a chunk in the order of its cells; empty while it is not finished.
    public List<SweepCellResponse> chunk(UUID id, int number) {
        return jdbc.sql("SELECT content FROM sweep_chunk WHERE sweep_id = :id AND number = :number")
                .param("id", id)
                .param("number", number)
                .query((row, _) -> WireFormat.readStored(Objects.requireNonNull(text(row, "content")), Chunk.class)
                        .cells())
                .optional()
                .orElse(List.of());
    }

    /// Names of the figures that rows have, each behind that which it follows where it first comes.
    public List<String> columns(UUID id) {
        List<String> columns = new ArrayList<>();
        jdbc.sql("SELECT DISTINCT column_names FROM sweep_chunk WHERE sweep_id = :id ORDER BY column_names")
                .param("id", id)
                .query(String.class)
                .list()
                .forEach(names ->
                        merge(columns, names.lines().map(EarlierNames::column).toList()));
        return columns;
    }

    static void merge(List<String> columns, Collection<String> more) {
        int place = 0;
        for (String name : more) {
            int known = columns.indexOf(name);
            if (known < 0) {
                columns.add(place, name);
                place++;
            } else {
                place = known + 1;
            }
        }
    }

    static Sweep sweep(ResultSet row, int number) throws SQLException {
        String problem = text(row, "problem");
        return new Sweep(
                standing(row),
                row.getString("name"),
                Objects.requireNonNull(time(row, "submitted_at")),
                time(row, "started_at"),
                time(row, "finished_at"),
                row.getInt("chunk_cells"),
                JobColumns.origin(row),
                problem == null ? null : WireFormat.readStored(problem, Problem.class));
    }

    private static Sweep.Standing standing(ResultSet row) throws SQLException {
        return new Sweep.Standing(
                row.getObject("id", UUID.class),
                JobColumns.status(row),
                new SweepProgress(
                        row.getInt("cells"),
                        row.getInt("checked"),
                        row.getInt("done"),
                        row.getInt("answered"),
                        row.getInt("unanswered"),
                        row.getInt("invalid"),
                        row.getInt("failed")));
    }

    @Override
    public void add(Sweep sweep, SubmittedSweep request) {
        JobColumns.withOrigin(at(ADD, sweep.submittedAt()), sweep.origin())
                .param("id", sweep.id())
                .param("cells", sweep.cells())
                .param("chunkCells", sweep.chunkCells())
                .param("checked", sweep.standing().progress().checked())
                .param("request", JobColumns.bytes(request.json()), Types.VARBINARY)
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

    /// Keeps the rows of a chunk, in the caller's transaction, which has to be taken back if this says so.
    /// The sweep ends with its last one.
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
                    .param("content", JobColumns.bytes(WireFormat.write(new Chunk(rows))), Types.VARBINARY)
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
                merge(columns, best.keySet());
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

    private StatementSpec at(String sql, Instant time) {
        return jdbc.sql(sql).param("at", JobColumns.time(time), Types.TIMESTAMP_WITH_TIMEZONE);
    }
}
