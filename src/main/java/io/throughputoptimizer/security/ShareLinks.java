package io.throughputoptimizer.security;

import java.security.SecureRandom;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;

/// Share links, each of which shows one job without a key until it expires or is revoked. Links are not cached,
/// so a revoked link is rejected immediately on every replica. Thread-safe, also across replicas.
public final class ShareLinks {
    /// Maximum number of active links per job.
    public static final int MOST = 20;

    private static final String COLUMNS = "id, job_id, salt, hash, created_at, expires_at";

    private final JdbcClient jdbc;
    private final Clock clock;
    private final SecureRandom random = new SecureRandom();

    public ShareLinks(JdbcClient jdbc, Clock clock) {
        this.jdbc = jdbc;
        this.clock = clock;
    }

    /// Metadata of a link, without its secret.
    ///
    /// @param id public id
    public record Link(String id, UUID job, Instant createdAt, Instant expiresAt) {}

    /// A new link and its metadata.
    public record Created(ApiKey token, Link link) {}

    private record Stored(Link link, KeyDigest digest) {}

    /// Creates a link, after deleting expired links and those of deleted jobs.
    ///
    /// @return the link, or empty if the job has the maximum number of links
    public Optional<Created> create(UUID job, Duration lifetime) {
        Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
        jdbc.sql("DELETE FROM optimization_share WHERE expires_at <= :now"
                        + " OR NOT EXISTS (SELECT 1 FROM optimization_job WHERE optimization_job.id = job_id)")
                .param("now", time(now), Types.TIMESTAMP_WITH_TIMEZONE)
                .update();
        if (list(job).size() >= MOST) {
            return Optional.empty();
        }
        ApiKey token = ApiKey.make(ApiKey.Kind.SHARE, random);
        KeyDigest digest = KeyDigest.of(token, random);
        Link link = new Link(token.id(), job, now, now.plus(lifetime));
        jdbc.sql("INSERT INTO optimization_share (" + COLUMNS
                        + ") VALUES (:id, :job, :salt, :hash, :created, :expires)")
                .param("id", link.id())
                .param("job", job)
                .param("salt", digest.salt())
                .param("hash", digest.hash())
                .param("created", time(link.createdAt()), Types.TIMESTAMP_WITH_TIMEZONE)
                .param("expires", time(link.expiresAt()), Types.TIMESTAMP_WITH_TIMEZONE)
                .update();
        return Optional.of(new Created(token, link));
    }

    /// Returns the active links of a job, oldest first.
    public List<Link> list(UUID job) {
        return jdbc
                .sql("SELECT " + COLUMNS + " FROM optimization_share WHERE job_id = :job ORDER BY created_at, id")
                .param("job", job)
                .query(ShareLinks::stored)
                .list()
                .stream()
                .map(Stored::link)
                .filter(this::lasts)
                .toList();
    }

    /// @return true if the job had this link
    public boolean revoke(UUID job, String id) {
        return jdbc.sql("DELETE FROM optimization_share WHERE id = :id AND job_id = :job")
                        .param("id", id)
                        .param("job", job)
                        .update()
                > 0;
    }

    /// Returns the link of a token. Empty for any invalid token, indistinguishably: unknown, wrong secret,
    /// expired or revoked.
    public Optional<Link> open(String token) {
        return ApiKey.parse(ApiKey.Kind.SHARE, token)
                .flatMap(key -> find(key.id()).filter(stored -> stored.digest().matches(key)))
                .map(Stored::link)
                .filter(this::lasts);
    }

    private boolean lasts(Link link) {
        return clock.instant().isBefore(link.expiresAt());
    }

    private Optional<Stored> find(String id) {
        return jdbc.sql("SELECT " + COLUMNS + " FROM optimization_share WHERE id = :id")
                .param("id", id)
                .query(ShareLinks::stored)
                .optional();
    }

    private static Stored stored(ResultSet row, int number) throws SQLException {
        return new Stored(
                new Link(
                        row.getString("id"),
                        row.getObject("job_id", UUID.class),
                        instant(row, "created_at"),
                        instant(row, "expires_at")),
                new KeyDigest(row.getString("salt"), row.getString("hash")));
    }

    private static OffsetDateTime time(Instant instant) {
        return instant.atOffset(ZoneOffset.UTC);
    }

    private static Instant instant(ResultSet row, String column) throws SQLException {
        return row.getObject(column, OffsetDateTime.class).toInstant();
    }
}
