package io.throughputoptimizer.core.search;

import io.throughputoptimizer.core.search.PdRatioRow.Side;
import io.throughputoptimizer.core.search.space.Candidate;
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

/// Combines the recorded rows of a prefill and a decode search (P/D ratio, combination and ranking).
///
/// @param limits limits that the rounded latencies must keep
/// @param outputs tokens generated per request
/// @param deviceCount devices available
/// @param objective what ratios are ranked by
/// @param inNumbers whether sides are brought into whole numbers of instances, which go by what an instance has time
///     for ([Side#countedQps()])
record PdRatioSearch(Limits limits, OutputLengths outputs, int deviceCount, Objective objective, boolean inNumbers) {
    private static final double HUNDRED = 100;

    /// Share by which rates may differ that are taken for the same.
    private static final double ALIKE = 0.001;

    /// Of the reference's question.
    PdRatioSearch(Limits limits, OutputLengths outputs, int deviceCount, Objective objective) {
        this(limits, outputs, deviceCount, objective, false);
    }

    /// The best combination of two candidates is that of the best row of each: a higher rate of either side never
    /// lowers the lesser of both, nor the rate per device, and the other keys of [PdRatioRow#BETTER_FIRST] look at
    /// one side at a time.
    private Comparator<Side> betterSideFirst() {
        return Comparator.comparingDouble((Side side) -> -rate(side))
                .thenComparingDouble(Side::latencyMillis)
                .thenComparingLong(side -> -side.batchSize())
                .thenComparingLong(side -> -side.concurrency());
    }

    /// Whatever counts devices goes by what an instance has time for.
    private double rate(Side side) {
        return inNumbers || objective.countsDevices() ? side.countedQps() : side.qps();
    }

    /// @param step is called again and again, and may end the work by an exception
    PdRatioResult combine(List<ResultRow> prefill, List<ResultRow> decode, Runnable step) {
        WholeAnswers answers = WholeAnswers.of(limits, outputs, HandoverLimit.NONE);
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
        return new PdRatioResult(shown);
    }

    /// The best pair of what two candidates offer.
    ///
    /// @param answers what pairs keep together; absent for nothing, and then each offers one side
    Optional<PdRatioRow> best(
            @Nullable WholeAnswers answers,
            List<Side> prefill,
            List<Side> decode,
            BiFunction<Side, Side, Optional<PdRatioRow>> pair,
            Comparator<PdRatioRow> order) {
        return answers == null
                ? pair.apply(prefill.getFirst(), decode.getFirst())
                : answers.best(prefill, decode, objective.prefersFewRequests(), pair, order);
    }

    /// Of each candidate for prefill what it offers to pairs: its best side; beside a limit on whole answers all that
    /// no other one of it beats.
    Collection<List<Side>> prefillOffers(List<ResultRow> recorded) {
        return offers(recorded, this::prefillSide, betterSideFirst());
    }

    /// The same for decode.
    Collection<List<Side>> decodeOffers(List<ResultRow> recorded) {
        return offers(recorded, this::decodeSide, decodeOrder());
    }

    private Collection<List<Side>> offers(
            List<ResultRow> recorded, Function<ResultRow, Stream<Side>> sides, Comparator<Side> order) {
        Stream<Side> kept = recorded.stream().filter(this::keeps).flatMap(sides);
        return perCandidate(
                kept,
                some -> limits.boundsAnswers()
                        ? WholeAnswers.unbeaten(alike(some), betterSideFirst())
                        : List.of(best(some, order)));
    }

    /// Of sides that have as much time the one with the fewest requests, as [#best] has it.
    private List<Side> alike(List<Side> some) {
        if (!goesByFewest(some.getFirst())) {
            return some;
        }
        List<Side> fewest = new ArrayList<>();
        double most = 0;
        for (Side side :
                some.stream().sorted(Comparator.comparingLong(Side::batchSize)).toList()) {
            if (side.countedQps() * (1 - ALIKE) > most) {
                fewest.add(side);
                most = side.countedQps();
            }
        }
        return fewest;
    }

    /// Of each candidate for prefill what goes into pairs.
    ///
    /// @param recorded rows of a search for prefill
    Collection<Side> bestPrefill(List<ResultRow> recorded) {
        return bestPerCandidate(recorded.stream().filter(this::keeps).flatMap(this::prefillSide), betterSideFirst());
    }

    /// Of each candidate for decode what goes into pairs.
    ///
    /// @param recorded rows of a search for decode
    Collection<Side> bestDecode(List<ResultRow> recorded) {
        return bestPerCandidate(recorded.stream().filter(this::keeps).flatMap(this::decodeSide), decodeOrder());
    }

    /// Rates that read alike are shown once.
    private static double shownRate(PdRatioRow row) {
        return Math.rint(row.balancedQps() * HUNDRED) / HUNDRED;
    }

    /// Where fewer requests are better, they are so for those who generate.
    private Comparator<Side> decodeOrder() {
        return objective.prefersFewRequests()
                ? Comparator.comparingDouble(Side::latencyMillis).thenComparing(betterSideFirst())
                : betterSideFirst();
    }

    /// Of rows of one candidate the one that goes into a ratio.
    Optional<ResultRow> best(List<ResultRow> recorded) {
        List<Side> sides = recorded.stream()
                .filter(this::keeps)
                .flatMap(row -> side(row).stream())
                .toList();
        if (sides.isEmpty()) {
            return Optional.empty();
        }
        Side best = best(sides, decodes(recorded) ? decodeOrder() : betterSideFirst());
        return recorded.stream()
                .filter(row -> row.batchSize() == best.batchSize() && keeps(row))
                .findFirst();
    }

    /// Rows of one candidate that it offers to pairs.
    Stream<ResultRow> offered(List<ResultRow> recorded) {
        Set<Long> batchSizes = (decodes(recorded) ? decodeOffers(recorded) : prefillOffers(recorded))
                .stream().flatMap(List::stream).map(Side::batchSize).collect(Collectors.toSet());
        return recorded.stream().filter(row -> batchSizes.contains(row.batchSize()));
    }

    private static boolean decodes(List<ResultRow> recorded) {
        return recorded.stream().allMatch(row -> row.figures().ttftMillis() == null);
    }

    private Optional<Side> side(ResultRow row) {
        return Stream.concat(prefillSide(row), decodeSide(row)).findFirst();
    }

    /// Rows hold the limits of their own phase only, so the other latency is absent.
    private boolean keeps(ResultRow row) {
        return Ranking.keeps(row, limits.in(row.figures().ttftMillis() != null ? Phase.PREFILL : Phase.DECODE));
    }

    /// `qps = concurrency / ttft * 1000`; no side without a positive time and rate.
    Stream<Side> prefillSide(ResultRow row) {
        Double ttft = row.figures().ttftMillis();
        return ttft == null ? Stream.empty() : side(row, ttft, prefillRate(row.concurrency(), ttft));
    }

    private static double prefillRate(long concurrency, double ttftMillis) {
        return concurrency / ttftMillis * 1000;
    }

    /// `qps = concurrency / (tpot * max(output - 1, 1)) * 1000`, one token less than the rate of a decode row
    /// counts, in the mean over outputs; no side without a positive time and rate.
    Stream<Side> decodeSide(ResultRow row) {
        Double tpot = row.figures().tpotMillis();
        return tpot == null ? Stream.empty() : side(row, tpot, decodeRate(row.concurrency(), tpot));
    }

    private double decodeRate(long concurrency, double tpotMillis) {
        return concurrency / (tpotMillis * outputs.meanDecoded()) * 1000;
    }

    private static Stream<Side> side(ResultRow row, double millis, double qps) {
        return side(
                row.candidate(),
                row.batchSize(),
                row.concurrency(),
                millis,
                qps,
                row.figures().sustainedQps(),
                row.binds())
                .stream();
    }

    private static Optional<Side> side(
            Candidate candidate,
            long batchSize,
            long concurrency,
            double millis,
            double qps,
            double sustainedQps,
            Set<BindingLimit> binds) {
        return millis > 0 && qps > 0
                ? Optional.of(new Side(candidate, batchSize, concurrency, millis, qps, sustainedQps, binds))
                : Optional.empty();
    }

    /// What a point of a search for prefill, or for decode, brings into pairs.
    Optional<Side> side(SearchPoint point) {
        Double ttft = point.ttftMillis();
        Double millis = ttft == null ? point.tpotMillis() : ttft;
        return millis == null
                ? Optional.empty()
                : side(
                        point.candidate(),
                        point.batchSize(),
                        point.concurrency(),
                        millis,
                        ttft == null
                                ? decodeRate(point.concurrency(), millis)
                                : prefillRate(point.concurrency(), millis),
                        point.sustainedQps(),
                        Set.of());
    }

    private Collection<Side> bestPerCandidate(Stream<Side> sides, Comparator<Side> order) {
        return perCandidate(sides, some -> best(some, order));
    }

    private static <T> List<T> perCandidate(Stream<Side> sides, Function<List<Side>, T> chosen) {
        Map<String, List<Side>> all = new LinkedHashMap<>();
        sides.forEach(side -> all.computeIfAbsent(side.candidate().label(), _ -> new ArrayList<>())
                .add(side));
        return all.values().stream().map(chosen).toList();
    }

    /// The first of one candidate; where sides go by what they have time for, the fewest requests that have as much.
    private Side best(List<Side> some, Comparator<Side> order) {
        Side first = some.stream().min(order).orElseThrow();
        double least = first.countedQps() * (1 - ALIKE);
        return goesByFewest(first)
                ? some.stream()
                        .filter(side -> side.countedQps() >= least)
                        .min(Comparator.comparingLong(Side::batchSize))
                        .orElse(first)
                : first;
    }

    private boolean goesByFewest(Side side) {
        return inNumbers && !objective.prefersFewRequests() && !side.isReference();
    }
}
