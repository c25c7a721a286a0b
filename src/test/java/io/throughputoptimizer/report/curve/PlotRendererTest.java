package io.throughputoptimizer.report.curve;

import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.api.result.figure.PhaseName;
import io.throughputoptimizer.report.Chart;
import io.throughputoptimizer.report.Chart.Axis;
import io.throughputoptimizer.report.Chart.Point;
import io.throughputoptimizer.report.Chart.Series;
import io.throughputoptimizer.report.CurveFixture;
import io.throughputoptimizer.report.Curves;
import io.throughputoptimizer.report.SampleFindings;
import io.throughputoptimizer.report.curve.PlotRenderer.PlotLegend;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PlotRendererTest {
    private static final double[] MAGNITUDES = {0, 1e-300, 1e-9, 0.001, 1, 50, 4096, 1e9, 1e15, 1e300};

    /// Axes, ticks, limit, best point and the cases of the letters, checked by eye against the figures of
    /// [CurveFixture] and the drawing rules of the specification (results, curves).
    @Test
    void thePlotIsTheGoldenFile() throws IOException {
        assertThat(PlotRenderer.render(Curves.of(CurveFixture.findings())))
                .isEqualTo(SampleFindings.golden("curves.txt"));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void anyChartStaysInsideTheCanvas(long seed) {
        Random random = new Random(seed);
        for (int i = 0; i < 200; i++) {
            Chart chart = chart(random);
            List<String> lines = plot(chart);
            assertThat(lines)
                    .as("chart %s", chart)
                    .hasSizeLessThanOrEqualTo(PlotRenderer.HEIGHT)
                    .allMatch(line -> line.length() <= PlotRenderer.WIDTH)
                    .allMatch(line -> line.equals(line.stripTrailing()));
        }
    }

    @Test
    void everySeriesShowsItsLetterWhereItsPointIs() {
        List<Series> series = IntStream.range(0, 26)
                .mapToObj(i -> new Series("layout " + i, List.of(new Point(i, 25 - i, 1, 1, i % 2 == 0))))
                .toList();

        String plot = String.join("\n", plot(chart(series, null, null)));

        String area = plot.substring(0, plot.indexOf("Horizontal"));
        for (int i = 0; i < 26; i++) {
            char letter = PlotRenderer.letter(i);
            assertThat(area).contains(String.valueOf(i % 2 == 0 ? letter : Character.toLowerCase(letter)));
        }
    }

    @Test
    void longLabelsAreCut() {
        assertThat(PlotLegend.cut("x".repeat(79))).isEqualTo("x".repeat(79));
        assertThat(PlotLegend.cut("x".repeat(80))).isEqualTo("x".repeat(77) + "...");
        Series series = new Series("y".repeat(300), List.of(new Point(1, 1, 1, 1, true)));

        assertThat(plot(chart(List.of(series), null, null))).contains("  A  " + "y".repeat(77) + "...");
    }

    @Test
    void seriesThatDoNotFitAreCounted() {
        List<Series> series = IntStream.range(0, 40)
                .mapToObj(i -> new Series("layout " + i, List.of(new Point(i, i, 1, 1, true))))
                .toList();

        assertThat(plot(chart(series, null, null))).endsWith("  and 24 more");
    }

    @Test
    void marksAreExplained() {
        Series series = new Series("layout", List.of(new Point(10, 1, 1, 1, true), new Point(30, 2, 2, 2, false)));
        Point best = new Point(10, 1, 1, 1, true);

        assertThat(plot(chart(List.of(series), 20.0, best)))
                .contains("  *  best: 1.00 token/s at Horizontal 10 ms    :  limit: Horizontal 20 ms    "
                        + "lower case: breaks a limit");
        assertThat(plot(chart(List.of(series), 20.0, best)).stream().filter(line -> line.contains(":")))
                .hasSizeGreaterThan(20);
    }

    @Test
    void aChartWithoutPointsSaysWhy() {
        Curves curves =
                Curves.of(SampleFindings.points(PhaseName.PREFILL, SampleFindings.limits(null, null), List.of()));

        assertThat(PlotRenderer.render(curves)).isEqualTo("""
                        Prefill: throughput vs concurrency
                        (no configuration fits in memory)

                        Prefill: throughput vs TTFT
                        (no configuration fits in memory)
                        """);
    }

    @Test
    void aComparisonSaysWhyThereIsNoPlot() {
        assertThat(PlotRenderer.render(Curves.of(SampleFindings.comparison())))
                .isEqualTo("Curves are drawn for one kind of device; here are 3.\n");
    }

    private static List<String> plot(Chart chart) {
        return PlotRenderer.render(new Curves(List.of(chart), "")).lines().toList();
    }

    private static Chart chart(List<Series> series, @Nullable Double limit, @Nullable Point best) {
        return new Chart("Title", new Axis("Horizontal", "ms"), new Axis("Vertical", "token/s"), limit, best, series);
    }

    private static Chart chart(Random random) {
        int count = random.nextInt(70);
        List<Series> series = IntStream.range(0, count)
                .mapToObj(i -> new Series(
                        "z".repeat(random.nextInt(120)),
                        IntStream.range(0, 1 + random.nextInt(6))
                                .mapToObj(_ -> point(random))
                                .toList()))
                .toList();
        return chart(
                series,
                random.nextBoolean() ? null : value(random),
                count == 0 || random.nextBoolean()
                        ? null
                        : series.getFirst().points().getFirst());
    }

    private static Point point(Random random) {
        return new Point(
                value(random), value(random), random.nextInt(1, 100), random.nextInt(1, 100), random.nextBoolean());
    }

    private static double value(Random random) {
        return MAGNITUDES[random.nextInt(MAGNITUDES.length)] * (random.nextInt(3) == 0 ? 1 : random.nextDouble());
    }
}
