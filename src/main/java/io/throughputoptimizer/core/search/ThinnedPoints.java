package io.throughputoptimizer.core.search;

import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The points of one curve by batch size, thinned where there are too many: then those stay whose batch size is a
/// multiple of the least power of two that leaves few enough, and whatever their batch sizes the first, the last, the
/// best that keeps every limit, and those on both sides of a limit (the last that keeps it with its successor, the
/// first that does not with its predecessor). Depends on nothing but the points and their order.
final class ThinnedPoints {
    /// Points of a curve that is not thinned.
    static final int MOST = 1024;

    private final MemoryBudget allowance;
    private final TreeMap<Long, SearchPoint> kept = new TreeMap<>();
    private long stride = 1;
    private long leftOut;

    ThinnedPoints(MemoryBudget allowance) {
        this.allowance = allowance;
    }

    /// Adds a point of a batch size that is new.
    void add(SearchPoint point) {
        allowance.take(MemoryBudget.POINT_BYTES);
        kept.put(point.batchSize(), point);
        if (kept.size() > 2 * MOST) {
            thin();
        }
    }

    /// Returns the points by batch size.
    List<SearchPoint> points() {
        if (kept.size() > MOST || stride > 1) {
            thin();
        }
        return List.copyOf(kept.values());
    }

    /// Points that [#points()] does without; complete after that.
    long leftOut() {
        return leftOut;
    }

    private void thin() {
        Set<Long> marked = marked();
        int before = kept.size();
        retain(marked);
        while (kept.size() > MOST) {
            stride *= 2;
            retain(marked);
        }
        leftOut += before - kept.size();
        allowance.giveBack((before - kept.size()) * MemoryBudget.POINT_BYTES);
    }

    private void retain(Set<Long> marked) {
        kept.keySet().removeIf(batchSize -> batchSize % stride != 0 && !marked.contains(batchSize));
    }

    private Set<Long> marked() {
        Set<Long> marked = new HashSet<>(Set.of(kept.firstKey(), kept.lastKey()));
        kept.values().stream()
                .filter(SearchPoint::withinLimits)
                .max(Comparator.comparingDouble(
                                (SearchPoint point) -> point.figures().tokensPerSecond())
                        .thenComparingLong(point -> -point.batchSize()))
                .ifPresent(best -> marked.add(best.batchSize()));
        firstOf(kept.descendingMap(), true).ifPresent(within -> mark(marked, within, kept.higherKey(within)));
        firstOf(kept, false).ifPresent(beyond -> mark(marked, beyond, kept.lowerKey(beyond)));
        return marked;
    }

    private static void mark(Set<Long> marked, long batchSize, @Nullable Long neighbour) {
        marked.add(batchSize);
        if (neighbour != null) {
            marked.add(neighbour);
        }
    }

    private static Optional<Long> firstOf(Map<Long, SearchPoint> points, boolean within) {
        return points.values().stream()
                .filter(point -> point.withinLimits() == within)
                .map(SearchPoint::batchSize)
                .findFirst();
    }
}
