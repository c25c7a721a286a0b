package io.throughputoptimizer.api.benchmark;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonCreator;
import io.throughputoptimizer.api.benchmark.ResultPath.Names;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The mapping of one tool's result files to measurements, a file of `benchmarks/`.
///
/// @param detect alternatives, each a list of paths that a JSON document has, or lacks if `!` is in front
/// @param table layout of the tool's CSV files
/// @param runs path to the list of runs; absent if a document is one run
/// @param sendsAtOnce true if the tool sends all requests at once unless it has a rate or a concurrency
/// @param refuse remedy if the tool has files of this shape that are no measurements
/// @param reject values that no measurement can have, by the reason
/// @param warn values that a measurement should not have, by the note
/// @param same values that all parts of a document share, by their name for people
/// @param required fields that every run has
/// @param fields candidates for each field; the first that is present counts
record ResultFormat(
        String tool,
        List<List<String>> detect,
        @Nullable Table table,
        @Nullable String runs,
        @Nullable Boolean sendsAtOnce,
        @Nullable String refuse,
        Map<String, List<Check>> reject,
        Map<String, List<Check>> warn,
        Map<String, List<Quantity>> same,
        List<String> required,
        Map<String, List<Quantity>> fields) {
    private static final Set<String> FIELDS = Set.of(("model version device tp dp ep replicas requests total_requests"
                    + " failed incomplete input_tokens total_input_tokens output_tokens total_output_tokens concurrency"
                    + " mean_concurrency offered_rate request_rate duration_s latency_ms ttft_ms tpot_ms tokens_per_s")
            .split(" ", -1));

    ResultFormat {
        detect = requireNonNullElse(detect, List.of());
        reject = requireNonNullElse(reject, Map.of());
        warn = requireNonNullElse(warn, Map.of());
        fields = requireNonNullElse(fields, Map.of());
        same = requireNonNullElse(same, Map.of());
        required = requireNonNullElse(required, List.of());
        if (!FIELDS.containsAll(fields.keySet()) || !FIELDS.containsAll(required)) {
            throw new IllegalArgumentException(tool + " has a field that is none of " + FIELDS);
        }
    }

    /// A layout of CSV files.
    ///
    /// @param marker value of the first line of every file
    /// @param headers header lines above one line for each run; 0 if the file is one run with a metric in each line
    /// @param end first value of the line that ends the metrics
    record Table(String marker, int headers, @Nullable String end) {}

    /// A value with a bound; a value that is no number is beyond it.
    ///
    /// @param above most that is allowed, a share of `of` if that is given
    /// @param of path to another value
    record Check(String path, double above, @Nullable String of) {
        @JsonCreator(mode = JsonCreator.Mode.PROPERTIES)
        Check {}

        @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
        static Check of(String path) {
            return new Check(path, 0, null);
        }

        private Stream<String> paths() {
            return Stream.of(path, of).filter(Objects::nonNull);
        }
    }

    /// A candidate for a field.
    ///
    /// @param unit unit of a time: ms, s, us or ns; ms if absent
    /// @param unitAt path to the unit of a time
    /// @param when path that must exist, or must not if `!` is in front
    /// @param value number that stands for the value at the path
    /// @param sum path below each value at `path`; its numbers are added, 1 where there is none
    record Quantity(
            String path,
            @Nullable String unit,
            @Nullable String unitAt,
            @Nullable String when,
            @Nullable Double value,
            @Nullable String sum) {
        @JsonCreator(mode = JsonCreator.Mode.PROPERTIES)
        Quantity {}

        @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
        static Quantity of(String path) {
            return new Quantity(path, null, null, null, null, null);
        }

        private Stream<String> paths() {
            return Stream.of(path, unitAt, when, sum == null ? null : path + "/" + sum)
                    .filter(Objects::nonNull);
        }
    }

    List<Quantity> candidates(String field) {
        return fields.getOrDefault(field, List.of());
    }

    /// Adds the names of all paths of this mapping.
    void addTo(Names names) {
        Names run = runs == null ? names : names.add(ResultPath.of(runs + "/*"));
        Stream.of(
                        detect.stream()
                                .flatMap(List::stream)
                                .map(path -> path.startsWith("!") ? "!/" + path.substring(1) : "/" + path),
                        Stream.of(reject.values(), warn.values())
                                .flatMap(Collection::stream)
                                .flatMap(List::stream)
                                .flatMap(Check::paths),
                        Stream.of(same.values(), fields.values())
                                .flatMap(Collection::stream)
                                .flatMap(List::stream)
                                .flatMap(Quantity::paths))
                .flatMap(paths -> paths.map(path -> ResultPath.of(path.replace("!", ""))))
                .forEach(path -> (path.isAbsolute() ? names : run).add(path));
    }
}
