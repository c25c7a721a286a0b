package io.throughputoptimizer.api.sweep;

import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A page of the rows of a sweep.
@Schema(name = "SweepPage", description = "A page of the rows of a sweep, in the order of its cells.")
public record SweepPageResponse(
        @Schema(description = "Rows of this page, as far as there are any yet.")
        List<SweepCellResponse> cells,

        @Schema(description = "`from` of the next page; absent on the last one.") @Nullable
        Integer nextFrom) {}
