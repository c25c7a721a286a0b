package io.throughputoptimizer.core.capacity;

import io.throughputoptimizer.core.capacity.CapacityResult.InstanceRejection;
import io.throughputoptimizer.core.capacity.CapacityResult.InstanceRejection.NearestCandidate;
import io.throughputoptimizer.core.search.BindingLimit;
import io.throughputoptimizer.core.search.EndToEndLatencyLimit;
import io.throughputoptimizer.core.serving.LimitBreach;
import io.throughputoptimizer.core.workload.Phase;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Prefill and decode instances under a shared end-to-end latency limit. Excludes instances for which no
/// instance of the other phase, of any size, is fast enough. Each remaining instance can be in the deployment
/// with the fewest devices.
///
/// @param answers the shared limit; null if there is none, and then all instances stay
/// @param found non-dominated peaks of each candidate
record AnswerPeaks(@Nullable EndToEndLatencyLimit answers, List<Peak> found) {

    /// Returns the points of one candidate that are not dominated in capacity and latency, by ascending
    /// latency.
    static List<Peak> unbeaten(List<Peak> ofCandidate, Requirement requirement) {
        List<Peak> unbeaten = new ArrayList<>();
        double least = Double.POSITIVE_INFINITY;
        for (Peak peak : ofCandidate.stream()
                .sorted(Comparator.comparing((Peak one) -> one.ability(requirement), Comparator.reverseOrder())
                        .thenComparingDouble(Peak::latencyMillis)
                        .thenComparingLong(one -> one.row().batchSize()))
                .toList()) {
            if (peak.latencyMillis() < least) {
                unbeaten.add(peak);
                least = peak.latencyMillis();
            }
        }
        return unbeaten.reversed();
    }

    /// Returns copies with their bottleneck. Every point except the last is bound by the end-to-end latency
    /// limit: otherwise a deployment would use the next point.
    static List<Peak> bound(List<Peak> unbeaten) {
        return IntStream.range(0, unbeaten.size())
                .mapToObj(index -> index == unbeaten.size() - 1
                        ? unbeaten.get(index)
                        : unbeaten.get(index).boundBy(BindingLimit.E2E_LATENCY))
                .toList();
    }

    List<Peak> kept() {
        Map<Peak.Side, Peak> fastest = fastest();
        return found.stream().filter(peak -> breach(peak, fastest).isEmpty()).toList();
    }

    /// Returns the rejections of sizes without any remaining instance, each with its nearest candidate.
    List<InstanceRejection> rejections() {
        Map<Peak.Side, Peak> fastest = fastest();
        Set<List<Object>> kept = new HashSet<>();
        kept().forEach(peak -> kept.add(instance(peak)));
        return found.stream()
                .filter(peak -> !kept.contains(instance(peak)))
                .collect(Collectors.groupingBy(
                        AnswerPeaks::instance,
                        Collectors.minBy(Comparator.comparingDouble(
                                peak -> breach(peak, fastest).orElseThrow().millis()))))
                .values()
                .stream()
                .flatMap(Optional::stream)
                .map(peak -> new InstanceRejection(
                        peak.device().name(),
                        peak.phase(),
                        peak.size(),
                        new NearestCandidate(peak.candidate()),
                        BindingLimit.E2E_LATENCY,
                        breach(peak, fastest).orElseThrow().description()
                                + EndToEndLatencyLimit.besideFastest(
                                        peak.phase(),
                                        Objects.requireNonNull(partner(peak, fastest))
                                                .latencyMillis())))
                .toList();
    }

    private static List<Object> instance(Peak peak) {
        return List.of(peak.device().name(), peak.phase(), peak.size());
    }

    /// Returns the lowest-latency peak per device, phase and kind of KV transfer.
    private Map<Peak.Side, Peak> fastest() {
        return found.stream()
                .collect(Collectors.toMap(
                        Peak::side,
                        peak -> peak,
                        (one, other) -> one.latencyMillis() <= other.latencyMillis() ? one : other));
    }

    private static @Nullable Peak partner(Peak peak, Map<Peak.Side, Peak> fastest) {
        return switch (peak.phase()) {
            case PREFILL -> fastest.get(peak.side().with(Phase.DECODE));
            case DECODE -> fastest.get(peak.side().with(Phase.PREFILL));
            case AGGREGATION -> null;
        };
    }

    /// Returns the violation of the limit next to the fastest partner; empty if there is none or no partner.
    private Optional<LimitBreach.RequestLatencyExceeded> breach(Peak peak, Map<Peak.Side, Peak> fastest) {
        Peak partner = partner(peak, fastest);
        if (answers == null || partner == null) {
            return Optional.empty();
        }
        double millis = peak.phase() == Phase.PREFILL
                ? answers.millis(peak.latencyMillis(), partner.candidate(), partner.latencyMillis())
                : answers.millis(partner.latencyMillis(), peak.candidate(), peak.latencyMillis());
        return millis <= answers.limitMillis()
                ? Optional.empty()
                : Optional.of(new LimitBreach.RequestLatencyExceeded(millis, answers.limitMillis()));
    }
}
