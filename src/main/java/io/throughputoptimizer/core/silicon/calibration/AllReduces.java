package io.throughputoptimizer.core.silicon.calibration;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/// All-reduces within the domain of a link, as each backend has been measured to run them: for
/// numbers of ranks that were measured what tensors of some sizes take, and for others the
/// parameters of a form. No backend stands for another, and no device lends its own.
///
/// @param tables by backend and number of ranks: points, the smallest tensor first
/// @param forms by backend, or [Calibration#POOLED]: values of [#PARAMETERS]
/// @param linkBytesPerSecond rate of the link that the tables were measured on, of one device
///     in one direction
public record AllReduces(
        Map<String, Map<Integer, List<Point>>> tables, Map<String, ParameterSet> forms, double linkBytesPerSecond) {
    /// Parameters of a form, named like those of [KernelClass].
    public static final List<String> PARAMETERS = List.of(
            "latency_us",
            "latency_per_rank_us",
            "one_shot_efficiency",
            "two_shot_us",
            "two_shot_efficiency",
            "ring_us",
            "ring_efficiency");

    /// Nothing was measured apart: all-reduces are priced like other collectives.
    public static final AllReduces NONE = new AllReduces(Map.of(), Map.of(), Double.POSITIVE_INFINITY);

    /// A tensor that was measured.
    ///
    /// @param bytes of the full tensor
    public record Point(double bytes, double microseconds) {}

    /// What an all-reduce is priced by.
    public sealed interface Choice {
        Basis basis();

        /// Points of the backend with so many ranks.
        record Table(List<Point> points, double linkBytesPerSecond) implements Choice {
            @Override
            public Basis basis() {
                return Basis.OWN;
            }
        }

        /// Parameters of the form.
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

    /// The backend's own table, else its own form, else that of all backends; empty where there
    /// is none.
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
