package io.throughputoptimizer.security;

import io.throughputoptimizer.api.key.KeyState;
import io.throughputoptimizer.api.key.Role;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What is known of a key, without what would make it one.
///
/// @param id finds it
/// @param name of its holder; several keys may have it
/// @param expiresAt absent if it does not expire
/// @param revokedAt absent if it is not revoked
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
