package io.throughputoptimizer.api.metrics;

import io.throughputoptimizer.api.WireFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Metric names of one kind of server, an entry of `metrics/sources.yaml`.
///
/// @param prefixes prefixes of its metrics; the first that has a name counts
/// @param model label of the model; null if there is none
/// @param rank label of an attention data parallel rank; null if there is none
/// @param reason label that tells aborted requests among finished ones; null if there is none
/// @param names names without prefix by figure; the first that is present counts
record MetricSource(
        String name,
        List<String> prefixes,
        @Nullable String model,
        @Nullable String rank,
        @Nullable String reason,
        Map<String, List<String>> names) {
    /// Name of the gauge with the start of a process, in Unix seconds.
    static final String START = "process_start_time_seconds";

    private static final Set<String> WITH_MODEL =
            Set.of("input", "output", "ttft", "e2e", "running", "finished", "kv_tokens", "usage");
    private static final Sources SOURCES = WireFormat.bundled("/metrics/sources.yaml", Sources.class);

    private record Sources(List<MetricSource> sources, Map<String, String> refused) {}

    /// Returns all sources in the order in which one is chosen.
    static List<MetricSource> all() {
        return SOURCES.sources;
    }

    /// Returns the source of a metric, or null.
    static @Nullable MetricSource of(String metric) {
        for (MetricSource source : SOURCES.sources) {
            for (String prefix : source.prefixes) {
                if (metric.startsWith(prefix)) {
                    return source;
                }
            }
        }
        return null;
    }

    /// Returns true if samples of a metric are kept.
    static boolean isKept(String metric) {
        return metric.equals(START) || of(metric) != null;
    }

    /// Returns the reason why a metric of no source is useless, or null.
    static @Nullable String refusal(String metric) {
        return SOURCES.refused.entrySet().stream()
                .filter(refused -> metric.startsWith(refused.getKey()))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse(null);
    }

    /// Returns true if the models of a metric's samples are those that the server serves.
    boolean hasModel(String metric) {
        String base = prefixes.stream()
                .filter(metric::startsWith)
                .findFirst()
                .map(prefix -> metric.substring(prefix.length()))
                .orElse("")
                .replaceFirst("_(bucket|sum|count)$", "");
        return WITH_MODEL.stream().anyMatch(figure -> names(figure).contains(base));
    }

    List<String> names(String figure) {
        return names.getOrDefault(figure, List.of());
    }
}
