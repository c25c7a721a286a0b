package io.throughputoptimizer.web.frozen;

import java.util.List;
import java.util.stream.IntStream;

/// Searches of every kind, as random as those whose answers are frozen.
public final class DrawnSearches {
    private DrawnSearches() {}

    /// Requests as JSON, of both cost models and all modes.
    public static List<String> evenly(int count) {
        List<String> all = FrozenArea.all().stream()
                .filter(area -> !area.name().equals("refusals"))
                .flatMap(area -> area.questions().stream())
                .filter(Question::isSearch)
                .map(Question::body)
                .toList();
        return IntStream.range(0, count)
                .mapToObj(number -> all.get((int) ((long) number * all.size() / count)))
                .toList();
    }
}
