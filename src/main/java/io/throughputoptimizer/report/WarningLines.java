package io.throughputoptimizer.report;

import static java.util.Objects.requireNonNullElse;

import io.throughputoptimizer.api.result.RowResponse;
import io.throughputoptimizer.report.table.Column;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Warnings about single rows, below their table and in a column.
final class WarningLines {
    static final String BETWEEN = "; ";

    private WarningLines() {}

    /// Warnings, and the place of their row in the table.
    record Placed(@Nullable Integer rank, @Nullable List<String> warnings) {
        static Placed of(RowResponse row) {
            return new Placed(row.rank(), row.told());
        }
    }

    /// A line for each warning, with the places of all rows that have it.
    static Stream<String> of(Stream<Placed> rows) {
        Map<String, List<String>> places = new LinkedHashMap<>();
        rows.forEach(row -> known(row.warnings)
                .forEach(warning ->
                        places.computeIfAbsent(warning, _ -> new ArrayList<>()).add(String.valueOf(row.rank))));
        return places.entrySet().stream()
                .map(line -> "Top "
                        + String.join(", ", line.getValue().stream().distinct().toList()) + ": " + line.getKey() + ".");
    }

    /// The column, where there are any.
    static <R> Column<R> column(Function<R, @Nullable List<String>> warnings) {
        return Column.<R>text("warnings", "Warnings", row -> {
                    List<String> known = warnings.apply(row);
                    return known == null ? null : String.join(BETWEEN, known);
                })
                .optional();
    }

    private static List<String> known(@Nullable List<String> warnings) {
        return requireNonNullElse(warnings, List.of());
    }
}
