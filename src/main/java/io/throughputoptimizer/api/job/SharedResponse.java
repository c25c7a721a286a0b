package io.throughputoptimizer.api.job;

import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

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
