package io.throughputoptimizer.core.search;

import io.throughputoptimizer.core.search.Objective.Delivered;
import io.throughputoptimizer.core.workload.Limits;
import io.throughputoptimizer.core.workload.OutputLengths;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Selection of the best row per candidate.
final class Ranking {
    private static final Comparator<ResultRow> MOST_TOKENS_FIRST = Comparator.comparingDouble(
                    (ResultRow row) -> row.figures().tokensPerSecond())
            .reversed();

    private Ranking() {}

    /// Returns whether the rounded figures meet the targets. Missing figures count as infinite.
    static boolean keeps(ResultRow row, Limits limits) {
        return orInfinity(row.figures().tpotMillis()) <= orInfinity(limits.tpotMillis())
                && orInfinity(row.figures().ttftMillis()) <= orInfinity(limits.ttftMillis())
                && orInfinity(row.figures().requestLatencyMillis()) <= orInfinity(limits.requestLatencyMillis());
    }

    /// Returns the order of rows: rows that leave out too many requests last; then by the objective, then by
    /// tokens per second.
    static Comparator<ResultRow> betterFirst(Objective objective) {
        return Comparator.comparing(ResultRow::leavesOutTooMuch).thenComparing(moreFirst(objective));
    }

    private static Comparator<ResultRow> moreFirst(Objective objective) {
        return objective instanceof Objective.TokensPerSecond
                ? MOST_TOKENS_FIRST
                : Comparator.comparingDouble((ResultRow row) -> objective.order(Delivered.of(row)))
                        .thenComparing(MOST_TOKENS_FIRST);
    }

    private static Comparator<ResultRow> withinCandidate(Objective objective) {
        return betterFirst(objective).thenComparingLong(ResultRow::batchSize);
    }

    /// Returns the best row of each candidate within the targets, the best first, ranked from 1. Of equal rows
    /// the smaller batch wins within a candidate ([#best]), the earlier candidate between candidates.
    static List<ResultRow> bestPerCandidate(List<ResultRow> recorded, Limits limits, Objective objective) {
        Map<String, List<ResultRow>> kept = new LinkedHashMap<>();
        for (ResultRow row : recorded) {
            if (keeps(row, limits)) {
                kept.computeIfAbsent(row.candidate().label(), _ -> new ArrayList<>())
                        .add(row);
            }
        }
        List<ResultRow> ranked = new ArrayList<>();
        kept.values().stream()
                .flatMap(rows -> best(rows, limits, objective).stream())
                .sorted(betterFirst(objective))
                .forEach(row -> ranked.add(row.withRank(ranked.size() + 1)));
        return ranked;
    }

    /// Returns the best row of one candidate within the targets, or the smallest equal batch ([Plateau]) unless
    /// the reference's accounting applies.
    static Optional<ResultRow> best(List<ResultRow> recorded, Limits limits, Objective objective) {
        return Plateau.best(
                recorded.stream().filter(row -> keeps(row, limits)).toList(), objective, withinCandidate(objective));
    }

    /// Returns the rows of one candidate that can still be shown: as its best row, in a P:D ratio, or as the
    /// smallest batch that explains a rejection.
    static List<ResultRow> contenders(
            List<ResultRow> recorded, Limits limits, Objective objective, OutputLengths outputs) {
        return Stream.of(
                        recorded.stream().filter(row -> keeps(row, limits)).min(withinCandidate(objective)),
                        best(recorded, limits, objective),
                        new PdRatioSearch(limits, outputs, 1, objective, false).best(recorded),
                        new PdRatioSearch(limits, outputs, 1, objective, true).best(recorded),
                        recorded.stream()
                                .filter(row -> keeps(row, limits))
                                .max(Comparator.comparingDouble(
                                        row -> row.figures().sustainedRequestsPerS())),
                        recorded.stream().min(Comparator.comparingLong(ResultRow::batchSize)))
                .flatMap(Optional::stream)
                .distinct()
                .toList();
    }

    /// Returns the contenders and all rows on the Pareto frontier of P:D ratios, for pairs that share a latency
    /// target.
    static List<ResultRow> unbeaten(
            List<ResultRow> recorded, Limits limits, Objective objective, OutputLengths outputs) {
        return Stream.concat(
                        contenders(recorded, limits, objective, outputs).stream(),
                        Stream.of(false, true)
                                .map(inNumbers -> new PdRatioSearch(limits, outputs, 1, objective, inNumbers))
                                .flatMap(search -> search.offered(recorded)))
                .distinct()
                .toList();
    }

    private static double orInfinity(@Nullable Double value) {
        return value == null ? Double.POSITIVE_INFINITY : value;
    }
}
