package io.throughputoptimizer.api.sweep;

import static java.util.Objects.requireNonNull;

import io.throughputoptimizer.api.problem.InvalidRequestException;
import io.throughputoptimizer.api.problem.Violation;
import io.throughputoptimizer.api.sweep.SweepGrid.Axis;
import io.throughputoptimizer.api.sweep.SweepRequest.AxisRequest;
import io.throughputoptimizer.api.sweep.SweepRequest.SubmittedSweep;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Turns a [SweepRequest] that keeps the rules on its records into the grid of its cells, none of which is made.
public final class SweepReader {
    /// Characters of all questions together: whoever sends a long one may have fewer cells.
    private static final long MOST_TEXT = 1L << 32;

    private final int maximumCells;

    public SweepReader(int maximumCells) {
        this.maximumCells = maximumCells;
    }

    /// @throws InvalidRequestException naming the member at fault
    public SweepGrid read(SubmittedSweep asked) {
        SweepRequest request = asked.request();
        Map<String, @Nullable Object> base = request.base();
        List<AxisRequest> requested = request.axes();
        if (base == null) {
            throw refused("/base", "is required: the request to vary");
        }
        if (requested == null || requested.isEmpty()) {
            throw refused("/axes", "is required: at least one axis");
        }
        List<Axis> axes = new ArrayList<>();
        for (int index = 0; index < requested.size(); index++) {
            axes.add(axis(requested.get(index), "/axes/" + index));
        }
        checkApart(axes);
        List<List<Integer>> dimensions = dimensions(axes, request.zip());
        checkSize(axes, dimensions, asked.json().length());
        return new SweepGrid(base, axes, dimensions);
    }

    private Axis axis(AxisRequest request, String place) {
        boolean ofMember = request.pointer() != null;
        if (ofMember == (request.merge() != null)) {
            throw refused(place, "must have exactly one of pointer and merge, got " + (ofMember ? "both" : "neither"));
        }
        if (ofMember != (request.values() != null)) {
            throw refused(place + "/values", ofMember ? "is required with pointer" : "requires pointer. Remove it");
        }
        String label = request.label() == null ? request.pointer() : request.label();
        if (label == null) {
            throw refused(place + "/label", "is required with merge");
        }
        String member = ofMember ? "/values" : "/merge";
        List<Change> changes = ofMember ? ofMember(request, place) : ofObjects(requireNonNull(request.merge()), place);
        List<Object> shown = changes.stream().map(Change::shown).toList();
        Set<Object> known = new HashSet<>();
        for (int index = 0; index < shown.size(); index++) {
            if (!known.add(shown.get(index))) {
                throw refused(
                        place + member + "/" + index, "must be unique on its axis, got " + shown.get(index) + " twice");
            }
        }
        return new Axis(label, shown, changes);
    }

    private List<Change> ofMember(AxisRequest request, String place) {
        Place pointer;
        try {
            pointer = Place.of(requireNonNull(request.pointer()));
        } catch (IllegalArgumentException e) {
            throw refused(place + "/pointer", "is \"" + request.pointer() + "\": " + e.getMessage());
        }
        List<Change> changes = new ArrayList<>();
        for (Object value : values(requireNonNull(request.values()), place + "/values")) {
            changes.add(new Change.Set(pointer, value));
        }
        return changes;
    }

    private List<?> values(Object values, String place) {
        if (values instanceof Map<?, ?> steps) {
            return Steps.read(steps, place).values();
        }
        if (!(values instanceof List<?> list)) {
            throw refused(place, "must be a list, or an object with from, to and steps");
        }
        if (list.isEmpty() || list.size() > maximumCells) {
            throw refused(place, "must contain 1 to " + maximumCells + " elements, got " + list.size());
        }
        for (int index = 0; index < list.size(); index++) {
            if (list.get(index) instanceof Double number && !Double.isFinite(number)) {
                throw refused(place + "/" + index, "must be a finite number, got " + number);
            }
        }
        return list;
    }

    private static List<Change> ofObjects(List<Map<String, @Nullable Object>> objects, String place) {
        for (int index = 0; index < objects.size(); index++) {
            if (objects.get(index).isEmpty() && objects.size() == 1) {
                throw refused(place + "/merge/" + index, "must not be empty");
            }
        }
        return objects.stream().<Change>map(Change.Merge::new).toList();
    }

    /// Two axes must not set the same member: what a cell is would depend on their order.
    private static void checkApart(List<Axis> axes) {
        Map<String, Integer> labels = new HashMap<>();
        Map<List<String>, Integer> owners = new HashMap<>();
        List<List<Place>> places = axes.stream()
                .map(axis -> axis.changes().stream()
                        .flatMap(Change::places)
                        .distinct()
                        .toList())
                .toList();
        for (int index = 0; index < axes.size(); index++) {
            String label = axes.get(index).label();
            if (labels.put(label, index) != null) {
                throw refused("/axes/" + index + "/label", "must be unique, got \"" + label + "\" twice");
            }
            for (Place place : places.get(index)) {
                Integer owner = owners.put(place.names(), index);
                if (owner != null && owner != index) {
                    throw overlapping(index, owner, place);
                }
            }
        }
        // Of one place within another the shorter is met on the way to the longer.
        for (int index = 0; index < axes.size(); index++) {
            for (Place place : places.get(index)) {
                for (int length = 1; length < place.names().size(); length++) {
                    Integer owner = owners.get(place.names().subList(0, length));
                    if (owner != null && owner != index) {
                        throw overlapping(Math.max(index, owner), Math.min(index, owner), place);
                    }
                }
            }
        }
    }

    private static InvalidRequestException overlapping(int index, int other, Place place) {
        return refused(
                "/axes/" + index, "sets /" + String.join("/", place.names()) + ", which axis " + other + " sets too");
    }

    private static List<List<Integer>> dimensions(List<Axis> axes, List<List<String>> zip) {
        List<String> labels = axes.stream().map(Axis::label).toList();
        Map<Integer, List<Integer>> zipped = new HashMap<>();
        for (int index = 0; index < zip.size(); index++) {
            String place = "/zip/" + index;
            List<Integer> together = new ArrayList<>();
            for (String label : zip.get(index)) {
                int axis = labels.indexOf(label);
                if (axis < 0) {
                    throw refused(place, "must be one of " + String.join(", ", labels) + ", got \"" + label + "\"");
                }
                if (zipped.containsKey(axis) || together.contains(axis)) {
                    throw refused(place, "names \"" + label + "\", which is zipped already");
                }
                together.add(axis);
            }
            if (together.size() < 2) {
                throw refused(place, "must have at least two labels, got " + together.size());
            }
            for (int axis : together) {
                if (axes.get(axis).size() != axes.get(together.getFirst()).size()) {
                    throw refused(
                            place,
                            "must name axes with equally many values, got "
                                    + axes.get(together.getFirst()).size() + " and "
                                    + axes.get(axis).size());
                }
                zipped.put(axis, together);
            }
        }
        List<List<Integer>> dimensions = new ArrayList<>();
        for (int axis = 0; axis < axes.size(); axis++) {
            List<Integer> together = zipped.getOrDefault(axis, List.of(axis));
            if (!dimensions.contains(together)) {
                dimensions.add(together);
            }
        }
        return dimensions;
    }

    private void checkSize(List<Axis> axes, List<List<Integer>> dimensions, long characters) {
        long cells = 1;
        for (List<Integer> dimension : dimensions) {
            cells *= axes.get(dimension.getFirst()).size();
            if (cells > maximumCells) {
                throw refused(
                        "/axes",
                        "make " + product(axes, dimensions) + " cells: at most " + maximumCells + " are allowed");
            }
        }
        if (cells * characters > MOST_TEXT) {
            throw refused(
                    "/axes",
                    "make " + cells + " cells of a request of " + characters + " characters: of one so long at most "
                            + MOST_TEXT / characters + " are allowed");
        }
    }

    private static String product(List<Axis> axes, List<List<Integer>> dimensions) {
        return String.join(
                " x ",
                dimensions.stream()
                        .map(dimension ->
                                Integer.toString(axes.get(dimension.getFirst()).size()))
                        .toList());
    }

    private static InvalidRequestException refused(String place, String message) {
        return new InvalidRequestException(
                Stream.of(new Violation(place, message)).toList());
    }
}
