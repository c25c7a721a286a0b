package io.throughputoptimizer.api.job;

import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A shared link.
@Schema(name = "Share")
public record ShareResponse(
        String id,
        Instant createdAt,
        Instant expiresAt,
        @Nullable String token,
        @Nullable String path) {
    /// Links of one job.
    @Schema(name = "ShareList")
    public record ShareListResponse(
            List<ShareResponse> shares, @Nullable String nextCursor) {}

    /// The optimization that a shared link shows.
    @Schema(name = "Shared")
    public record SharedResponse(
            Instant expiresAt, @Nullable String version, JobResponse optimization) {}
}
