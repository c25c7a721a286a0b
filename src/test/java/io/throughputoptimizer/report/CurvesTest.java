package io.throughputoptimizer.report;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.api.request.LimitsRequest;
import io.throughputoptimizer.api.result.PhaseResponse.PointResponse;
import io.throughputoptimizer.api.result.figure.ParallelResponse;
import io.throughputoptimizer.api.result.figure.PhaseName;
import io.throughputoptimizer.fixture.OptimizerVectors;
import io.throughputoptimizer.report.Chart.Axis;
import io.throughputoptimizer.report.Chart.Point;
import io.throughputoptimizer.report.Chart.Series;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

class CurvesTest {
    /// Layouts whose labels stand in the same order as the names of the vectors, A before B.
    private static final ParallelResponse A = SampleRow.dense(1, 8);

    private static final ParallelResponse B = SampleRow.dense(2, 4);

    private static final JsonNode VECTORS = OptimizerVectors.common("curve_points");

    @ParameterizedTest
    @EnumSource(PhaseName.class)
    void pointsAndTheirOrderAreThoseOfTheReference(PhaseName phase) {
        List<PointResponse> points = OptimizerVectors.stream(VECTORS.required("rows"))
                .map(CurvesTest::point)
                .toList();

        List<Chart> charts = Curves.of(SampleFindings.points(phase, SampleFindings.limits(null, null), points))
                .charts();

        JsonNode expected = VECTORS.required(phase == PhaseName.PREFILL ? "prefill" : "aggregation_or_decode");
        assertThat(charts)
                .hasSize(2)
                .allSatisfy(chart -> assertThat(rows(chart)).isEqualTo(rows(expected)));
        assertThat(charts.getFirst().points().map(Point::x))
                .isEqualTo(charts.getFirst()
                        .points()
                        .map(point -> (double) requireNonNull(point.concurrency()))
                        .toList());
        assertThat(charts.getLast().points().map(Point::x))
                .isEqualTo(OptimizerVectors.stream(expected)
                        .map(row -> row.required(phase == PhaseName.PREFILL ? "ttft" : "tpot")
                                .doubleValue())
                        .toList());
    }

    @Test
    void aPhaseHasItsOwnLatencyAxisAndLimit() {
        LimitsRequest both = new LimitsRequest(2000.0, 50.0);

        Chart prefill = latencyChart(PhaseName.PREFILL, both);
        assertThat(prefill.title()).isEqualTo("Prefill: throughput vs TTFT");
        assertThat(prefill.x()).isEqualTo(new Axis("TTFT", "ms"));
        assertThat(prefill.limit()).isEqualTo(2000.0);
        Chart decode = latencyChart(PhaseName.DECODE, both);
        assertThat(decode.title()).isEqualTo("Decode: throughput vs TPOT");
        assertThat(decode.x().label()).isEqualTo("TPOT (ms)");
        assertThat(decode.limit()).isEqualTo(50.0);
        assertThat(latencyChart(PhaseName.AGGREGATION, new LimitsRequest(null, Double.POSITIVE_INFINITY))
                        .limit())
                .isNull();
    }

    @Test
    void concurrencyHasNoLimit() {
        Chart chart = Curves.of(CurveFixture.findings()).charts().getFirst();

        assertThat(chart.title()).isEqualTo("Aggregation: throughput vs concurrency");
        assertThat(chart.x().label()).isEqualTo("Concurrency");
        assertThat(chart.y().label()).isEqualTo("Throughput (token/s)");
        assertThat(chart.limit()).isNull();
    }

    @Test
    void theBestPointIsTheFirstRowOfTheTable() {
        List<Chart> charts = Curves.of(CurveFixture.findings()).charts();

        double throughput = 200 / 45.0 * 1000;
        assertThat(charts.getFirst().best()).isEqualTo(new Point(200, throughput, 200, 200, true));
        assertThat(charts.getLast().best()).isEqualTo(new Point(45, throughput, 200, 200, true));
    }

    @Test
    void pointsThatBreakALimitAreKeptAndFlagged() {
        Chart chart = Curves.of(CurveFixture.findings()).charts().getLast();

        assertThat(chart.points()).hasSize(3 * 8);
        assertThat(chart.points())
                .allSatisfy(point -> assertThat(point.withinSlo()).isEqualTo(point.x() <= CurveFixture.LIMIT));
        assertThat(chart.series().stream().map(Series::label)).isSorted();
    }

    @Test
    void aRatioHasTheCurvesOfDecodeByItsTpot() {
        List<Chart> charts = Curves.of(SampleFindings.pdRatio()).charts();

        assertThat(charts.stream().map(Chart::title))
                .containsExactly("Decode: throughput vs concurrency", "Decode: throughput vs TPOT");
        Point wide = new Point(38.26, 80 / 38.26 * 1000, 40, 80, true);
        assertThat(charts.getLast().series())
                .containsExactly(
                        new Series("TP=2 | PP=1 | DP=2", List.of(wide)),
                        new Series("TP=4 | PP=1 | DP=1", List.of(new Point(20, 40 / 20.0 * 1000, 40, 40, true))));
        assertThat(charts.getLast().best()).isEqualTo(wide);
        assertThat(charts.getLast().limit()).isEqualTo(50.0);
    }

    @Test
    void aPointWithoutTheLatencyOfItsCurveIsLeftOut() {
        List<PointResponse> points = List.of(new PointResponse(A, 1, 8, 5.0, null, 1, true));

        assertThat(Curves.of(SampleFindings.points(PhaseName.DECODE, SampleFindings.limits(null, null), points))
                        .charts())
                .allSatisfy(chart -> assertThat(chart.series()).isEmpty());
        assertThat(Probe.ofPdRatio(new PointResponse(A, 4, 8, null, 0.0, 1, true)))
                .isEmpty();
    }

    @Test
    void severalKindsOfDeviceHaveNoCurvesAndSaySo() {
        Curves curves = Curves.of(SampleFindings.comparison());

        assertThat(curves.charts()).isEmpty();
        assertThat(curves.note()).isEqualTo("Curves are drawn for one kind of device; here are 3.");
    }

    private static Chart latencyChart(PhaseName phase, LimitsRequest limits) {
        return Curves.of(SampleFindings.points(phase, limits, List.of()))
                .charts()
                .getLast();
    }

    private static PointResponse point(JsonNode row) {
        return new PointResponse(
                row.required("parallel").asString().equals("A") ? A : B,
                row.required("batch_size").longValue(),
                row.required("concurrency").longValue(),
                OptimizerVectors.number(row, "ttft"),
                OptimizerVectors.number(row, "tpot"),
                row.required("token/s").doubleValue(),
                true);
    }

    private static List<List<Object>> rows(Chart chart) {
        return chart.series().stream()
                .flatMap(series -> series.points().stream()
                        .map(point ->
                                List.<Object>of(series.label(), point.concurrency(), point.batchSize(), point.y())))
                .toList();
    }

    private static List<List<Object>> rows(JsonNode expected) {
        return OptimizerVectors.stream(expected)
                .map(row -> List.<Object>of(
                        (row.required("parallel").asString().equals("A") ? A : B).label(),
                        row.required("concurrency").longValue(),
                        row.required("batch_size").longValue(),
                        row.required("token/s").doubleValue()))
                .toList();
    }
}
