package io.throughputoptimizer.core.kernels.calibration;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/// All-reduces within the domain of a link, as measured per backend: times by tensor size for the measured
/// numbers of ranks, and the parameters of a formula for others. No backend represents another, and no device
/// lends its own.
///
/// @param tables points by backend and number of ranks, the smallest tensor first
/// @param forms values of [#PARAMETERS] by backend, or [Calibration#POOLED]
/// @param linkBytesPerSecond rate of the link that the tables were measured on, of one device in one direction
public record AllReduces(
        Map<String, Map<Integer, List<Point>>> tables, Map<String, ParameterSet> forms, double linkBytesPerSecond) {
    /// Parameters of the formula, named like those of [KernelClass].
    public static final List<String> PARAMETERS = List.of(
            "latency_us",
            "latency_per_rank_us",
            "one_shot_efficiency",
            "two_shot_us",
            "two_shot_efficiency",
            "ring_us",
            "ring_efficiency");

    /// No separate measurements: all-reduces are priced like other collectives.
    public static final AllReduces NONE = new AllReduces(Map.of(), Map.of(), Double.POSITIVE_INFINITY);

    /// A measured tensor.
    ///
    /// @param bytes bytes of the full tensor
    /// @param microseconds measured time
    public record Point(double bytes, double microseconds) {}

    /// Source of an all-reduce price.
    public sealed interface Choice {
        Basis basis();

        /// Points of the backend with that number of ranks.
        record Table(List<Point> points, double linkBytesPerSecond) implements Choice {
            @Override
            public Basis basis() {
                return Basis.OWN;
            }
        }

        /// Parameters of the formula.
        record Form(ParameterSet set, Basis basis) implements Choice {}
    }

    public AllReduces {
        tables = Map.copyOf(tables);
        forms = Map.copyOf(forms);
        tables.values().forEach(ranks -> ranks.values().forEach(AllReduces::requireOrdered));
    }

    private static void requireOrdered(List<Point> points) {
        if (points.isEmpty()) {
            throw new IllegalArgumentException("a table of all-reduces is empty: a point is needed");
        }
        for (int index = 1; index < points.size(); index++) {
            if (!(points.get(index - 1).bytes < points.get(index).bytes)) {
                throw new IllegalArgumentException("all-reduces of " + points.get(index - 1).bytes + " and "
                        + points.get(index).bytes + " bytes follow each other: the smaller is needed first");
            }
        }
    }

    /// Returns the backend's own table, else its own formula, else that of all backends; empty if there is
    /// none.
    public Optional<Choice> choose(String backend, int ranks) {
        List<Point> points = tables.getOrDefault(backend, Map.of()).get(ranks);
        if (points != null) {
            return Optional.of(new Choice.Table(points, linkBytesPerSecond));
        }
        ParameterSet own = forms.get(backend);
        return own != null
                ? Optional.of(new Choice.Form(own, Basis.OWN))
                : Optional.ofNullable(forms.get(Calibration.POOLED)).map(set -> new Choice.Form(set, Basis.POOLED));
    }
}
