package io.throughputoptimizer.core.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.core.deployment.ParallelLayout;
import io.throughputoptimizer.core.search.ThroughputCurves.Point;
import io.throughputoptimizer.core.search.ThroughputCurves.Series;
import io.throughputoptimizer.core.workload.Phase;
import io.throughputoptimizer.fixture.OptimizerVectors;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/// Points of the curves against the reference. Rows that the reference drops for their memory never get here: a
/// probe that does not fit is no [SearchPoint]. How axes are padded and points spread is a matter of drawing.
class ThroughputCurvesTest {
    private static final JsonNode VECTORS = OptimizerVectors.common("curve_points");

    @ParameterizedTest
    @CsvSource({
        "AGGREGATION, aggregation_or_decode, tpot",
        "DECODE, aggregation_or_decode, tpot",
        "PREFILL, prefill, ttft"
    })
    void pointsEqualTheReference(Phase phase, String section, String latency) {
        ThroughputCurves curves = ThroughputCurves.of(result(phase));

        assertThat(curves).isEqualTo(new ThroughputCurves(phase, expected(section, latency)));
    }

    @Test
    void curvesOfARatioSearchAreThoseOfDecodeByItsRoundedTpot() {
        PhaseResult decode = result(
                Phase.DECODE,
                List.of(
                        new SearchPoint(layout("B"), 6, 6, null, 3.333, 1, true),
                        new SearchPoint(layout("A"), 5, 10, null, 30.0, 1, false),
                        new SearchPoint(layout("A"), 4, 8, null, 0.0, 1, true)));

        assertThat(ThroughputCurves.ofPdRatio(decode))
                .isEqualTo(new ThroughputCurves(
                        Phase.DECODE,
                        List.of(
                                new Series(layout("A"), List.of(new Point(5, 10, 30, 10 / 30.0 * 1000, false))),
                                new Series(layout("B"), List.of(new Point(6, 6, 3.333, 6 / 3.333 * 1000, true))))));
    }

    @Test
    void aLayoutWithoutPointsHasNoSeries() {
        PhaseResult decode = result(Phase.DECODE, List.of(new SearchPoint(layout("A"), 1, 1, 5.0, null, 1, true)));

        assertThat(ThroughputCurves.of(decode).series()).isEmpty();
    }

    private static PhaseResult result(Phase phase) {
        return result(
                phase,
                OptimizerVectors.stream(VECTORS.required("rows"))
                        .map(row -> new SearchPoint(
                                layout(row.required("parallel").stringValue()),
                                row.required("batch_size").longValue(),
                                row.required("concurrency").longValue(),
                                OptimizerVectors.number(row, "ttft"),
                                OptimizerVectors.number(row, "tpot"),
                                row.required("token/s").doubleValue(),
                                true))
                        .toList());
    }

    private static PhaseResult result(Phase phase, List<SearchPoint> points) {
        return new PhaseResult(phase, 2, List.of(), List.of(), points, List.of());
    }

    private static List<Series> expected(String section, String latency) {
        Map<String, List<Point>> byLabel = OptimizerVectors.stream(VECTORS.required(section))
                .collect(Collectors.groupingBy(
                        point -> point.required("parallel").stringValue(),
                        LinkedHashMap::new,
                        Collectors.mapping(
                                point -> new Point(
                                        point.required("batch_size").longValue(),
                                        point.required("concurrency").longValue(),
                                        point.required(latency).doubleValue(),
                                        point.required("token/s").doubleValue(),
                                        true),
                                Collectors.toList())));
        return byLabel.entrySet().stream()
                .map(entry -> new Series(layout(entry.getKey()), entry.getValue()))
                .toList();
    }

    /// The letters of the vectors become tensor parallel sizes.
    private static ParallelLayout layout(String letter) {
        return ParallelLayout.dense(letter.charAt(0) - 'A' + 1, 1);
    }
}
