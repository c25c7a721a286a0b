package io.throughputoptimizer.api.sweep;

import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.api.problem.InvalidRequestException;
import io.throughputoptimizer.api.problem.Violation;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// The cells of a sweep, each a question: all combinations of the values of its axes, of which the last goes fastest.
/// Axes that are zipped count as one. Made anew for each cell, so that a grid takes no more room than its request.
public final class SweepGrid {
    private final Map<String, @Nullable Object> base;
    private final List<Axis> axes;
    private final List<List<Integer>> dimensions;
    private final int cells;

    /// An axis of the grid.
    ///
    /// @param shown labels of the values; no two are equal
    record Axis(String label, List<Object> shown, List<Change> changes) {
        Axis {
            shown = List.copyOf(shown);
            changes = List.copyOf(changes);
        }

        int size() {
            return changes.size();
        }
    }

    /// @param dimensions indices of the axes of each dimension; the axes of one dimension vary together
    SweepGrid(Map<String, @Nullable Object> base, List<Axis> axes, List<List<Integer>> dimensions) {
        this.base = base;
        this.axes = List.copyOf(axes);
        this.dimensions = List.copyOf(dimensions);
        this.cells = dimensions.stream().mapToInt(this::size).reduce(1, Math::multiplyExact);
    }

    private int size(List<Integer> dimension) {
        return axes.get(dimension.getFirst()).size();
    }

    public int cells() {
        return cells;
    }

    /// Returns the labels of the axes, in order.
    public List<String> labels() {
        return axes.stream().map(Axis::label).toList();
    }

    /// Values of an axis, as rows have them; empty where there is no such axis.
    public List<Object> values(String label) {
        return axes.stream()
                .filter(axis -> axis.label.equals(label))
                .findFirst()
                .map(Axis::shown)
                .orElse(List.of());
    }

    /// Places of a cell's values along each axis.
    private int[] places(int cell) {
        int[] places = new int[axes.size()];
        int left = cell;
        for (List<Integer> dimension : dimensions.reversed()) {
            int place = left % size(dimension);
            left /= size(dimension);
            dimension.forEach(axis -> places[axis] = place);
        }
        return places;
    }

    /// Axes that go together count as one dimension.
    public int dimensions() {
        return dimensions.size();
    }

    /// Values along a dimension.
    public int size(int dimension) {
        return size(dimensions.get(dimension));
    }

    /// Labels of the axes of a dimension.
    public List<String> labels(int dimension) {
        return dimensions.get(dimension).stream()
                .map(axis -> axes.get(axis).label)
                .toList();
    }

    /// Returns the dimension of an axis, or empty if there is no such axis.
    public OptionalInt dimension(String label) {
        return IntStream.range(0, dimensions.size())
                .filter(dimension -> labels(dimension).contains(label))
                .findFirst();
    }

    /// The cell at a place along each dimension.
    public int cell(int[] places) {
        int cell = 0;
        for (int dimension = 0; dimension < places.length; dimension++) {
            cell = cell * size(dimension) + places[dimension];
        }
        return cell;
    }

    /// Values of a cell by the labels of the axes.
    public Map<String, Object> coordinates(int cell) {
        int[] places = places(cell);
        Map<String, Object> coordinates = new LinkedHashMap<>();
        for (int axis = 0; axis < places.length; axis++) {
            coordinates.put(axes.get(axis).label, axes.get(axis).shown.get(places[axis]));
        }
        return coordinates;
    }

    /// The question of a cell, as JSON.
    ///
    /// @throws InvalidRequestException if it cannot be made, naming the axis
    public String request(int cell) {
        int[] places = places(cell);
        Map<String, @Nullable Object> document = Change.copyOf(base);
        IntStream.range(0, places.length).forEach(axis -> {
            try {
                axes.get(axis).changes.get(places[axis]).apply(document);
            } catch (IllegalArgumentException e) {
                throw new InvalidRequestException(
                        "/axes/" + axis + "/pointer", "is " + axes.get(axis).label + ": " + e.getMessage());
            }
        });
        return WireFormat.write(document);
    }

    /// A broken rule of a cell's question, as one of the sweep.
    public Violation violation(int cell, Violation broken) {
        return broken.pointer().startsWith("/axes/")
                ? broken
                : new Violation(
                        "/base" + broken.pointer(), broken.message() + " (cell " + cell + ": " + words(cell) + ")");
    }

    private String words(int cell) {
        StringBuilder words = new StringBuilder();
        coordinates(cell)
                .forEach((label, value) -> words.append(words.isEmpty() ? "" : ", ")
                        .append(label)
                        .append(" = ")
                        .append(value));
        return words.toString();
    }
}
