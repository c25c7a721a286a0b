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

/// Picks the best row per candidate (results, best row per parallel).
final class Ranking {
    private static final Comparator<ResultRow> MOST_TOKENS_FIRST = Comparator.comparingDouble(
                    (ResultRow row) -> row.figures().tokensPerSecond())
            .reversed();

    private Ranking() {}

    /// Whether a row keeps the limits in its rounded figures. An absent figure counts as infinite, so it passes
    /// only without a limit.
    static boolean keeps(ResultRow row, Limits limits) {
        return orInfinity(row.figures().tpotMillis()) <= orInfinity(limits.tpotMillis())
                && orInfinity(row.figures().ttftMillis()) <= orInfinity(limits.ttftMillis())
                && orInfinity(row.figures().requestLatencyMillis()) <= orInfinity(limits.requestLatencyMillis());
    }

    /// Rows that speak of too few of the requests behind all others; then by a objective, then by tokens per second.
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

    /// Best row of each candidate among those that keep the limits, the best first, ranked from 1. Of equal rows the
    /// smaller batch wins within a candidate ([#best]), the earlier candidate between them.
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

    /// The best of one candidate among those that keep the limits, or the smallest batch that delivers the same
    /// ([Plateau]), but with the reference's accounting.
    static Optional<ResultRow> best(List<ResultRow> recorded, Limits limits, Objective objective) {
        return Plateau.best(
                recorded.stream().filter(row -> keeps(row, limits)).toList(), objective, withinCandidate(objective));
    }

    /// Of many rows of one candidate those that can still be shown, as the best of it, in a P/D ratio, or, the
    /// smallest batch, as the reason why no other is.
    static List<ResultRow> contenders(
            List<ResultRow> recorded, Limits limits, Objective objective, OutputLengths outputs) {
        return Stream.of(
                        recorded.stream().filter(row -> keeps(row, limits)).min(withinCandidate(objective)),
                        best(recorded, limits, objective),
                        new PdRatioSearch(limits, outputs, 1, objective).best(recorded),
                        new PdRatioSearch(limits, outputs, 1, objective, true).best(recorded),
                        recorded.stream()
                                .filter(row -> keeps(row, limits))
                                .max(Comparator.comparingDouble(
                                        row -> row.figures().sustainedQps())),
                        recorded.stream().min(Comparator.comparingLong(ResultRow::batchSize)))
                .flatMap(Optional::stream)
                .distinct()
                .toList();
    }

    /// The same where pairs keep a limit together: with all that a P/D ratio may be made of.
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
