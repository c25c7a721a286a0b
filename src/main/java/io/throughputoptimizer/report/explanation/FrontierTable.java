package io.throughputoptimizer.report.explanation;

import io.throughputoptimizer.api.result.FrontierResponse;
import io.throughputoptimizer.api.result.FrontierResponse.FrontierPointResponse;
import io.throughputoptimizer.report.table.Section;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The points of a phase that no other one beats; of many the first, the last and some evenly between.
final class FrontierTable {
    private static final int WIDTH = 108;
    private static final int MOST = 20;

    private FrontierTable() {}

    static Section of(String device, FrontierResponse frontier) {
        List<FrontierPointResponse> points = frontier.known();
        int shown = Math.min(points.size(), MOST);
        return new Section.Comparison(
                WIDTH,
                List.of("Frontier - " + device + ", " + frontier.phase() + " (" + meaning(frontier) + ")"),
                FrontierColumns.titled(points, place(points, shown).toList()),
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

    private static String meaning(FrontierResponse frontier) {
        return Boolean.TRUE.equals(frontier.byLimit())
                ? "what the limit on each latency costs beside the other"
                : "tokens/s that no other configuration beats at the same latencies";
    }

    /// Returns evenly spread points, up to the number shown.
    private static Stream<FrontierPointResponse> place(List<FrontierPointResponse> points, int shown) {
        return IntStream.range(0, shown)
                .map(index -> shown == 1 ? 0 : (int) ((long) index * (points.size() - 1) / (shown - 1)))
                .mapToObj(points::get);
    }
}
