package io.throughputoptimizer.core.search.batch;

import io.throughputoptimizer.core.search.batch.LinearExtrapolation.MemoryGrowth;
import io.throughputoptimizer.core.serving.ServingOutcome;
import io.throughputoptimizer.core.serving.ServingOutcome.Feasible;
import io.throughputoptimizer.core.serving.ServingPoint;
import io.throughputoptimizer.core.workload.Limits;
import org.jspecify.annotations.Nullable;

/// Bisection towards the largest feasible batch size, after doubling the upper end while it is feasible. A
/// given range is never widened.
///
/// Only the bisection's own probes are recorded, so that all its steps, not only the largest batch size,
/// compete for the best throughput.
///
/// @param doublings maximum number of doublings of the upper end
/// @param extrapolates whether a [LinearExtrapolation] bounds the widened range
record BisectingSearch(int doublings, boolean extrapolates) implements BatchSearch {

    /// Batch sizes left to search, both ends included.
    private record Bounds(long left, long right) {}

    @Override
    public void run(Trial trial, @Nullable BatchRange range, Limits limits) {
        long right = range == null ? Math.max(INITIAL_RIGHT, trial.least()) : range.max();
        Bounds start = new Bounds(trial.least(), right);
        if (trial.at(start.left()) instanceof Feasible(ServingPoint first)) {
            bisect(trial, range == null ? widen(trial, start, first, limits) : start);
        }
    }

    /// Widens the range. The left point of the estimate stays the very first probe, as in the reference, so
    /// that an estimate can fall below a feasible batch size.
    private Bounds widen(Trial trial, Bounds start, ServingPoint first, Limits limits) {
        Bounds bounds = start;
        ServingPoint before = first;
        for (int round = 0; round < doublings; round++) {
            ServingOutcome outcome = trial.at(bounds.right());
            double estimate = extrapolates
                    ? LinearExtrapolation.estimate(first, outcome.point(), MemoryGrowth.at(outcome.point()), limits)
                    : Double.POSITIVE_INFINITY;
            if (outcome instanceof ServingOutcome.Infeasible) {
                return new Bounds(bounds.left(), (long) Math.min(estimate, bounds.right()));
            }
            if (estimate <= bounds.right() * 2) {
                return new Bounds(bounds.left(), (long) Math.rint(estimate));
            }
            if (trial.endsBetween(before, outcome.point())) {
                return bounds;
            }
            before = outcome.point();
            if (bounds.right() * 2 > LARGEST) {
                return new Bounds(bounds.right(), LARGEST);
            }
            bounds = new Bounds(bounds.right(), bounds.right() * 2);
        }
        return bounds;
    }

    /// Returns the probes of the first batch size, of each doubling, and of each bisection.
    @Override
    public long mostProbes(@Nullable BatchRange range) {
        return range == null
                ? 1 + doublings + halvings(largestBatchSize())
                : 1 + halvings((long) range.max() - range.min() + 1);
    }

    @Override
    public long largestBatchSize() {
        return INITIAL_RIGHT << doublings;
    }

    private static int halvings(long batchSizes) {
        return Long.SIZE - Long.numberOfLeadingZeros(batchSizes);
    }

    private static void bisect(Trial trial, Bounds bounds) {
        long left = bounds.left();
        long right = bounds.right();
        while (left <= right) {
            long middle = (left + right) / 2;
            switch (trial.at(middle)) {
                case ServingOutcome.Infeasible _ -> right = middle - 1;
                case Feasible(ServingPoint point) -> {
                    trial.record(point);
                    left = middle + 1;
                }
            }
        }
    }
}
