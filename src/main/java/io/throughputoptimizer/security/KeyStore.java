package io.throughputoptimizer.security;

import io.throughputoptimizer.api.key.Role;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/// Keys in the database, without their secrets. Thread-safe, also across replicas.
final class KeyStore {
    private static final String COLUMNS = "id, name, roles, salt, hash, created_at, expires_at, revoked_at";
    private static final String SEPARATOR = ",";

    private final JdbcClient jdbc;

    KeyStore(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /// A key and the digest of its secret.
    record Stored(KeyEntry entry, KeyDigest digest) {}

    void add(Stored key) {
        KeyEntry entry = key.entry();
        jdbc.sql("INSERT INTO api_key (" + COLUMNS + ") VALUES (:id, :name, :roles, :salt, :hash, :created, :expires,"
                        + " NULL)")
                .param("id", entry.id())
                .param("name", entry.name())
                .param("roles", entry.roles().stream().sorted().map(Role::word).collect(Collectors.joining(SEPARATOR)))
                .param("salt", key.digest().salt())
                .param("hash", key.digest().hash())
                .param("created", time(entry.createdAt()), Types.TIMESTAMP_WITH_TIMEZONE)
                .param("expires", time(entry.expiresAt()), Types.TIMESTAMP_WITH_TIMEZONE)
                .update();
    }

    Optional<Stored> find(String id) {
        return jdbc.sql("SELECT " + COLUMNS + " FROM api_key WHERE id = :id")
                .param("id", id)
                .query(KeyStore::stored)
                .optional();
    }

    /// Returns all keys, oldest first.
    List<KeyEntry> list() {
        return jdbc.sql("SELECT " + COLUMNS + " FROM api_key ORDER BY created_at, id")
                .query((row, number) -> stored(row, number).entry())
                .list();
    }

    /// @return number of keys, valid or not
    int count() {
        return jdbc.sql("SELECT COUNT(*) FROM api_key").query(Integer.class).single();
    }

    /// Revokes a key, or all keys of a name if no key has that id. Revoked keys are unchanged.
    ///
    /// @return ids of the newly revoked keys
    List<String> revoke(String idOrName, Instant now) {
        List<String> ids = find(idOrName).isPresent() ? List.of(idOrName) : idsOf(idOrName);
        return ids.stream()
                .filter(id -> jdbc.sql("UPDATE api_key SET revoked_at = :now WHERE id = :id AND revoked_at IS NULL")
                                .param("now", time(now), Types.TIMESTAMP_WITH_TIMEZONE)
                                .param("id", id)
                                .update()
                        > 0)
                .toList();
    }

    private List<String> idsOf(String name) {
        return jdbc.sql("SELECT id FROM api_key WHERE name = :name")
                .param("name", name)
                .query((row, _) -> row.getString("id"))
                .list();
    }

    private static Stored stored(ResultSet row, int number) throws SQLException {
        KeyEntry entry = new KeyEntry(
                row.getString("id"),
                row.getString("name"),
                roles(row.getString("roles")),
                Objects.requireNonNull(instant(row, "created_at")),
                instant(row, "expires_at"),
                instant(row, "revoked_at"));
        return new Stored(entry, new KeyDigest(row.getString("salt"), row.getString("hash")));
    }

    /// Reads roles, except unknown ones of later versions.
    private static Set<Role> roles(String words) {
        return Arrays.stream(words.split(SEPARATOR, -1))
                .flatMap(word -> Role.of(word).stream())
                .collect(Collectors.toCollection(() -> EnumSet.noneOf(Role.class)));
    }

    private static @Nullable OffsetDateTime time(@Nullable Instant instant) {
        return instant == null ? null : instant.atOffset(ZoneOffset.UTC);
    }

    private static @Nullable Instant instant(ResultSet row, String column) throws SQLException {
        OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
        return time == null ? null : time.toInstant();
    }
}
