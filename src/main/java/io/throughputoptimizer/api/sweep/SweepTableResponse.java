package io.throughputoptimizer.api.sweep;

import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A figure of a sweep over two of its axes.
@Schema(name = "SweepTable", description = "A value of a sweep over two of its axes.")
public record SweepTableResponse(
        @Schema(description = "Name of the value.", example = "tokens_per_s")
        String value,

        @Schema(description = "Label of the row axis.") String rowLabel,

        @Schema(description = "Label of the column axis. Without one, the name of the value.")
        String columnLabel,

        @Schema(description = "Values of the row axis.") List<String> rows,

        @Schema(description = "Values of the column axis.") List<String> columns,

        @Schema(description = "Fields of the table, a list per value of the row axis.")
        List<List<FieldResponse>> fields) {

    /// One field of the table.
    @Schema(name = "SweepField", description = "A field of the table.")
    public record FieldResponse(
            @Schema(description = "Number of the cell.", example = "17")
            int cell,

            @Schema(description = "Number or string. Absent until the cell has one.") @Nullable
            Object value) {}
}
