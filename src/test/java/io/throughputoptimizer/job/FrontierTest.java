package io.throughputoptimizer.job;

import static io.throughputoptimizer.job.ExplainedSearches.explained;
import static io.throughputoptimizer.job.ExplainedSearches.rateOfPlan;
import static io.throughputoptimizer.job.ExplainedSearches.request;
import static io.throughputoptimizer.job.ExplainedSearches.result;
import static io.throughputoptimizer.job.ExplainedSearches.tokens;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The frontier of an explanation, against all layouts and batch sizes.
class FrontierTest {

    @ParameterizedTest
    @MethodSource("io.throughputoptimizer.job.ExplainedSearches#seeds")
    void theFrontierIsThatOfAllLayoutsAndBatchSizes(long seed) {
        ObjectNode request = request(new Random(seed), seed % 2 == 0);
        ObjectNode unlimited = request.deepCopy();
        unlimited.putObject("slo").put("ttft_ms", "inf").put("tpot_ms", "inf");
        unlimited.withObject("/search").put("strategy", "exhaustive");
        List<JsonNode> phases = new ArrayList<>();
        result(unlimited).at("/devices/0/phases").forEach(phases::add);

        for (JsonNode answer : explained(request)) {
            for (JsonNode frontier : answer.required("pareto_frontier")) {
                List<JsonNode> points = points(phases, frontier);
                List<List<Double>> unbeaten = points.stream()
                        .map(FrontierTest::figures)
                        .distinct()
                        .filter(point -> points.stream()
                                .map(FrontierTest::figures)
                                .noneMatch(other -> !other.equals(point) && beats(other, point)))
                        .toList();
                List<List<Double>> shown = new ArrayList<>();
                frontier.required("points").forEach(point -> shown.add(figures(point)));
                assertThat(shown).isNotEmpty().containsExactlyInAnyOrderElementsOf(unbeaten);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("io.throughputoptimizer.job.ExplainedSearches#seeds")
    void theFrontierHasAPointWithinTheLimitsThatIsNoWorseThanTheBestOfAnyStrategy(long seed) {
        ObjectNode request = request(new Random(seed), false);
        for (String strategy : List.of("exponential", "binary", "linear_exponential", "exhaustive")) {
            request.withObject("/search").put("strategy", strategy);
            for (JsonNode answer : explained(request)) {
                if (answer.required("aim").asString().equals("pd_ratio")) {
                    continue;
                }
                double best = rateOfPlan(answer.required("best"));
                List<JsonNode> within = new ArrayList<>();
                answer.at("/pareto_frontier/0/points").forEach(point -> {
                    if (point.required("within_slo").asBoolean()) {
                        within.add(point);
                    }
                });
                assertThat(within).anyMatch(point -> tokens(point) >= best);
            }
        }
    }

    private static List<JsonNode> points(List<JsonNode> phases, JsonNode frontier) {
        List<JsonNode> points = new ArrayList<>();
        phases.stream()
                .filter(phase -> phase.required("phase").equals(frontier.required("phase")))
                .forEach(phase -> phase.required("points").forEach(points::add));
        return points;
    }

    /// Each so that more is better.
    private static List<Double> figures(JsonNode point) {
        return List.of(
                tokens(point),
                -point.path("ttft_ms").asDouble(0),
                -point.path("tpot_ms").asDouble(0));
    }

    private static boolean beats(List<Double> one, List<Double> other) {
        return IntStream.range(0, one.size()).allMatch(index -> one.get(index) >= other.get(index));
    }
}
