package io.throughputoptimizer.core.search;

import io.throughputoptimizer.core.search.OptimizationResult.PdRatioResult;
import io.throughputoptimizer.core.search.PdRatioRow.Side;
import io.throughputoptimizer.core.search.space.AvailableDevices;
import io.throughputoptimizer.core.search.space.Pairing.Kinds;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// Ranking of prefill and decode instances of all layouts and sizes, each pair in its best instance counts.
///
/// @param objective objective that ranks pairs
/// @param handovers targets reduced by KV transfers
/// @param available devices of each kind
record PairRanking(PairObjective objective, TransferAdjustedLimits handovers, AvailableDevices available) {
    /// Maximum number of pairs in the result.
    static final int MOST_ROWS = 1000;

    /// Maximum number of pairs retained during the ranking.
    private static final int MOST_HELD = 4 * MOST_ROWS;

    /// Ranks all pairs.
    ///
    /// @param search search that combines sides
    /// @param step called repeatedly; may cancel the search by an exception
    PdRatioResult rank(
            PdRatioSearch search,
            Kinds kinds,
            Collection<List<Side>> prefill,
            Collection<List<Side>> decode,
            Runnable step) {
        EndToEndLatencyLimit answers = EndToEndLatencyLimit.of(search.limits(), search.outputs(), handovers);
        Comparator<PdRatioRow> order = objective.togetherFirst();
        List<PdRatioRow> best = new ArrayList<>();
        long found = 0;
        for (List<Side> one : prefill) {
            for (List<Side> other : decode) {
                step.run();
                if (one.getFirst().candidate().hands(other.getFirst().candidate())) {
                    Optional<PdRatioRow> row = search.best(
                            answers,
                            one,
                            other,
                            (some, others) -> best(new PairCounts(some, others, kinds, available)),
                            order);
                    row.ifPresent(best::add);
                    found += row.isPresent() ? 1 : 0;
                }
            }
            if (best.size() > MOST_HELD) {
                best = first(best, order);
            }
        }
        List<PdRatioRow> shown = new ArrayList<>();
        first(best, order)
                .forEach(row -> shown.add(row.withAvailable(kinds, available).withRank(shown.size() + 1)));
        return new PdRatioResult(shown, found - shown.size());
    }

    /// Returns the pair in its best instance counts; empty if the devices do not hold one of each.
    Optional<PdRatioRow> best(PairCounts pair) {
        return objective
                .counts(pair)
                .map(counts -> PdRatioRow.of(pair.prefill(), pair.decode())
                        .withInstances(counts, handovers.of(pair.decode().candidate())));
    }

    private static List<PdRatioRow> first(List<PdRatioRow> rows, Comparator<PdRatioRow> order) {
        return new ArrayList<>(rows.stream().sorted(order).limit(MOST_ROWS).toList());
    }
}
