package io.throughputoptimizer.core.measured;

import io.throughputoptimizer.core.measured.MeasuredResult.Rejection;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/// What comes of trying a layout or a pair of them, or of all together. Used by one thread at a time.
final class Outcome {
    private final SearchEffort effort;
    private final List<MeasuredRow> rows = new ArrayList<>();
    private final List<Rejection> rejections = new ArrayList<>();
    private final List<TriedPoint> points = new ArrayList<>();
    private long pointsLeftOut;

    /// @param effort that is counted with it
    Outcome(SearchEffort effort) {
        this.effort = effort;
    }

    SearchEffort effort() {
        return effort;
    }

    void row(MeasuredRow row) {
        rows.add(row);
    }

    void rows(Collection<MeasuredRow> more) {
        rows.addAll(more);
    }

    void reject(Rejection rejection) {
        rejections.add(rejection);
    }

    void point(TriedPoint point) {
        points.add(point);
    }

    /// So many points are not listed.
    void leaveOut(long more) {
        pointsLeftOut += more;
    }

    /// What came of a part, after those before it.
    void add(Outcome part) {
        effort.add(part.effort);
        rows.addAll(part.rows);
        rejections.addAll(part.rejections);
        points.addAll(part.points);
        pointsLeftOut += part.pointsLeftOut;
    }

    /// With rows in an order.
    MeasuredResult.Found found(Comparator<MeasuredRow> betterFirst) {
        rows.sort(betterFirst);
        return new MeasuredResult.Found(List.copyOf(rows), List.copyOf(rejections), List.copyOf(points), pointsLeftOut);
    }
}
