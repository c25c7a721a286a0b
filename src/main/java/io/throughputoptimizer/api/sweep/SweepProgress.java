package io.throughputoptimizer.api.sweep;

import io.swagger.v3.oas.annotations.media.Schema;

/// Progress of a sweep.
@Schema(name = "SweepProgress", description = "How far a sweep has come.")
public record SweepProgress(
        @Schema(description = "Cells in all.") int cells,

        @Schema(
                description =
                        "Cells that are known to be valid questions; none is searched before all are. With `on_invalid` `skip`"
                                + " all of them from the beginning: each is judged when it is searched.")
        int checked,

        @Schema(description = "Cells that have a row.") int done,

        @Schema(description = "Of these, those that something serves.")
        int answered,

        @Schema(description = "Of these, those that nothing serves within the limits.")
        int nothing,

        @Schema(description = "Of these, those that are no valid questions.")
        int invalid,

        @Schema(description = "Of these, those whose search failed.")
        int failed) {}
