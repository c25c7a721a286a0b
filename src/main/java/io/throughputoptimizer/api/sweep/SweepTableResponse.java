package io.throughputoptimizer.api.sweep;

import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A figure of a sweep over two of its axes.
@Schema(name = "SweepTable", description = "A figure of a sweep over two of its axes.")
public record SweepTableResponse(
        @Schema(description = "Name of the figure.", example = "tokens_per_s")
        String value,

        @Schema(description = "Label of the axis that goes down.")
        String rowLabel,

        @Schema(description = "Label of the axis that goes to the right; the figure's name where there is none.")
        String columnLabel,

        @Schema(description = "Values of the axis that goes down.")
        List<String> rows,

        @Schema(description = "Values of the axis that goes to the right.")
        List<String> columns,

        @Schema(description = "A list for each value of the axis that goes down.")
        List<List<FieldResponse>> fields) {

    /// One field of the table.
    @Schema(name = "SweepField", description = "A field of the table.")
    public record FieldResponse(
            @Schema(description = "Number of the cell.", example = "17")
            int cell,

            @Schema(description = "A number or a text; absent where the cell has none, or none yet.") @Nullable
            Object value) {}
}
