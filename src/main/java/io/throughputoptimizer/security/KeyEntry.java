package io.throughputoptimizer.security;

import io.throughputoptimizer.api.key.KeyResponse.KeyState;
import io.throughputoptimizer.api.key.Role;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Metadata of a key, without its secret.
///
/// @param id public id
/// @param name name of the holder; several keys can share it
/// @param expiresAt expiry; null if it does not expire
/// @param revokedAt revocation; null if it is not revoked
public record KeyEntry(
        String id,
        String name,
        Set<Role> roles,
        Instant createdAt,
        @Nullable Instant expiresAt,
        @Nullable Instant revokedAt) {

    public boolean isExpired(Instant now) {
        return expiresAt != null && !now.isBefore(expiresAt);
    }

    public KeyState state(Instant now) {
        if (revokedAt != null) {
            return KeyState.REVOKED;
        }
        return isExpired(now) ? KeyState.EXPIRED : KeyState.VALID;
    }
}
