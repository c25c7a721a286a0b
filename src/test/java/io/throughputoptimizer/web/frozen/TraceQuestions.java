package io.throughputoptimizer.web.frozen;

import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// Lengths of requests, to be binned.
final class TraceQuestions {
    private static final String CSV = "text/csv";
    private static final String LINES = "application/x-ndjson";

    private final Draw draw;

    TraceQuestions(long seed) {
        this.draw = new Draw(seed);
    }

    Question next() {
        String query = draw.pick("", "?bins=4", "?bins=16&binning=width", "?binning=weight&bins=1", "?bins=64");
        int requests = draw.pick(1, 5, 60, 300);
        return switch (draw.below(3)) {
            case 0 -> Question.trace(query, CSV, lines(requests, "%d,%d"));
            case 1 -> Question.trace(query, CSV, "at,input_tokens,output_tokens\n" + lines(requests, "1,%d,%d"));
            default -> Question.trace(query, LINES, lines(requests, "{\"input_tokens\": %d, \"output_tokens\": %d}"));
        };
    }

    private String lines(int requests, String format) {
        return IntStream.range(0, requests)
                .mapToObj(_ -> String.format(
                        Locale.ROOT, format + "\n", 1 + draw.below(draw.pick(300, 9000)), 1 + draw.below(700)))
                .collect(Collectors.joining());
    }
}
