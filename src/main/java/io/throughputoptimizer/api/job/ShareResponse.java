package io.throughputoptimizer.api.job;

import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A shared link.
@Schema(name = "Share", description = "A link that shows one optimization to people without an API key.")
public record ShareResponse(
        @Schema(description = "Identifier of the link, not secret.", example = "0123456789abcdef")
        String id,

        @Schema(description = "Time of creation.") Instant createdAt,

        @Schema(description = "Time of expiry.") Instant expiresAt,

        @Schema(
                description = "Secret token of the link, for the header `Share-Token`. Present only in the"
                        + " response that creates the link.")
        @Nullable
        String token,

        @Schema(
                description = "Path of the view in the dashboard, below the address of this service. Present only in"
                        + " the response that creates the link.")
        @Nullable
        String path) {
    /// Links of one job.
    @Schema(name = "ShareList", description = "Active links of an optimization, oldest first.")
    public record ShareListResponse(
            @Schema(description = "The links of this page.") List<ShareResponse> shares,

            @Schema(description = "`cursor` of the next page; absent on the last one.") @Nullable
            String nextCursor) {}

    /// The optimization that a shared link shows.
    @Schema(name = "Shared", description = "Contents of a share link.")
    public record SharedResponse(
            @Schema(description = "From when on it shows nothing.")
            Instant expiresAt,

            @Schema(description = "Version of the service. Absent if unknown.", example = "1.0.0") @Nullable
            String version,

            @Schema(description = "The optimization with its result.")
            JobResponse optimization) {}
}
