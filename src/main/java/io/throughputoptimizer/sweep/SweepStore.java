package io.throughputoptimizer.sweep;

import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.api.job.JobStatus;
import io.throughputoptimizer.api.problem.Problem;
import io.throughputoptimizer.api.sweep.SweepCellResponse;
import io.throughputoptimizer.api.sweep.SweepProgress;
import io.throughputoptimizer.job.Gzip;
import io.throughputoptimizer.job.Origin;
import io.throughputoptimizer.job.Page;
import io.throughputoptimizer.job.StoredTextException;
import io.throughputoptimizer.quota.CallerId;
import java.io.InputStream;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/// The sweeps in the database. Rows are read chunk by chunk, so a sweep of any size needs the memory of one chunk.
/// Thread-safe, and safe with other replicas.
public final class SweepStore {
    private static final String STANDING = "id, status, cells, checked, done, answered, unanswered, invalid, failed";
    private static final String ALL =
            STANDING + ", submitted_at, started_at, finished_at, chunk_cells, owner, sharer, idempotency_key, problem";

    private final JdbcClient jdbc;

    public SweepStore(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /// Rows of a chunk, as they are stored.
    record Chunk(List<SweepCellResponse> cells) {}

    /// Unfinished sweeps, and how many of them count for a caller.
    record Unfinished(int sweeps, int own) {}

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

    Optional<Sweep> findByKey(Origin origin) {
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

    /// Returns the standings of sweeps; unknown ids are left out.
    public List<Sweep.Standing> standings(Collection<UUID> ids) {
        return jdbc.sql("SELECT " + STANDING + " FROM sweep WHERE id IN (:ids)")
                .param("ids", ids)
                .query((row, _) -> standing(row))
                .list();
    }

    Unfinished unfinished(CallerId callerId) {
        return jdbc.sql("""
                        SELECT COUNT(*) AS sweeps,
                            COUNT(CASE WHEN COALESCE(owner, sharer, '') = :sharer THEN 1 END) AS own
                        FROM sweep WHERE status IN ('queued', 'running')""")
                .param("sharer", callerId.name())
                .query((row, _) -> new Unfinished(row.getInt("sweeps"), row.getInt("own")))
                .single();
    }

    /// Rows of a chunk in the order of its cells; empty while it is not finished.
    public List<SweepCellResponse> chunk(UUID id, int number) {
        return jdbc.sql("SELECT content FROM sweep_chunk WHERE sweep_id = :id AND number = :number")
                .param("id", id)
                .param("number", number)
                .query((row, _) ->
                        WireFormat.readStored(text(row, "content"), Chunk.class).cells())
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
                .forEach(names -> merge(columns, names.lines().toList()));
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
        InputStream problem = row.getBinaryStream("problem");
        return new Sweep(
                standing(row),
                Objects.requireNonNull(instant(row, "submitted_at")),
                instant(row, "started_at"),
                instant(row, "finished_at"),
                row.getInt("chunk_cells"),
                Origin.stored(row.getString("owner"), row.getString("idempotency_key"), row.getString("sharer")),
                problem == null ? null : WireFormat.readStored(Gzip.decompress(problem), Problem.class));
    }

    private static Sweep.Standing standing(ResultSet row) throws SQLException {
        return new Sweep.Standing(
                row.getObject("id", UUID.class),
                JobStatus.valueOf(row.getString("status").toUpperCase(Locale.ROOT)),
                new SweepProgress(
                        row.getInt("cells"),
                        row.getInt("checked"),
                        row.getInt("done"),
                        row.getInt("answered"),
                        row.getInt("unanswered"),
                        row.getInt("invalid"),
                        row.getInt("failed")));
    }

    private static @Nullable Instant instant(ResultSet row, String column) throws SQLException {
        OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
        return time == null ? null : time.toInstant();
    }

    private static String text(ResultSet row, String column) throws SQLException {
        return Gzip.decompress(row.getBinaryStream(column));
    }
}
