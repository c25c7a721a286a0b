package io.throughputoptimizer.report;

import io.throughputoptimizer.api.result.PhaseResponse;
import io.throughputoptimizer.api.result.RowResponse;
import io.throughputoptimizer.api.result.figure.MemoryResponse;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Says which rows rest on a memory figure that needs care.
final class MemoryWarnings {
    private static final String ADJUSTED =
            ": memory was short and the lengths differ, so that only a tenth of the activation memory is counted, as in"
                    + " the reference.";
    private static final String INEXACT = ": the activation memory is not proved equal to that of the reference.";

    private MemoryWarnings() {}

    /// By the places of the rows in their table.
    static List<String> ofPlaces(List<RowResponse> rows) {
        return of(rows.stream().map(row -> new Placed(row.rank(), row.memory())).toList())
                .toList();
    }

    /// A memory figure, and the place of its row in the table.
    record Placed(@Nullable Integer rank, MemoryResponse memory) {}

    /// By the places of the rows in their table, of which each has several figures.
    static Stream<String> of(List<Placed> figures) {
        return Stream.of(
                        joined(figures, MemoryResponse::isAdjusted).map(places -> "Top " + places + ADJUSTED),
                        joined(figures, memory -> !memory.isExact()).map(places -> "Top " + places + INEXACT))
                .flatMap(warning -> warning);
    }

    private static Stream<String> joined(List<Placed> figures, Predicate<MemoryResponse> flag) {
        String places = figures.stream()
                .filter(placed -> flag.test(placed.memory))
                .map(placed -> String.valueOf(placed.rank))
                .distinct()
                .collect(Collectors.joining(", "));
        return places.isEmpty() ? Stream.empty() : Stream.of(places);
    }

    /// By phase, where the rows themselves are not shown.
    static List<String> ofPhases(List<PhaseResponse> phases) {
        return phases.stream()
                .flatMap(phase -> {
                    String name = phase.phase().wireName();
                    return Stream.of(
                                    places(phase.rows(), MemoryResponse::isAdjusted)
                                            .map(_ -> name + ADJUSTED),
                                    places(phase.rows(), memory -> !memory.isExact())
                                            .map(_ -> name + INEXACT))
                            .flatMap(warning -> warning);
                })
                .toList();
    }

    /// Places of the rows of which something is true, as a list; empty when there is none.
    private static Stream<String> places(List<RowResponse> rows, Predicate<MemoryResponse> flag) {
        return joined(
                rows.stream().map(row -> new Placed(row.rank(), row.memory())).toList(), flag);
    }
}
