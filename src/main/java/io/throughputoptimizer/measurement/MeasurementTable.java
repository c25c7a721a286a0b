package io.throughputoptimizer.measurement;

import io.throughputoptimizer.api.EarlierNames;
import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.api.problem.InvalidRequestException;
import io.throughputoptimizer.api.request.MeasurementSets;
import io.throughputoptimizer.api.request.MeasurementSets.MeasurementSet;
import io.throughputoptimizer.api.result.measurement.MeasurementResponse;
import io.throughputoptimizer.job.Gzip;
import io.throughputoptimizer.job.JobColumns;
import io.throughputoptimizer.job.JobRetention;
import io.throughputoptimizer.job.Origin;
import io.throughputoptimizer.job.Page;
import io.throughputoptimizer.job.StoredTextException;
import io.throughputoptimizer.quota.CallerId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;

/// Sets of measurements in the database, as compressed JSON. Every method is one statement. Thread-safe, also
/// across replicas.
public final class MeasurementTable {
    private static final Logger log = LoggerFactory.getLogger(MeasurementTable.class);

    private static final String ADD = """
            INSERT INTO measurement_set (id, created_at, owner, sharer, summary, content)
            VALUES (:id, :createdAt, :owner, :sharer, :summary, :content)""";

    private final JdbcClient jdbc;

    public MeasurementTable(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /// Id and owner of a set.
    ///
    /// @param owner owner; null without access control
    public record Standing(UUID id, @Nullable String owner) {}

    /// @param owner owner; null without access control
    /// @param callerId caller whose quota it counts against
    public void add(MeasurementResponse measurements, @Nullable String owner, CallerId callerId) {
        jdbc.sql(ADD)
                .param("id", UUID.fromString(measurements.id()))
                .param("createdAt", JobColumns.time(measurements.createdAt()), Types.TIMESTAMP_WITH_TIMEZONE)
                .param("owner", owner, Types.VARCHAR)
                .param("sharer", new Origin(owner, null, callerId).storedCallerId(), Types.VARCHAR)
                .param("summary", JobColumns.bytes(WireFormat.write(measurements.brief())), Types.VARBINARY)
                .param("content", JobColumns.bytes(WireFormat.write(measurements)), Types.VARBINARY)
                .update();
    }

    /// Returns the id and owner of a set, or empty if it does not exist.
    public Optional<Standing> standing(UUID id) {
        return jdbc.sql("SELECT id, owner FROM measurement_set WHERE id = :id")
                .param("id", id)
                .query((row, _) -> new Standing(row.getObject("id", UUID.class), row.getString("owner")))
                .optional();
    }

    /// @throws StoredTextException if it cannot be read
    public Optional<MeasurementResponse> find(UUID id) {
        return jdbc.sql("SELECT content FROM measurement_set WHERE id = :id")
                .param("id", id)
                .query((row, _) -> measurements(row, "content"))
                .optional();
    }

    /// Returns the sets that a request can name: those visible to its caller. Finding a set that plans cannot use
    /// throws [InvalidRequestException].
    ///
    /// @param visible tests whether the sets of an owner are visible
    public MeasurementSets sets(Predicate<@Nullable String> visible) {
        return id -> parse(id)
                .flatMap(this::standing)
                .filter(set -> visible.test(set.owner))
                .flatMap(set -> find(set.id))
                .map(MeasurementTable::usable);
    }

    private static Optional<UUID> parse(String id) {
        try {
            return Optional.of(UUID.fromString(id));
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    private static MeasurementSet usable(MeasurementResponse measurements) {
        if (!measurements.learntFrom()) {
            throw new InvalidRequestException(
                    "/feedback/measurements",
                    "has " + measurements.id() + ", which no plan learns from: " + measurements.notLearntFrom());
        }
        return measurements.toSet();
    }

    /// Lists sets, newest first, without rows.
    ///
    /// @param owner owner of the sets; null for all
    /// @param before id below which the page begins; null for the first page
    public Page<MeasurementResponse> list(@Nullable String owner, @Nullable UUID before, int limit) {
        Page<Entry> page = Page.of(
                jdbc,
                "SELECT id, summary FROM measurement_set WHERE 1 = 1",
                Map.of(),
                new Page.Wanted(owner, before, limit),
                MeasurementTable::entry,
                Entry::id);
        return new Page<>(
                page.entries().stream()
                        .map(Entry::measurements)
                        .flatMap(Optional::stream)
                        .toList(),
                page.next());
    }

    /// @param measurements content; empty if damaged, so that it does not hide other sets
    private record Entry(UUID id, Optional<MeasurementResponse> measurements) {}

    private static Entry entry(ResultSet row, int number) throws SQLException {
        UUID id = row.getObject("id", UUID.class);
        try {
            return new Entry(id, Optional.of(measurements(row, "summary")));
        } catch (StoredTextException e) {
            log.warn("measurements {} cannot be read", id, e);
            return new Entry(id, Optional.empty());
        }
    }

    public void remove(UUID id) {
        jdbc.sql("DELETE FROM measurement_set WHERE id = :id").param("id", id).update();
    }

    /// Returns the sets, which have a retention period.
    public JobRetention.Kept all() {
        return new JobRetention.Kept(jdbc, "sets of measurements", "measurement_set", "created_at", "FALSE");
    }

    private static MeasurementResponse measurements(ResultSet row, String column) throws SQLException {
        return WireFormat.readStored(
                EarlierNames.inResult(Gzip.decompress(row.getBinaryStream(column))), MeasurementResponse.class);
    }
}
