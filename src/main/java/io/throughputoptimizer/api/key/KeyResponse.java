package io.throughputoptimizer.api.key;

import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// An API key, without its secret.
@Schema(name = "Key")
public record KeyResponse(
        String id,
        String name,
        List<Role> roles,
        KeyState state,
        Instant createdAt,
        @Nullable Instant expiresAt,
        @Nullable Instant revokedAt,
        @Nullable String key) {
    /// All keys.
    @Schema(name = "KeyList")
    public record KeyListResponse(
            List<KeyResponse> keys, @Nullable String nextCursor) {}

    /// The state of an API key; only valid keys give access.
    public enum KeyState {
        VALID,
        EXPIRED,
        REVOKED
    }
}
