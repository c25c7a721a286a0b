package io.throughputoptimizer.api.job;

import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// A shared link.
@Schema(name = "Share", description = "A link that shows one optimization to people without a key.")
public record ShareResponse(
        @Schema(description = "Finds it; no secret.", example = "0123456789abcdef")
        String id,

        @Schema(description = "When it was made.") Instant createdAt,

        @Schema(description = "From when on it shows nothing.")
        Instant expiresAt,

        @Schema(
                description = "What opens it, in the answer that makes it only: header `Share-Token` of"
                        + " `GET /api/v1/shared`.")
        @Nullable
        String token,

        @Schema(
                description =
                        "Where the dashboard shows it, below the address of this service; in the answer that makes it"
                                + " only.")
        @Nullable
        String path) {}
