package io.throughputoptimizer.api.sweep;

import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A figure of a sweep over two of its axes.
@Schema(name = "SweepTable")
public record SweepTableResponse(
        String value,
        String rowLabel,
        String columnLabel,
        List<String> rows,
        List<String> columns,
        List<List<FieldResponse>> fields) {

    /// One field of the table.
    @Schema(name = "SweepField")
    public record FieldResponse(int cell, @Nullable Object value) {}
}
