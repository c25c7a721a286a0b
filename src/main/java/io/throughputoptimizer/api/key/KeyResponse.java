package io.throughputoptimizer.api.key;

import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// An API key, without its secret.
@Schema(name = "Key", description = "An API key, without its secret.")
public record KeyResponse(
        @Schema(description = "Identifier of the key, not secret.", example = "0123456789abcdef")
        String id,

        @Schema(description = "Name of the holder.", example = "ann")
        String name,

        @Schema(description = "Roles of the key.") List<Role> roles,
        @Schema(description = "State of the key.") KeyState state,

        @Schema(description = "Time of creation.") Instant createdAt,

        @Schema(description = "Time of expiry. Absent if the key does not expire.") @Nullable
        Instant expiresAt,

        @Schema(description = "Time of revocation. Absent unless revoked.") @Nullable
        Instant revokedAt,

        @Schema(description = "Secret of the key. Present only in the response that creates it.") @Nullable
        String key) {
    /// All keys.
    @Schema(name = "KeyList", description = "All keys ever created, oldest first, without their secrets.")
    public record KeyListResponse(
            @Schema(description = "The keys of this page.") List<KeyResponse> keys,

            @Schema(description = "`cursor` of the next page; absent on the last one.") @Nullable
            String nextCursor) {}

    /// The state of an API key; only valid keys give access.
    public enum KeyState {
        VALID,
        EXPIRED,
        REVOKED
    }
}
