package io.throughputoptimizer.core.capacity;

import io.throughputoptimizer.core.capacity.CapacityProblem.Kind;
import io.throughputoptimizer.core.search.EndToEndLatencyLimit;
import io.throughputoptimizer.core.search.Objective;
import io.throughputoptimizer.core.search.space.Candidate;
import io.throughputoptimizer.core.workload.Phase;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Prefill and decode instances under a shared end-to-end latency limit, `ttft + transfer + (output - 1) tpot`.
/// The share of one phase reduces that of the other, so peaks of the phases cannot be combined independently.
///
/// A decode instance at some batch size leaves a TTFT budget for prefill. The best prefill instance within the
/// budget is the one with the highest rate, whatever the demand; so per size only prefill instances that are
/// non-dominated in rate and TTFT matter. Each non-dominated decode batch size can be best; among those that
/// need the same number of instances, the one with the lowest latency leaves prefill the most. The fewest
/// devices over all pairs of candidates and batch sizes therefore result from one walk over the decode instance
/// counts of each candidate, up to the count whose devices alone equal the fewest known.
///
/// Among deployments of equal device count, the one with the highest capacity wins, and so the largest batch
/// sizes.
final class AnswerPairs implements PlanLaw {
    private final EndToEndLatencyLimit answers;
    private final Objective objective;
    private final DemandOperatingPoints loads;
    private final List<Peak> all;
    /// Prefill peaks by size and transfer side, in ascending order of latency and rate.
    private final Map<Integer, Map<Peak.Side, List<Peak>>> feeding;
    /// Decode peaks of each candidate by size, in ascending order of latency and rate.
    private final Map<Integer, Collection<List<Peak>>> fed;

    /// @param prefill non-dominated prefill peaks of each candidate
    /// @param decode non-dominated decode peaks of each candidate
    /// @param asked requirement that sets the unit of all requirements
    AnswerPairs(
            List<Peak> prefill,
            List<Peak> decode,
            EndToEndLatencyLimit answers,
            Requirement asked,
            Objective objective,
            DemandOperatingPoints loads) {
        this.answers = answers;
        this.objective = objective;
        this.loads = loads;
        this.all = decode;
        this.feeding = bySize(prefill, ofSize -> envelopes(ofSize, asked));
        this.fed = bySize(decode, AnswerPairs::byCandidate);
    }

    private static <T> Map<Integer, T> bySize(List<Peak> peaks, Function<List<Peak>, T> part) {
        Map<Integer, T> sizes = new TreeMap<>();
        peaks.stream()
                .collect(Collectors.groupingBy(Peak::size))
                .forEach((size, ofSize) -> sizes.put(size, part.apply(ofSize)));
        return sizes;
    }

    private static Map<Peak.Side, List<Peak>> envelopes(Collection<Peak> peaks, Requirement requirement) {
        Map<Peak.Side, List<Peak>> envelopes = new LinkedHashMap<>();
        peaks.stream()
                .collect(Collectors.groupingBy(Peak::side, LinkedHashMap::new, Collectors.toList()))
                .forEach((side, alike) -> envelopes.put(side, AnswerPeaks.unbeaten(alike, requirement)));
        return envelopes;
    }

    private static Collection<List<Peak>> byCandidate(List<Peak> peaks) {
        return peaks.stream()
                .collect(Collectors.groupingBy(
                        peak -> peak.candidate().label(), LinkedHashMap::new, Collectors.toList()))
                .values();
    }

    /// A prefill instance paired with a decode instance.
    private record Pair(Peak prefill, Peak decode, long devices, Ratio most) {}

    /// Batch sizes of a decode candidate for which the demand needs the same number of instances.
    private record Alike(List<Peak> peaks, long count) {
        private long devices() {
            return count * peaks.getFirst().size();
        }
    }

    @Override
    public Kind kind() {
        return Kind.DISAGGREGATED;
    }

    @Override
    public Stream<DemandPlan> best(Requirement requirement) {
        return feeding.entrySet().stream()
                .flatMap(one -> fed.values().stream()
                        .flatMap(other -> best(requirement, one.getValue(), one.getKey(), other).stream()));
    }

    private Optional<CapacityPlan> best(
            Requirement requirement,
            Map<Peak.Side, List<Peak>> prefill,
            int prefillSize,
            Collection<List<Peak>> decode) {
        Planner planner = new Planner(requirement, objective, loads);
        long fewest = fewest(planner, prefill, prefillSize, decode, Long.MAX_VALUE);
        if (fewest == Long.MAX_VALUE) {
            return Optional.empty();
        }
        return decode.stream()
                .flatMap(candidate -> alike(planner, candidate, fewest - prefillSize).stream())
                .flatMap(alike -> alike.peaks.stream()
                        .flatMap(one -> pair(planner, prefill, one).stream())
                        .filter(pair -> pair.devices == fewest)
                        .reduce((best, next) -> next.most.compareTo(best.most) >= 0 ? next : best)
                        .stream())
                .map(pair -> planner.apart(pair.prefill, pair.decode))
                .min(DemandPlan.betterFirst(objective));
    }

    @Override
    public OptionalLong devices(Requirement requirement) {
        Planner planner = new Planner(requirement, objective, loads);
        long fewest = Long.MAX_VALUE;
        for (Map.Entry<Integer, Map<Peak.Side, List<Peak>>> prefill : feeding.entrySet()) {
            for (Collection<List<Peak>> decode : fed.values()) {
                fewest = fewest(planner, prefill.getValue(), prefill.getKey(), decode, fewest);
            }
        }
        return fewest == Long.MAX_VALUE ? OptionalLong.empty() : OptionalLong.of(fewest);
    }

    /// Returns the fewest devices of a pair of sizes if below `known`, else `known`.
    private long fewest(
            Planner planner,
            Map<Peak.Side, List<Peak>> prefill,
            int prefillSize,
            Collection<List<Peak>> decode,
            long known) {
        long fewest = known;
        for (List<Peak> candidate : decode) {
            for (Alike alike : alike(planner, candidate, fewest - prefillSize)) {
                fewest = Math.min(
                        fewest,
                        pair(planner, prefill, alike.peaks.getFirst())
                                .map(Pair::devices)
                                .orElse(Long.MAX_VALUE));
            }
        }
        return fewest;
    }

    /// Groups the batch sizes of a candidate by the instance count that the demand needs, fewest instances
    /// first.
    ///
    /// @param most maximum number of devices of these instances
    private List<Alike> alike(Planner planner, List<Peak> candidate, long most) {
        loads.failWhenCancelled();
        List<Alike> found = new ArrayList<>();
        int end = candidate.size();
        while (end > 0) {
            long count = planner.count(candidate.get(end - 1));
            int first =
                    (int) InstancePairs.least(0, end - 1L, index -> planner.count(candidate.get((int) index)) <= count);
            Alike alike = new Alike(candidate.subList(first, end), count);
            if (alike.devices() > most) {
                break;
            }
            found.add(alike);
            end = first;
        }
        return found;
    }

    /// Pairs a decode instance with the highest-rate prefill instance that is fast enough; empty if there is
    /// none.
    private Optional<Pair> pair(Planner planner, Map<Peak.Side, List<Peak>> prefill, Peak decode) {
        return Optional.ofNullable(beside(prefill, decode)).map(feeds -> {
            Planner.Counted counted = planner.counted(feeds, decode);
            return new Pair(feeds, decode, counted.devices(), counted.most());
        });
    }

    private @Nullable Peak beside(Map<Peak.Side, List<Peak>> prefill, Peak decode) {
        List<Peak> feeds = prefill.getOrDefault(decode.side().with(Phase.PREFILL), List.of());
        Candidate to = decode.candidate();
        double tpot = decode.latencyMillis();
        int fast = (int) InstancePairs.least(
                0,
                feeds.size(),
                index -> answers.millis(feeds.get((int) index).latencyMillis(), to, tpot) > answers.limitMillis());
        return fast == 0 ? null : feeds.get(fast - 1);
    }

    @Override
    public Optional<Requirement> reach(Requirement requirement, long budget) {
        return requirement.isConcurrency()
                ? InstancePairs.held(this, all, requirement, budget, loads)
                : feeding.values().stream()
                        .flatMap(prefill -> fed.values().stream()
                                .flatMap(
                                        candidates -> envelopes(
                                                candidates.stream()
                                                        .flatMap(List::stream)
                                                        .toList(),
                                                requirement)
                                                .values()
                                                .stream())
                                .flatMap(List::stream)
                                .flatMap(decode -> Stream.ofNullable(beside(prefill, decode))
                                        .flatMap(feeds ->
                                                InstancePairs.balanced(requirement, budget, feeds, decode).stream())))
                        .max(Ratio::compareTo)
                        .map(requirement::upTo);
    }
}
