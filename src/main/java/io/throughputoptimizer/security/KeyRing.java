package io.throughputoptimizer.security;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.throughputoptimizer.api.key.KeyRequest;
import io.throughputoptimizer.api.key.Role;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.security.oauth2.server.resource.InvalidBearerTokenException;

/// Creates, revokes and authenticates keys. Authenticated keys are cached for some seconds, so a key revoked on
/// another replica remains valid that long. Thread-safe.
public final class KeyRing {
    private static final Pattern NAMES = Pattern.compile(KeyRequest.NAME);
    private static final Duration FRESH = Duration.ofSeconds(5);
    private static final int MOST_KEPT = 10_000;

    private final KeyStore store;
    private final Clock clock;
    private final SecureRandom random = new SecureRandom();
    private final Cache<String, KeyStore.Stored> known =
            Caffeine.newBuilder().maximumSize(MOST_KEPT).expireAfterWrite(FRESH).build();

    public KeyRing(JdbcClient jdbc, Clock clock) {
        this.store = new KeyStore(jdbc);
        this.clock = clock;
    }

    /// A new key and its metadata.
    public record Created(ApiKey key, KeyEntry entry) {}

    /// @param lifetime lifetime; null for a key that does not expire
    /// @throws IllegalArgumentException if the name is invalid or there is no role
    public Created create(String name, Collection<Role> roles, @Nullable Duration lifetime) {
        if (!NAMES.matcher(name).matches()) {
            throw new IllegalArgumentException("the name is \"" + name + "\": up to 64 letters, digits and . _ @ - are"
                    + " needed, beginning with a letter or digit");
        }
        if (roles.isEmpty()) {
            throw new IllegalArgumentException("a key needs a role");
        }
        ApiKey key = ApiKey.make(ApiKey.Kind.CALLER, random);
        Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
        KeyEntry entry = new KeyEntry(
                key.id(), name, EnumSet.copyOf(roles), now, lifetime == null ? null : now.plus(lifetime), null);
        store.add(new KeyStore.Stored(entry, KeyDigest.of(key, random)));
        return new Created(key, entry);
    }

    /// Returns all keys ever created, oldest first.
    public List<KeyEntry> list() {
        return store.list();
    }

    /// Revokes a key by its id, or all keys of a name.
    ///
    /// @return ids of the newly revoked keys
    public List<String> revoke(String idOrName) {
        List<String> revoked = store.revoke(idOrName, clock.instant().truncatedTo(ChronoUnit.MILLIS));
        known.invalidateAll(revoked);
        return revoked;
    }

    /// Returns whether any key was ever created.
    public boolean hasKeys() {
        return store.count() > 0;
    }

    /// Returns the holder of a key. The reason for a rejection is revealed only to a caller who knows its
    /// secret.
    ///
    /// @throws InvalidBearerTokenException if it is unknown, revoked or expired
    Caller holder(ApiKey key) {
        KeyEntry entry = find(key.id())
                .filter(stored -> stored.digest().matches(key))
                .map(KeyStore.Stored::entry)
                .orElseThrow(() -> new InvalidBearerTokenException("The key is not known."));
        if (entry.revokedAt() != null) {
            throw new InvalidBearerTokenException("The key was revoked.");
        }
        if (entry.isExpired(clock.instant())) {
            throw new InvalidBearerTokenException("The key expired at " + entry.expiresAt() + ".");
        }
        return Caller.ofKey(entry.name(), entry.roles());
    }

    private Optional<KeyStore.Stored> find(String id) {
        KeyStore.Stored kept = known.getIfPresent(id);
        if (kept != null) {
            return Optional.of(kept);
        }
        Optional<KeyStore.Stored> found = store.find(id);
        found.ifPresent(stored -> known.put(id, stored));
        return found;
    }
}
