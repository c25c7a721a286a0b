package io.throughputoptimizer.web.frozen;

import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Another look at an answer.
///
/// @param name what a difference is told by
/// @param path below the job; absent where the same request asks for another format
/// @param format media type
record View(String name, @Nullable String path, String format) {
    private static final String JSON = "application/json";
    private static final String TEXT = "text/plain";
    private static final String CSV = "text/csv";

    /// What a caller sees who does not ask for what was tried.
    private static final View BRIEF = new View("brief", "", JSON);

    static final List<View> REPORTS = List.of(
            new View("text", "/result", TEXT),
            new View("values", "/result", CSV),
            new View("series", "/curves", JSON),
            new View("plot", "/curves", TEXT));

    /// What starts the first row.
    private static final List<View> LAUNCH = Stream.concat(
                    Stream.of(new View("launch/engines", "/launch/engines", JSON)),
                    Stream.of("vllm", "vllm-ascend", "sglang", "trtllm", "mindie")
                            .map(engine ->
                                    new View("launch/" + engine, "/launch?benchmark=true&engine=" + engine, JSON)))
            .toList();

    static final List<View> SEARCHED =
            Stream.of(REPORTS, List.of(BRIEF), LAUNCH).flatMap(List::stream).toList();

    static final List<View> EXPLAINED = Stream.concat(
                    SEARCHED.stream(),
                    Stream.of("bottlenecks", "sensitivities", "nearest_feasible", "pareto_frontier")
                            .map(table -> new View(table, "/result?table=" + table, CSV)))
            .toList();

    /// Of what is answered at once.
    static final List<View> AT_ONCE = List.of(new View("text", null, TEXT), new View("values", null, CSV));
}
