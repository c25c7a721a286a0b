package io.throughputoptimizer.api.key;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// An API key, without its secret.
@Schema(name = "Key", description = "What is known of a key.")
public record KeyResponse(
        @Schema(description = "Finds it; no secret.", example = "0123456789abcdef")
        String id,

        @Schema(description = "Who holds it.", example = "ann")
        String name,

        @Schema(description = "What it allows.") List<Role> roles,
        @Schema(description = "Whether it opens anything.") KeyState state,

        @Schema(description = "When it was made.") Instant createdAt,

        @Schema(description = "Absent if it does not expire.") @Nullable
        Instant expiresAt,

        @Schema(description = "Absent if it is not revoked.") @Nullable
        Instant revokedAt,

        @Schema(description = "The key itself, in the answer that makes it only.") @Nullable
        String key) {
    /// All keys.
    @Schema(name = "KeyList", description = "All keys that were ever made, oldest first, without their secrets.")
    public record KeyListResponse(
            @Schema(description = "The keys.") List<KeyResponse> keys) {}

    /// The state of an API key; only valid keys give access.
    public enum KeyState {
        @JsonProperty("valid")
        VALID,
        @JsonProperty("expired")
        EXPIRED,
        @JsonProperty("revoked")
        REVOKED
    }
}
