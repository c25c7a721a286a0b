package io.throughputoptimizer.api.job;

import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;

/// Links of one job.
@Schema(name = "ShareList", description = "Links of an optimization that have not ended, oldest first.")
public record ShareListResponse(
        @Schema(description = "The links.") List<ShareResponse> shares) {}
