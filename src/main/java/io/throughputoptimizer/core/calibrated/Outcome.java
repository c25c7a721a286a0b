package io.throughputoptimizer.core.calibrated;

import io.throughputoptimizer.core.calibrated.CalibratedPoint.TriedPoint;
import io.throughputoptimizer.core.calibrated.CalibratedResult.Rejection;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/// Accumulated results of tried layouts, or pairs of them. Used by one thread at a time.
final class Outcome {
    private final SearchEffort effort;
    private final List<CalibratedRow> rows = new ArrayList<>();
    private final List<Rejection> rejections = new ArrayList<>();
    private final List<TriedPoint> points = new ArrayList<>();
    private long omittedPoints;

    /// Creates an empty outcome.
    ///
    /// @param effort counters of the search
    Outcome(SearchEffort effort) {
        this.effort = effort;
    }

    SearchEffort effort() {
        return effort;
    }

    void row(CalibratedRow row) {
        rows.add(row);
    }

    void rows(Collection<CalibratedRow> more) {
        rows.addAll(more);
    }

    void reject(Rejection rejection) {
        rejections.add(rejection);
    }

    void point(TriedPoint point) {
        points.add(point);
    }

    /// Counts points that are not listed.
    void leaveOut(long more) {
        omittedPoints += more;
    }

    /// Appends the results of a part.
    void add(Outcome part) {
        effort.add(part.effort);
        rows.addAll(part.rows);
        rejections.addAll(part.rejections);
        points.addAll(part.points);
        omittedPoints += part.omittedPoints;
    }

    /// Returns the results with sorted rows.
    CalibratedResult.Found found(Comparator<CalibratedRow> betterFirst) {
        rows.sort(betterFirst);
        return new CalibratedResult.Found(
                List.copyOf(rows), List.copyOf(rejections), List.copyOf(points), omittedPoints);
    }
}
