package io.throughputoptimizer.api.job;

import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
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
        String path) {
    /// Links of one job.
    @Schema(name = "ShareList", description = "Links of an optimization that have not ended, oldest first.")
    public record ShareListResponse(
            @Schema(description = "The links.") List<ShareResponse> shares) {}

    /// The optimization that a shared link shows.
    @Schema(name = "Shared", description = "What a link shows.")
    public record SharedResponse(
            @Schema(description = "From when on it shows nothing.")
            Instant expiresAt,

            @Schema(
                    description = "Version of the service that shows it; absent of one that does not know.",
                    example = "1.0.0")
            @Nullable
            String version,

            @Schema(description = "The optimization with its result.")
            JobResponse optimization) {}
}
