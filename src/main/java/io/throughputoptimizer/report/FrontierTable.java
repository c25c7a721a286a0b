package io.throughputoptimizer.report;

import io.throughputoptimizer.api.result.FrontierResponse;
import io.throughputoptimizer.api.result.FrontierResponse.FrontierPointResponse;
import io.throughputoptimizer.api.result.PairedResponse;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The points of a phase that no other one beats; of many the first, the last and some evenly between.
final class FrontierTable {
    private static final int WIDTH = 108;
    private static final String BATCH = "Batch";
    private static final int MOST = 20;
    private static final int COST_DECIMALS = 4;
    private static final List<String> COLUMNS = List.of(
            "Throughput", "per device", "per user", "TTFT (ms)", "TPOT (ms)", "Parallel", BATCH, "Within limits");

    private FrontierTable() {}

    static Section of(String device, FrontierResponse frontier) {
        List<FrontierPointResponse> points = frontier.known();
        int shown = Math.min(points.size(), MOST);
        List<List<Cell>> rows = place(points, shown).map(FrontierTable::row).toList();
        return new Section.Comparison(
                WIDTH,
                List.of("Frontier - " + device + ", " + frontier.phase() + " (" + meaning(frontier) + ")"),
                table(points, rows, shown),
                notes(frontier, shown));
    }

    private static List<String> notes(FrontierResponse frontier, int shown) {
        int points = frontier.known().size();
        return Stream.<@Nullable String>of(
                        points > shown ? shown + " of " + points + " points; the JSON has all" : null,
                        frontier.untriedAbove() == null
                                ? null
                                : "Not every layout was tried above batch size " + frontier.untriedAbove()
                                        + ": that would simulate too many steps")
                .<String>mapMulti((note, notes) -> {
                    if (note != null) {
                        notes.accept(note);
                    }
                })
                .toList();
    }

    private static Table table(List<FrontierPointResponse> points, List<List<Cell>> rows, int shown) {
        boolean measured = points.stream().anyMatch(point -> point.pair() != null && point.concurrency() != null);
        Table table = new Table(
                COLUMNS.stream()
                        .map(column -> measured && column.equals(BATCH) ? "Concurrency" : column)
                        .toList(),
                rows);
        return points.stream().allMatch(point -> point.costPerMillionTokens() == null)
                ? table
                : table.with(
                        3,
                        "per million tokens",
                        place(points, shown)
                                .map(point -> cost(point.costPerMillionTokens()))
                                .toList());
    }

    private static String meaning(FrontierResponse frontier) {
        return Boolean.TRUE.equals(frontier.byLimit())
                ? "what the limit on each latency costs beside the other"
                : "tokens/s that no other configuration beats at the same latencies";
    }

    private static boolean hasBatches(@Nullable PairedResponse pair) {
        return pair != null && pair.prefillBatchSize() != null;
    }

    private static Cell cost(@Nullable Double cost) {
        return cost == null ? Cell.MISSING : new Cell.Figure(cost, COST_DECIMALS);
    }

    /// As many as are shown, evenly spread.
    private static Stream<FrontierPointResponse> place(List<FrontierPointResponse> points, int shown) {
        return IntStream.range(0, shown)
                .map(index -> shown == 1 ? 0 : (int) ((long) index * (points.size() - 1) / (shown - 1)))
                .mapToObj(points::get);
    }

    private static List<Cell> row(FrontierPointResponse point) {
        return List.of(
                Cell.figure(point.tokensPerS()),
                Cell.figure(point.tokensPerSPerDevice()),
                Cell.figure(point.tokensPerSPerUser()),
                Cell.figure(point.ttftMs()),
                Cell.figure(point.tpotMs()),
                new Cell.Text(point.label()),
                point.pair() == null || point.concurrency() == null ? batches(point) : Cell.count(point.concurrency()),
                new Cell.Text(point.withinSlo() ? "yes" : "no"));
    }

    /// The batch size, or those of both sides of a pair; missing where only all requests are known.
    static Cell batches(FrontierPointResponse point) {
        PairedResponse pair = point.pair();
        return pair == null || !hasBatches(pair)
                ? Cell.count(point.batchSize())
                : new Cell.Text(pair.prefillBatchSize() + " + " + pair.decodeBatchSize());
    }
}
