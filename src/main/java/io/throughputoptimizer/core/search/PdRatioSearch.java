package io.throughputoptimizer.core.search;

import io.throughputoptimizer.core.deployment.ParallelLayout;
import io.throughputoptimizer.core.search.PdRatioRow.Side;
import io.throughputoptimizer.core.workload.ServiceObjective;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// Combines the recorded rows of a prefill and a decode search (P/D ratio, combination and ranking).
///
/// @param objective limits that the rounded latencies must keep
/// @param outputTokens tokens generated per request
/// @param deviceCount devices available
record PdRatioSearch(ServiceObjective objective, int outputTokens, int deviceCount) {
    private static final double HUNDRED = 100;

    /// The best combination of two layouts is that of the best row of each: a higher rate of either side never lowers
    /// the lesser of both, and the other keys of [PdRatioRow#BETTER_FIRST] look at one side at a time.
    private static final Comparator<Side> BETTER_SIDE_FIRST = Comparator.comparingDouble((Side side) -> -side.qps())
            .thenComparingDouble(Side::latencyMillis)
            .thenComparingLong(side -> -side.batchSize())
            .thenComparingLong(side -> -side.concurrency());

    /// @param step is called again and again, and may end the work by an exception
    PdRatioResult combine(List<ResultRow> prefill, List<ResultRow> decode, Runnable step) {
        Collection<Side> prefillSides =
                bestPerLayout(prefill.stream().filter(this::keeps).flatMap(this::prefillSide));
        Collection<Side> decodeSides =
                bestPerLayout(decode.stream().filter(this::keeps).flatMap(this::decodeSide));
        Map<Double, PdRatioRow> bestPerRate = new HashMap<>();
        for (Side one : prefillSides) {
            step.run();
            for (Side other : decodeSides) {
                bestPerRate.merge(shownRate(one, other), PdRatioRow.of(one, other), PdRatioSearch::better);
            }
        }
        List<PdRatioRow> shown = new ArrayList<>();
        bestPerRate.values().stream().sorted(PdRatioRow.BETTER_FIRST).forEach(row -> {
            step.run();
            shown.add(row.withInstances(deviceCount).withRank(shown.size() + 1));
        });
        return new PdRatioResult(shown);
    }

    /// Rates that read alike are shown once.
    private static double shownRate(Side prefill, Side decode) {
        return Math.rint(Math.min(prefill.qps(), decode.qps()) * HUNDRED) / HUNDRED;
    }

    private static PdRatioRow better(PdRatioRow old, PdRatioRow now) {
        return PdRatioRow.BETTER_FIRST.compare(now, old) < 0 ? now : old;
    }

    /// Of rows of one layout the one that goes into a ratio.
    Optional<ResultRow> best(List<ResultRow> recorded) {
        Map<Side, ResultRow> rows = new HashMap<>();
        recorded.stream()
                .filter(this::keeps)
                .forEach(row -> Stream.concat(prefillSide(row), decodeSide(row))
                        .limit(1)
                        .forEach(side -> rows.put(side, row)));
        return rows.keySet().stream().min(BETTER_SIDE_FIRST).map(rows::get);
    }

    /// Rows hold the limits of their own phase only, so the other latency is absent.
    private boolean keeps(ResultRow row) {
        return row.figures().ttftMillis() != null
                ? Ranking.keeps(row, objective.ttftOnly())
                : Ranking.keeps(row, objective.tpotOnly());
    }

    /// `qps = concurrency / ttft * 1000`; no side without a positive time and rate.
    Stream<Side> prefillSide(ResultRow row) {
        Double ttft = row.figures().ttftMillis();
        return ttft == null ? Stream.empty() : side(row, ttft, row.concurrency() / ttft * 1000);
    }

    /// `qps = concurrency / (tpot * max(output - 1, 1)) * 1000`, one token less than the rate of a decode row
    /// counts; no side without a positive time and rate.
    Stream<Side> decodeSide(ResultRow row) {
        Double tpot = row.figures().tpotMillis();
        return tpot == null
                ? Stream.empty()
                : side(row, tpot, row.concurrency() / (tpot * Math.max(outputTokens - 1, 1)) * 1000);
    }

    private static Stream<Side> side(ResultRow row, double millis, double qps) {
        return millis > 0 && qps > 0
                ? Stream.of(new Side(row.layout(), row.batchSize(), row.concurrency(), millis, qps))
                : Stream.empty();
    }

    private static Collection<Side> bestPerLayout(Stream<Side> sides) {
        Map<ParallelLayout, Side> best = new LinkedHashMap<>();
        sides.forEach(side ->
                best.merge(side.layout(), side, (old, now) -> BETTER_SIDE_FIRST.compare(now, old) < 0 ? now : old));
        return best.values();
    }
}
