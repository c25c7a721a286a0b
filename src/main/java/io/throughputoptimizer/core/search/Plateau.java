package io.throughputoptimizer.core.search;

import io.throughputoptimizer.core.search.Objective.Delivered;
import io.throughputoptimizer.core.serving.Accounting;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.LongPredicate;
import java.util.stream.LongStream;

/// Batch sizes of one candidate whose objective is within 0.1% of the best; the smallest has the lowest
/// latency.
///
/// @param enough threshold of the sort key ([Objective#order])
/// @param leftOut maximum share of requests that the batch leaves out: a row that covers fewer requests is not
///     equal
public record Plateau(Objective objective, double enough, double leftOut) {
    /// Relative difference below which values count as equal.
    private static final double SAME = 0.001;

    /// Returns the batch sizes with the same objective value as a row.
    static Plateau of(ResultRow best, Objective objective) {
        double order = objective.order(Delivered.of(best));
        return new Plateau(objective, order + SAME * Math.abs(order), best.omittedRatio());
    }

    /// Returns whether the smallest batch size of the plateau is chosen. The reference always chooses the best,
    /// and for objectives that prefer fewer requests the best is the smallest.
    static boolean counts(Accounting accounting, Objective objective) {
        return !accounting.isReference() && !objective.prefersFewRequests();
    }

    /// Returns whether a throughput is higher than another; under the reference's accounting by any difference
    /// that its rows show.
    public static boolean isMore(double tokensPerSecond, double others, Accounting accounting) {
        return accounting.isReference()
                ? Rounding.toThousandths(tokensPerSecond) > Rounding.toThousandths(others)
                : tokensPerSecond > others * (1 + SAME);
    }

    boolean holds(ResultRow row) {
        return row.omittedRatio() <= leftOut && holds(Delivered.of(row));
    }

    /// Returns whether the figures are equal to the best or better.
    private boolean holds(Delivered delivered) {
        return objective.order(delivered) <= enough;
    }

    /// Returns the best row of one candidate, or the smallest equal row with at most half its batch size;
    /// nearly equal batch sizes are not different plans.
    static Optional<ResultRow> best(Collection<ResultRow> rows, Objective objective, Comparator<ResultRow> order) {
        Optional<ResultRow> first = rows.stream().min(order);
        if (first.isEmpty() || !counts(first.get().candidate().terms().accounting(), objective)) {
            return first;
        }
        Plateau plateau = of(first.get(), objective);
        long half = first.get().batchSize() / 2;
        return rows.stream()
                .filter(row -> row.batchSize() <= half && plateau.holds(row))
                .min(Comparator.comparingLong(ResultRow::batchSize))
                .or(() -> first);
    }

    /// Returns the smallest tried batch size within the targets and on the row's plateau, at most half as large
    /// as the row's. Empty if there is none, if the row is the smallest by its accounting, or for mixed
    /// batches, since a smaller one may leave requests out.
    ///
    /// @param tried points of any candidate
    public static Optional<SearchPoint> smaller(ResultRow row, List<SearchPoint> tried, Objective objective) {
        if (objective.prefersFewRequests() || !row.composition().isEmpty()) {
            return Optional.empty();
        }
        Plateau plateau = of(row, objective);
        return tried.stream()
                .filter(point -> point.withinLimits()
                        && point.batchSize() <= row.batchSize() / 2
                        && point.candidate().label().equals(row.candidate().label())
                        && plateau.holds(Delivered.of(point)))
                .min(Comparator.comparingLong(SearchPoint::batchSize));
    }

    /// Returns the start of a plateau that reaches down to half of its batch size or further: bisects the
    /// doublings of the least batch size, and then the last doubling step. Throughput need not rise with the
    /// batch size, so an even smaller batch may be equal; the returned one is.
    ///
    /// @param holds whether a batch size meets the targets and lies on the plateau
    static Optional<Long> start(long least, long batchSize, LongPredicate holds) {
        long[] doublings = LongStream.iterate(least, size -> size <= batchSize / 2, size -> 2 * size)
                .toArray();
        int first = first(0, doublings.length, index -> holds.test(doublings[(int) index]));
        if (first == doublings.length) {
            return Optional.empty();
        }
        long from = first == 0 ? least : doublings[first - 1] + 1;
        int steps = (int) (doublings[first] - from);
        return Optional.of(from + first(0, steps, step -> holds.test(from + step)));
    }

    /// Returns the maximum number of batch sizes that [#start] probes below a batch size.
    static long mostProbes(long batchSize) {
        int doublings = Long.SIZE - Long.numberOfLeadingZeros(batchSize);
        return (long) doublings + Integer.SIZE - Integer.numberOfLeadingZeros(doublings);
    }

    private static int first(int from, int to, LongPredicate holds) {
        int low = from;
        int high = to;
        while (low < high) {
            int middle = low + (high - low) / 2;
            if (holds.test(middle)) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }
}
