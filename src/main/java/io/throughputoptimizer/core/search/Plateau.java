package io.throughputoptimizer.core.search;

import io.throughputoptimizer.core.search.Objective.Delivered;
import io.throughputoptimizer.core.serving.Accounting;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.LongPredicate;
import java.util.stream.LongStream;

/// Batch sizes of one candidate that deliver the same within 0.1 % of what they are ranked by: the smallest of them
/// keeps requests waiting least.
///
/// @param enough what is ranked must not be beyond ([Objective#order])
/// @param leftOut share of the requests that they may leave out: one that speaks of fewer does not deliver the same
public record Plateau(Objective objective, double enough, double leftOut) {
    /// Share by which what is the same may differ.
    private static final double SAME = 0.001;

    /// Of the batch sizes that deliver what a row does.
    static Plateau of(ResultRow best, Objective objective) {
        double order = objective.order(Delivered.of(best));
        return new Plateau(objective, order + SAME * Math.abs(order), best.leftOutRatio());
    }

    /// Whether the smallest is taken: the reference takes the best, however little it is better by, and where fewer
    /// requests are better the best is the smallest.
    static boolean counts(Accounting accounting, Objective objective) {
        return !accounting.isReference() && !objective.prefersFewRequests();
    }

    /// Whether tokens per second are more than others: with the reference's accounting by as little as its rows show.
    public static boolean isMore(double tokensPerSecond, double others, Accounting accounting) {
        return accounting.isReference()
                ? Rounding.toThousandths(tokensPerSecond) > Rounding.toThousandths(others)
                : tokensPerSecond > others * (1 + SAME);
    }

    boolean holds(ResultRow row) {
        return row.leftOutRatio() <= leftOut && holds(Delivered.of(row));
    }

    /// Whether it delivers the same, or more.
    private boolean holds(Delivered delivered) {
        return objective.order(delivered) <= enough;
    }

    /// Of rows of one candidate the best, or the smallest that delivers the same with at most half the batch size: what
    /// is nearly as large is no other plan.
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

    /// The smallest batch size that was tried of those that keep the limits and deliver the same, at most
    /// half as large as the row's. Empty where there is none, or the row is the smallest by its accounting;
    /// and for mixed batches, since a smaller one may leave requests out.
    ///
    /// @param tried batch sizes, of any candidate
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

    /// Where a plateau begins that reaches down to half of its batch size or further: doublings of the least batch size
    /// are bisected, and then the last step of these. Throughput need not rise with the batch, so a smaller one may
    /// deliver as much; what is found does.
    ///
    /// @param holds whether a batch size keeps the limits and lies on the plateau
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

    /// Most batch sizes that [#start] asks for below such a batch size.
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
