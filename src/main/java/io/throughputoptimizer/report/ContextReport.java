package io.throughputoptimizer.report;

import io.throughputoptimizer.api.result.ContextsResponse;
import io.throughputoptimizer.api.result.ContextsResponse.LayoutResponse;
import io.throughputoptimizer.report.table.Cell;
import io.throughputoptimizer.report.table.Report;
import io.throughputoptimizer.report.table.Section;
import io.throughputoptimizer.report.table.Table;
import java.util.ArrayList;
import java.util.List;

/// Longest requests by layout, one line each.
final class ContextReport {
    private static final int WIDTH = 80;

    private ContextReport() {}

    static Report of(ContextsResponse contexts) {
        return new Report(List.of(section(contexts)), records(contexts));
    }

    private static Section section(ContextsResponse contexts) {
        List<String> notes = new ArrayList<>(List.of(
                "The tokens of a request are its prompt and its whole response.", "Figures are of one instance."));
        contexts.layouts().stream()
                .filter(layout -> layout.obstacle() != null)
                .map(layout -> layout.parallel().label() + ": " + layout.obstacle())
                .distinct()
                .forEach(notes::add);
        if (contexts.omittedLayouts() != null) {
            notes.add("Layouts left out: " + contexts.omittedLayouts());
        }
        return new Section.Comparison(
                WIDTH,
                List.of(
                        "Longest requests, of " + contexts.concurrency() + " at once",
                        "Most requests at once, of " + contexts.contextTokens() + " tokens each",
                        "The model is made for requests of " + contexts.modelContextTokens() + " tokens"),
                new Table(
                        List.of("Device", "Phase", "Layout", "Longest request", "By memory alone", "Most requests"),
                        contexts.layouts().stream()
                                .filter(layout -> layout.obstacle() == null)
                                .map(layout -> List.<Cell>of(
                                        new Cell.Text(layout.device()),
                                        new Cell.Text(layout.phase().wireName()),
                                        new Cell.Text(layout.parallel().label()),
                                        Cell.count(layout.longestContextTokens()),
                                        Cell.count(layout.memoryContextTokens()),
                                        Cell.count(layout.mostRequests())))
                                .toList()),
                notes);
    }

    private static Table records(ContextsResponse contexts) {
        return new Table(
                List.of(
                        "device",
                        "phase",
                        "num_devices",
                        "parallel",
                        "concurrency",
                        "longest_context_tokens",
                        "memory_context_tokens",
                        "context_tokens",
                        "most_requests",
                        "obstacle"),
                contexts.layouts().stream()
                        .map(layout -> record(contexts, layout))
                        .toList());
    }

    private static List<Cell> record(ContextsResponse contexts, LayoutResponse layout) {
        return List.of(
                new Cell.Text(layout.device()),
                new Cell.Text(layout.phase().wireName()),
                new Cell.Count(layout.numDevices()),
                new Cell.Text(layout.parallel().label()),
                new Cell.Count(contexts.concurrency()),
                Cell.count(layout.longestContextTokens()),
                Cell.count(layout.memoryContextTokens()),
                new Cell.Count(contexts.contextTokens()),
                Cell.count(layout.mostRequests()),
                Cell.text(layout.obstacle()));
    }
}
