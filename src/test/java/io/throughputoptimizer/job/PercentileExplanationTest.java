package io.throughputoptimizer.job;

import static io.throughputoptimizer.job.ExplainedSearches.LESS;
import static io.throughputoptimizer.job.ExplainedSearches.assertThatRelaxationsHold;
import static io.throughputoptimizer.job.ExplainedSearches.assertThatReplicasAre;
import static io.throughputoptimizer.job.ExplainedSearches.changed;
import static io.throughputoptimizer.job.ExplainedSearches.explained;
import static io.throughputoptimizer.job.ExplainedSearches.result;
import static io.throughputoptimizer.job.ExplainedSearches.tokens;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.throughputoptimizer.fixture.Nightly;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// What an explanation promises where limits are on a percentile of a simulation, or rows are simulated, against
/// requests that make its changes themselves. Every other question has requests that come at a rate.
class PercentileExplanationTest {
    private static final int MOST = 24;

    static LongStream seeds() {
        return Nightly.seeds(1);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void everySensitivityIsTheAnswerToARequestWithTheChange(long seed) {
        ObjectNode request = request(seed, false);
        int compared = 0;
        for (JsonNode answer : explained(request)) {
            double today = tokens(answer.required("best"));
            for (JsonNode one : answer.required("sensitivities")) {
                JsonNode change = one.required("change");
                if (change.has("pointer")) {
                    JsonNode direct = best(changed(request, change));
                    assertThatReplicasAre(one.path("plan"), direct);
                    if (!direct.isMissingNode()) {
                        assertThat(one.required("effect_percent").asDouble())
                                .isCloseTo(100 * (tokens(direct) / today - 1), within(1e-3));
                    }
                    compared++;
                }
            }
            assertThat(answer.required("not_asked")
                            .valueStream()
                            .map(one -> one.required("lever").asString()))
                    .containsExactly("link_latency", "draft_tokens", "prefix_cache_hit_rate");
        }
        assertThat(compared).isGreaterThan(8);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void everyRelaxationGivesItsPlanAndALittleLessGivesNone(long seed) {
        assertThatRelaxationsHold(
                request(seed, true), PercentileExplanationTest::best, ExplainedSearches::assertThatReplicasAre);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void aRateThatSaturatesAllIsLoweredUntilALittleMoreDoes(long seed) {
        ObjectNode request = request(seed, false);
        request.remove("slo");
        request.put("percentiles", true);
        request.withObject("/traffic").put("request_rate", 5000);
        JsonNode answer = explained(request).getFirst();
        assertThat(answer.required("bottlenecks").valueStream())
                .allMatch(binding -> binding.required("limited_by").asString().equals("rate"));
        JsonNode lower = answer.required("nearest_feasible")
                .valueStream()
                .filter(one -> one.at("/changes/0/lever").asString().equals("request_rate"))
                .findFirst()
                .orElseThrow();
        JsonNode change = lower.at("/changes/0");
        assertThatReplicasAre(lower.required("plan"), best(changed(request, change)));
        ObjectNode more = change.deepCopy().asObject();
        more.put("to", change.required("to").asDouble() / LESS);
        assertThat(best(changed(request, more)).isMissingNode()).isTrue();
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void pointsAreWithinTheLimitsThatTheirSimulationKeeps(long seed) {
        ObjectNode request = request(seed, false);
        for (JsonNode answer : explained(request)) {
            List<JsonNode> points =
                    answer.at("/pareto_frontier/0/points").valueStream().toList();
            assertThat(points).isNotEmpty();
            for (JsonNode point : points) {
                JsonNode alone = alone(
                        request,
                        point.required("batch_size").asInt(),
                        point.at("/parallel/label").asString());
                assertThat(point.required("within_slo").asBoolean()).isEqualTo(!alone.isMissingNode());
            }
            JsonNode best = best(request);
            // The best row itself, or one that beats it in every figure and is ranked behind for its wide band.
            assertThat(points).anySatisfy(point -> {
                assertThat(isRowOf(point, best) || (!isWide(best) && isWide(aloneAt(request, point))))
                        .isTrue();
                assertThat(point.required("tokens_per_s_per_device").asDouble())
                        .isGreaterThanOrEqualTo(
                                best.required("tokens_per_s_per_device").asDouble());
                assertThat(point.required("ttft_ms").asDouble())
                        .isLessThanOrEqualTo(best.required("ttft_ms").asDouble());
                assertThat(point.required("tpot_ms").asDouble())
                        .isLessThanOrEqualTo(best.required("tpot_ms").asDouble());
            });
        }
    }

    private static boolean isRowOf(JsonNode point, JsonNode row) {
        return point.at("/parallel/label").equals(row.at("/parallel/label"))
                && point.required("batch_size").equals(row.required("batch_size"));
    }

    private static boolean isWide(JsonNode row) {
        return row.path("flags").valueStream().anyMatch(flag -> flag.asString().equals("uncalibrated"))
                || row.path("warnings")
                        .valueStream()
                        .anyMatch(warning ->
                                warning.asString().startsWith("the prediction interval of TTFT or TPOT is wider"));
    }

    private static JsonNode aloneAt(ObjectNode request, JsonNode point) {
        return alone(
                request,
                point.required("batch_size").asInt(),
                point.at("/parallel/label").asString());
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void whatBindsIsWhatTheSimulationOfTheNextRequestBreaks(long seed) {
        ObjectNode request = request(seed, false);
        List<JsonNode> rows =
                result(request).at("/devices/0/phases/0/rows").valueStream().toList();
        for (JsonNode answer : explained(request)) {
            for (JsonNode binding : answer.required("bottlenecks")) {
                if (!binding.required("feasible").asBoolean()) {
                    assertThat(binding.required("limited_by").asString()).isIn("ttft", "tpot", "rate", "memory");
                    continue;
                }
                String label = binding.required("label").asString();
                JsonNode row = rows.stream()
                        .filter(one -> one.at("/parallel/label").asString().equals(label))
                        .findFirst()
                        .orElseThrow();
                assertThat(binding.at("/margins/ttft_ms").asDouble())
                        .isCloseTo(
                                request.at("/slo/ttft_ms").asDouble()
                                        - row.at("/simulation/ttft_ms/p99").asDouble(),
                                within(1e-6));
                boolean next = alone(request, row.required("batch_size").asInt() + 1, label)
                        .isMissingNode();
                assertThat(List.of("ttft", "tpot")
                                .contains(binding.required("limited_by").asString()))
                        .isEqualTo(next);
            }
        }
    }

    /// Limits are on means there: nothing but what no simulation knows is explained otherwise.
    @ParameterizedTest
    @MethodSource("seeds")
    void percentilesOfRowsChangeNoExplanation(long seed) {
        ObjectNode request = request(seed, false);
        request.remove("traffic");
        request.withObject("/slo").remove("percentile");
        List<JsonNode> plain = explained(request);
        List<JsonNode> simulated = explained(request.deepCopy().put("percentiles", true));
        for (String part : List.of("best", "bottlenecks", "pareto_frontier")) {
            assertThat(simulated.getFirst().required(part))
                    .isEqualTo(plain.getFirst().required(part));
        }
        assertThat(simulated.getFirst().required("sensitivities").valueStream())
                .containsExactlyElementsOf(plain.getFirst()
                        .required("sensitivities")
                        .valueStream()
                        .filter(one -> !one.at("/change/lever").asString().equals("prefix_cache_hit_rate"))
                        .toList());
    }

    private static JsonNode alone(ObjectNode request, int batchSize, String label) {
        ObjectNode alone = request.deepCopy();
        alone.withObject("/search").putArray("batch_range").add(batchSize).add(batchSize);
        return result(alone)
                .at("/devices/0/phases/0/rows")
                .valueStream()
                .filter(row -> row.at("/parallel/label").asString().equals(label))
                .findFirst()
                .orElse(JsonMapper.shared().missingNode());
    }

    private static ObjectNode request(long seed, boolean infeasible) {
        Random random = new Random(seed);
        ObjectNode request = JsonMapper.shared().createObjectNode();
        request.put("cost_model", "calibrated").put("num_devices", 8);
        request.put("model_id", List.of("Qwen/Qwen3-32B", "Qwen/Qwen3-30B-A3B").get(random.nextInt(2)));
        request.putArray("devices").add(List.of("H100_SXM", "B200_SXM").get(random.nextInt(2)));
        request.putObject("engine")
                .put("backend", List.of("vllm", "sglang").get(random.nextInt(2)))
                .put("kv_cache_dtype", "fp8");
        request.putObject("quantization").put("scheme", "FP8");
        request.putObject("workload")
                .put("input_length", 500 + random.nextInt(3000))
                .put("output_length", 100 + random.nextInt(400));
        double hardness = infeasible ? 0.02 + 0.05 * random.nextDouble() : 1.5 + random.nextDouble();
        request.putObject("slo")
                .put("ttft_ms", 1500 * hardness)
                .put("tpot_ms", 15 * hardness)
                .put("percentile", 99);
        ObjectNode traffic = request.putObject("traffic").put("random_range_ratio", 0.5 + 0.5 * random.nextDouble());
        if (seed % 2 == 1) {
            traffic.put("request_rate", 0.5 + random.nextDouble()).put("requests", 100);
        }
        ObjectNode search = request.putObject("search");
        search.putArray("tp_sizes").add(2).add(4).add(8);
        search.putArray("batch_range").add(1).add(MOST);
        return request;
    }

    private static JsonNode best(ObjectNode request) {
        return result(request).at("/devices/0/phases/0/best");
    }
}
