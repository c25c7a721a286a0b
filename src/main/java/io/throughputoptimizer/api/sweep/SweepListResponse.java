package io.throughputoptimizer.api.sweep;

import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A page of sweeps.
@Schema(name = "SweepList", description = "A page of sweeps, newest first, without their axes.")
public record SweepListResponse(
        @Schema(description = "The sweeps of this page.") List<SweepResponse> sweeps,

        @Schema(description = "`cursor` of the next page; absent on the last one.") @Nullable
        String nextCursor) {}
