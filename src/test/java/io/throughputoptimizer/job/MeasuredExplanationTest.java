package io.throughputoptimizer.job;

import static io.throughputoptimizer.job.ExplainedSearches.assertThatRelaxationsHold;
import static io.throughputoptimizer.job.ExplainedSearches.assertThatReplicasAre;
import static io.throughputoptimizer.job.ExplainedSearches.changed;
import static io.throughputoptimizer.job.ExplainedSearches.explained;
import static io.throughputoptimizer.job.ExplainedSearches.result;
import static io.throughputoptimizer.job.ExplainedSearches.tokens;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.throughputoptimizer.fixture.Nightly;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// What an explanation of replicas on measured devices promises, against requests that make its changes themselves.
class MeasuredExplanationTest {
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
                if (!change.has("pointer")) {
                    continue;
                }
                JsonNode direct = best(changed(request, change));
                assertThatReplicasAre(one.path("plan"), direct);
                if (!direct.isMissingNode()) {
                    assertThat(one.required("effect_percent").asDouble())
                            .isCloseTo(100 * (tokens(direct) / today - 1), within(1e-3));
                }
                compared++;
            }
        }
        assertThat(compared).isGreaterThan(8);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void everyRelaxationGivesItsPlanAndALittleLessGivesNone(long seed) {
        assertThatRelaxationsHold(
                request(seed, true), MeasuredExplanationTest::best, ExplainedSearches::assertThatReplicasAre);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void theFrontierIsThatOfAllLayoutsAndConcurrencies(long seed) {
        ObjectNode request = request(seed, false);
        List<List<Double>> all = new ArrayList<>();
        for (int concurrency = 1; concurrency <= MOST; concurrency++) {
            ObjectNode alone = request.deepCopy();
            alone.remove("slo");
            alone.withObject("/search").putArray("batch_range").add(concurrency).add(concurrency);
            result(alone).at("/devices/0/phases/0/rows").forEach(row -> all.add(figures(row)));
        }
        List<List<Double>> unbeaten = all.stream()
                .distinct()
                .filter(point -> all.stream().noneMatch(other -> !other.equals(point) && beats(other, point)))
                .toList();
        for (JsonNode answer : explained(request)) {
            List<List<Double>> shown = new ArrayList<>();
            answer.at("/pareto_frontier/0/points").forEach(point -> {
                assertThat(point.has("tokens_per_s_band")).isTrue();
                shown.add(figures(point));
            });
            assertThat(shown).isNotEmpty().containsExactlyInAnyOrderElementsOf(unbeaten);
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void whatBindsIsWhatTheNextRequestBreaks(long seed) {
        ObjectNode request = request(seed, false);
        for (JsonNode answer : explained(request)) {
            for (JsonNode binding : answer.required("bottlenecks")) {
                String binds = binding.required("limited_by").asString();
                if (!binding.required("feasible").asBoolean()) {
                    continue;
                }
                int next = binding.required("batch_size").asInt() + 1;
                ObjectNode alone = request.deepCopy();
                alone.withObject("/search").putArray("batch_range").add(next).add(next);
                List<String> reasons = new ArrayList<>();
                result(alone).at("/devices/0/phases/0/rejected").forEach(rejected -> {
                    if (rejected.at("/parallel/label").equals(binding.required("label"))) {
                        reasons.add(rejected.required("reason").asString());
                    }
                });
                assertThat(reasons)
                        .isEqualTo(binds.equals("ttft") || binds.equals("tpot") ? List.of(binds) : List.of());
                assertThat(binding.required("passes").size()).isEqualTo(2);
                assertThat(binding.at("/passes/1/operators").size()).isEqualTo(5);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void noConcurrencyReachesLess(long seed) {
        ObjectNode request = request(seed, seed % 2 == 0);
        List<JsonNode> all = new ArrayList<>();
        for (int concurrency = 1; concurrency <= MOST; concurrency++) {
            ObjectNode alone = request.deepCopy();
            alone.remove("slo");
            alone.withObject("/search").putArray("batch_range").add(concurrency).add(concurrency);
            result(alone).at("/devices/0/phases/0/rows").forEach(all::add);
        }
        for (JsonNode answer : explained(request)) {
            for (JsonNode binding : answer.required("bottlenecks")) {
                List<JsonNode> rows = all.stream()
                        .filter(row -> row.at("/parallel/label").equals(binding.required("label")))
                        .toList();
                JsonNode least = binding.required("least");
                assertThat(least.required("ttft_ms").asDouble())
                        .isCloseTo(least(rows, row -> row.required("ttft_ms").asDouble()), within(6e-4));
                assertThat(least.required("tpot_ms").asDouble())
                        .isCloseTo(least(rows, row -> row.required("tpot_ms").asDouble()), within(6e-4));
                assertThat(least.required("memory_gb").asDouble())
                        .isCloseTo(
                                least(
                                        rows,
                                        row -> row.at("/memory/weight_gb").asDouble()
                                                + row.at("/memory/kv_cache_gb").asDouble()),
                                within(1e-9));
            }
        }
    }

    private static double least(List<JsonNode> rows, ToDoubleFunction<JsonNode> figure) {
        return rows.stream().mapToDouble(figure).min().orElseThrow();
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
                .put("output_length", 100 + random.nextInt(900));
        double hardness = infeasible ? 0.02 + 0.05 * random.nextDouble() : 1 + random.nextDouble();
        request.putObject("slo").put("ttft_ms", 1500 * hardness).put("tpot_ms", 15 * hardness);
        ObjectNode search = request.putObject("search");
        search.putArray("tp_sizes").add(1).add(2).add(4).add(8);
        search.putArray("batch_range").add(1).add(MOST);
        return request;
    }

    private static JsonNode best(ObjectNode request) {
        return result(request).at("/devices/0/phases/0/best");
    }

    /// Each so that more is better.
    private static List<Double> figures(JsonNode point) {
        return List.of(
                tokens(point),
                -point.required("ttft_ms").asDouble(),
                -point.required("tpot_ms").asDouble());
    }

    private static boolean beats(List<Double> one, List<Double> other) {
        return IntStream.range(0, one.size()).allMatch(index -> one.get(index) >= other.get(index));
    }
}
