package io.throughputoptimizer.core.search;

import io.throughputoptimizer.core.search.OptimizationResult.PdRatioResult;
import io.throughputoptimizer.core.search.PdRatioRow.Side;
import io.throughputoptimizer.core.search.space.Candidate;
import io.throughputoptimizer.core.serving.Figures;
import io.throughputoptimizer.core.workload.Limits;
import io.throughputoptimizer.core.workload.OutputLengths;
import io.throughputoptimizer.core.workload.Phase;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Combines the recorded rows of a prefill and a decode search and ranks the pairs.
///
/// @param limits latency targets for the rounded latencies
/// @param outputs output lengths of requests
/// @param deviceCount available devices
/// @param objective objective that ranks pairs
/// @param inNumbers whether instances are counted in whole numbers, by their sustained rates
///     ([Side#countedQps()])
record PdRatioSearch(Limits limits, OutputLengths outputs, int deviceCount, Objective objective, boolean inNumbers) {
    private static final double HUNDRED = 100;

    /// Relative difference below which rates count as equal.
    private static final double ALIKE = 0.001;

    /// Returns the order of the sides of one candidate. The best pair of two candidates consists of the best
    /// row of each: a higher rate of either side never lowers the lesser of both, nor the rate per device, and
    /// the other keys of [PdRatioRow#BETTER_FIRST] compare one side at a time.
    private Comparator<Side> betterSideFirst() {
        return Comparator.comparingDouble((Side side) -> -rate(side))
                .thenComparingDouble(Side::latencyMillis)
                .thenComparingLong(side -> -side.batchSize())
                .thenComparingLong(side -> -side.concurrency());
    }

    /// Returns the rate that ranks sides; the sustained rate if devices are counted.
    private double rate(Side side) {
        return inNumbers || objective.countsDevices() ? side.countedRequestsPerS() : side.requestsPerS();
    }

    /// Combines rows of both phases.
    ///
    /// @param step called repeatedly; may cancel the search by an exception
    PdRatioResult combine(List<ResultRow> prefill, List<ResultRow> decode, Runnable step) {
        EndToEndLatencyLimit answers = EndToEndLatencyLimit.of(limits, outputs, TransferAdjustedLimits.NONE);
        Collection<List<Side>> prefillSides = prefillOffers(prefill);
        Collection<List<Side>> decodeSides = decodeOffers(decode);
        Comparator<PdRatioRow> order = new PairObjective(objective, outputs.mean()).first(PdRatioRow.BETTER_FIRST);
        Map<Double, PdRatioRow> bestPerRate = new HashMap<>();
        for (List<Side> one : prefillSides) {
            for (List<Side> other : decodeSides) {
                step.run();
                if (one.getFirst().candidate().hands(other.getFirst().candidate())) {
                    best(answers, one, other, (some, others) -> Optional.of(PdRatioRow.of(some, others)), order)
                            .ifPresent(row -> bestPerRate.merge(
                                    shownRate(row), row, (old, now) -> order.compare(now, old) < 0 ? now : old));
                }
            }
        }
        List<PdRatioRow> shown = new ArrayList<>();
        bestPerRate.values().stream().sorted(order).forEach(row -> {
            step.run();
            shown.add(row.withInstances(deviceCount).withRank(shown.size() + 1));
        });
        return new PdRatioResult(shown, 0);
    }

    /// Returns the best pair of the sides of two candidates.
    ///
    /// @param answers end-to-end latency target that pairs share; absent for none, and then each candidate
    ///     offers one side
    Optional<PdRatioRow> best(
            @Nullable EndToEndLatencyLimit answers,
            List<Side> prefill,
            List<Side> decode,
            BiFunction<Side, Side, Optional<PdRatioRow>> pair,
            Comparator<PdRatioRow> order) {
        return answers == null
                ? pair.apply(prefill.getFirst(), decode.getFirst())
                : answers.best(prefill, decode, objective.prefersFewRequests(), pair, order);
    }

    /// Returns the sides that each prefill candidate offers to pairs: its best side; with an end-to-end latency
    /// target its Pareto frontier of rate and latency.
    Collection<List<Side>> prefillOffers(List<ResultRow> recorded) {
        return offers(recorded, betterSideFirst());
    }

    /// Returns the sides that each decode candidate offers to pairs, like [#prefillOffers].
    Collection<List<Side>> decodeOffers(List<ResultRow> recorded) {
        return offers(recorded, decodeOrder());
    }

    private Collection<List<Side>> offers(List<ResultRow> recorded, Comparator<Side> order) {
        return perCandidate(
                recorded,
                some -> limits.boundsAnswers()
                        ? EndToEndLatencyLimit.unbeaten(alike(some), betterSideFirst())
                        : List.of(best(some, order)));
    }

    /// Returns, among sides of equal sustained rate, the one with the fewest requests, as [#best] does.
    private List<Side> alike(List<Side> some) {
        if (!goesByFewest(some.getFirst())) {
            return some;
        }
        List<Side> fewest = new ArrayList<>();
        double most = 0;
        for (Side side :
                some.stream().sorted(Comparator.comparingLong(Side::batchSize)).toList()) {
            if (side.countedRequestsPerS() * (1 - ALIKE) > most) {
                fewest.add(side);
                most = side.countedRequestsPerS();
            }
        }
        return fewest;
    }

    /// Returns the best side of each prefill candidate.
    ///
    /// @param recorded rows of a search for prefill
    Collection<Side> bestPrefill(List<ResultRow> recorded) {
        return bestSides(recorded, betterSideFirst());
    }

    /// Returns the best side of each decode candidate.
    ///
    /// @param recorded rows of a search for decode
    Collection<Side> bestDecode(List<ResultRow> recorded) {
        return bestSides(recorded, decodeOrder());
    }

    private Collection<Side> bestSides(List<ResultRow> recorded, Comparator<Side> order) {
        return perCandidate(recorded, some -> best(some, order));
    }

    /// Returns the rate rounded to 2 decimals; pairs of equal rounded rate are shown once.
    private static double shownRate(PdRatioRow row) {
        return Math.rint(row.balancedRequestsPerS() * HUNDRED) / HUNDRED;
    }

    /// Returns the order of decode sides; objectives that prefer fewer requests rank decode by latency.
    private Comparator<Side> decodeOrder() {
        return objective.prefersFewRequests()
                ? Comparator.comparingDouble(Side::latencyMillis).thenComparing(betterSideFirst())
                : betterSideFirst();
    }

    /// Returns the row of one candidate that goes into a ratio.
    Optional<ResultRow> best(List<ResultRow> recorded) {
        List<Side> sides = sides(recorded).toList();
        if (sides.isEmpty()) {
            return Optional.empty();
        }
        Side best = best(sides, decodes(recorded) ? decodeOrder() : betterSideFirst());
        return recorded.stream()
                .filter(row -> row.batchSize() == best.batchSize() && keeps(row))
                .findFirst();
    }

    /// Returns the rows that one candidate offers to pairs.
    Stream<ResultRow> offered(List<ResultRow> recorded) {
        Set<Long> batchSizes = (decodes(recorded) ? decodeOffers(recorded) : prefillOffers(recorded))
                .stream().flatMap(List::stream).map(Side::batchSize).collect(Collectors.toSet());
        return recorded.stream().filter(row -> batchSizes.contains(row.batchSize()));
    }

    private static boolean decodes(List<ResultRow> recorded) {
        return recorded.stream().allMatch(row -> row.figures().ttftMillis() == null);
    }

    private Stream<Side> sides(List<ResultRow> recorded) {
        return recorded.stream().filter(this::keeps).flatMap(row -> side(row).stream());
    }

    /// Returns whether a row meets the targets of its own phase; the other latency is absent.
    private boolean keeps(ResultRow row) {
        return Ranking.keeps(row, limits.in(row.figures().ttftMillis() != null ? Phase.PREFILL : Phase.DECODE));
    }

    /// Returns the side of a prefill row with `requests_per_s = concurrency / ttft * 1000`, of a decode row with
    /// `requests_per_s =
    /// concurrency / (tpot * max(output - 1, 1)) * 1000`, the mean over outputs; a decode row counts one token
    /// more. Empty without a positive latency and rate.
    Optional<Side> side(ResultRow row) {
        return side(row.candidate(), row.batchSize(), row.concurrency(), row.figures(), row.binds());
    }

    /// Returns the side of a point of a prefill or decode search.
    Optional<Side> side(SearchPoint point) {
        return side(point.candidate(), point.batchSize(), point.concurrency(), point.figures(), Set.of());
    }

    private Optional<Side> side(
            Candidate candidate, long batchSize, long concurrency, Figures figures, Set<BindingLimit> binds) {
        Double ttft = figures.ttftMillis();
        Double millis = ttft == null ? figures.tpotMillis() : ttft;
        if (millis == null) {
            return Optional.empty();
        }
        double requestsPerS = concurrency / (ttft == null ? millis * outputs.meanDecoded() : millis) * 1000;
        return millis > 0 && requestsPerS > 0
                ? Optional.of(new Side(
                        candidate,
                        batchSize,
                        concurrency,
                        millis,
                        requestsPerS,
                        figures.sustainedRequestsPerS(),
                        binds))
                : Optional.empty();
    }

    private <T> List<T> perCandidate(List<ResultRow> recorded, Function<List<Side>, T> chosen) {
        Map<String, List<Side>> all = new LinkedHashMap<>();
        sides(recorded)
                .forEach(side -> all.computeIfAbsent(side.candidate().label(), _ -> new ArrayList<>())
                        .add(side));
        return all.values().stream().map(chosen).toList();
    }

    /// Returns the first side of one candidate; if sustained rates decide, the side with the fewest requests
    /// among equal rates.
    private Side best(List<Side> some, Comparator<Side> order) {
        Side first = some.stream().min(order).orElseThrow();
        double least = first.countedRequestsPerS() * (1 - ALIKE);
        return goesByFewest(first)
                ? some.stream()
                        .filter(side -> side.countedRequestsPerS() >= least)
                        .min(Comparator.comparingLong(Side::batchSize))
                        .orElse(first)
                : first;
    }

    private boolean goesByFewest(Side side) {
        return inNumbers && !objective.prefersFewRequests() && !side.isReference();
    }
}
