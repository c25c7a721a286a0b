package io.throughputoptimizer.api.job;

import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A page of jobs.
@Schema(name = "JobList", description = "A page of jobs, newest first, without their results.")
public record JobListResponse(
        @Schema(description = "The jobs of this page.") List<JobResponse> optimizations,

        @Schema(description = "`cursor` of the next page; absent on the last one.") @Nullable
        String nextCursor) {}
