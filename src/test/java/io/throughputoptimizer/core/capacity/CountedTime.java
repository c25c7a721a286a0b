package io.throughputoptimizer.core.capacity;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.TestReporter;

/// Groups of instances whose time was held against what they are counted for. Used by one thread.
final class CountedTime {
    private static final double TOLERANCE = 1e-6;

    /// By what was asked: questions, and groups.
    private final Map<String, int[]> counted = new TreeMap<>();

    private final List<String> broken = new ArrayList<>();

    void asked(String what) {
        counted.computeIfAbsent(what, _ -> new int[2])[0]++;
    }

    /// @param millis that a request takes of an instance
    /// @param open share that rounding leaves open
    void holds(String what, long seed, double requestsPerSecond, double millis, double instances, double open) {
        groups(what)[1]++;
        double needed = requestsPerSecond * millis / 1000;
        if (!(needed <= instances * (1 + TOLERANCE + open))) {
            broken.add("%s, seed %d: %s requests/s of %s ms take %s of %s instances"
                    .formatted(what, seed, requestsPerSecond, millis, needed, instances));
        }
    }

    private int[] groups(String what) {
        return counted.computeIfAbsent(what, _ -> new int[2]);
    }

    /// Deployments that need more time than there is.
    List<String> broken() {
        return broken;
    }

    List<String> asked() {
        return List.copyOf(counted.keySet());
    }

    int questions() {
        return counted.values().stream().mapToInt(counts -> counts[0]).sum();
    }

    /// Of the question that has fewest.
    int fewestGroups() {
        return counted.values().stream().mapToInt(counts -> counts[1]).min().orElse(0);
    }

    int groups() {
        return counted.values().stream().mapToInt(counts -> counts[1]).sum();
    }

    void report(TestReporter reporter) {
        counted.forEach((what, counts) ->
                reporter.publishEntry(what, counts[0] + " questions, " + counts[1] + " groups of instances"));
    }
}
