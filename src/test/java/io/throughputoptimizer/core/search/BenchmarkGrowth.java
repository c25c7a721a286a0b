package io.throughputoptimizer.core.search;

import io.throughputoptimizer.core.search.space.Axis;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.stream.Collectors;

/// How the CPU time of a search with plans at hand grows with points, layouts, layers and devices, each up to tenfold:
/// prints it, and draws it as a picture with two logarithmic axes.
///
/// `./mvnw -q process-test-classes exec:exec -Dbenchmark.main=io.throughputoptimizer.core.search.BenchmarkGrowth
/// -Dbenchmark=docs/images/growth.svg`
final class BenchmarkGrowth {
    private static final int SIZE = 400;
    private static final int MARGIN = 50;
    private static final double MOST = 20;
    private static final List<String> COLORS = List.of("#2a78d6", "#eb6834", "#1baf7a", "#8a5cd6");

    private BenchmarkGrowth() {}

    /// @param problems by their size relative to the smallest
    private record Axis(String name, Map<Double, OptimizationProblem> problems) {}

    /// @param arguments where to write the picture
    public static void main(String[] arguments) throws IOException {
        List<Axis> axes = List.of(
                new Axis("points", byFactor(100, BenchmarkSearch::points)),
                new Axis("layouts", layouts()),
                new Axis("layers", byFactor(6, layers -> BenchmarkSearch.withLayers(BenchmarkSearch.dense(8), layers))),
                new Axis("devices", byFactor(8, BenchmarkSearch::dense)));
        StringBuilder drawn = new StringBuilder();
        for (int axis = 0; axis < axes.size(); axis++) {
            drawn.append(line(axes.get(axis), axis));
        }
        Files.writeString(Path.of(arguments[0]), picture(drawn.toString()));
    }

    private static Map<Double, OptimizationProblem> byFactor(int smallest, IntFunction<OptimizationProblem> problem) {
        return List.of(1, 2, 5, 10).stream()
                .collect(Collectors.toMap(
                        Integer::doubleValue,
                        factor -> problem.apply(factor * smallest),
                        (_, second) -> second,
                        TreeMap::new));
    }

    private static Map<Double, OptimizationProblem> layouts() {
        return new TreeMap<>(Map.of(
                1.0, BenchmarkSearch.experts(List.of(1), List.of(1)),
                2.0, BenchmarkSearch.experts(List.of(1, 2), List.of(1)),
                4.0, BenchmarkSearch.experts(List.of(1, 2, 4, 8), List.of(1)),
                10.0, BenchmarkSearch.experts(List.of(), List.of())));
    }

    private static String line(Axis axis, int number) {
        double first = 0;
        StringBuilder points = new StringBuilder();
        for (Map.Entry<Double, OptimizationProblem> step : axis.problems().entrySet()) {
            double micros = BenchmarkSearch.leastMicros(BenchmarkSearch.planned(), step.getValue());
            first = first == 0 ? micros : first;
            System.out.printf(
                    Locale.ROOT,
                    "%-8s x %4.1f %10.1f us, x %.2f%n",
                    axis.name(),
                    step.getKey(),
                    micros,
                    micros / first);
            points.append(String.format(Locale.ROOT, "%.1f,%.1f ", place(step.getKey()), SIZE - place(micros / first)));
        }
        return """
                <polyline fill="none" stroke="%1$s" stroke-width="2" points="%2$s"/>
                <text x="%3$d" y="%4$d" fill="%1$s">%5$s</text>
                """.formatted(
                        COLORS.get(number), points.toString().strip(), MARGIN + 10, MARGIN + 18 * number, axis.name());
    }

    /// Pixels from the corner of the smallest problem; less than a tenth of its time lies outside.
    private static double place(double ratio) {
        return MARGIN + Math.log(Math.max(0.1, ratio)) / Math.log(MOST) * (SIZE - 2 * MARGIN);
    }

    private static String picture(String lines) {
        StringBuilder grid = new StringBuilder();
        for (int ratio : List.of(1, 2, 5, 10)) {
            double place = place(ratio);
            grid.append(String.format(
                    Locale.ROOT,
                    """
                    <path d="M%1$.1f %2$d V%3$d M%4$d %5$.1f H%6$d" stroke="#ccc"/>
                    <text x="%1$.1f" y="%7$d" text-anchor="middle">x %8$d</text>
                    <text x="%9$d" y="%5$.1f" text-anchor="end">x %8$d</text>
                    """,
                    place,
                    MARGIN,
                    SIZE - MARGIN,
                    MARGIN,
                    SIZE - place,
                    SIZE - MARGIN,
                    SIZE - MARGIN + 20,
                    ratio,
                    MARGIN - 6));
        }
        return """
                <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %1$d %1$d" font-family="sans-serif" font-size="12" fill="#555">
                <rect width="%1$d" height="%1$d" fill="#fff"/>
                %2$s<path d="M%3$.1f %4$.1f L%5$.1f %6$.1f" stroke="#999" stroke-dasharray="4 4"/>
                <text x="%7$d" y="%8$d" text-anchor="middle">size (dashed: linear)</text>
                <text x="%9$d" y="20">time</text>
                %10$s</svg>
                """.formatted(
                SIZE, grid, place(1), SIZE - place(1), place(10), SIZE - place(10), SIZE / 2, SIZE - 8, 8, lines);
    }
}
