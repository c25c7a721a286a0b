package io.throughputoptimizer.job;

import static io.throughputoptimizer.job.ExplainedSearches.assertThatPairIs;
import static io.throughputoptimizer.job.ExplainedSearches.assertThatRelaxationsHold;
import static io.throughputoptimizer.job.ExplainedSearches.bestPair;
import static io.throughputoptimizer.job.ExplainedSearches.changed;
import static io.throughputoptimizer.job.ExplainedSearches.explained;
import static io.throughputoptimizer.job.ExplainedSearches.perDevice;
import static io.throughputoptimizer.job.ExplainedSearches.result;
import static io.throughputoptimizer.job.ExplainedSearches.tokens;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.throughputoptimizer.fixture.Nightly;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// What an explanation of pairs of instances on measured devices promises, against requests that make its changes
/// themselves.
class PairExplanationTest {
    private static final int MOST = 12;

    static LongStream seeds() {
        return Nightly.seeds(1);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void everySensitivityIsTheAnswerToARequestWithTheChange(long seed) {
        ObjectNode request = request(seed, false);
        Set<String> levers = new HashSet<>();
        for (JsonNode answer : explained(request)) {
            assertThatPlanIs(answer.required("best"), bestPair(request));
            for (JsonNode one : answer.required("sensitivities")) {
                JsonNode change = one.required("change");
                if (change.has("pointer")) {
                    JsonNode direct = bestPair(changed(request, change));
                    assertThatPlanIs(one.path("plan"), direct);
                    if (!direct.isMissingNode()) {
                        double effect = 100 * (perDevice(direct) / perDevice(answer.required("best")) - 1);
                        assertThat(one.required("effect_percent").asDouble()).isCloseTo(effect, within(1e-3));
                    }
                    levers.add(change.required("lever").asString());
                }
            }
        }
        assertThat(levers).contains("ttft_limit", "tpot_limit", "prefill_devices", "decode_devices", "device_count");
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void everyRelaxationGivesItsPlanAndALittleLessGivesNone(long seed) {
        assertThatRelaxationsHold(
                request(seed, true), ExplainedSearches::bestPair, PairExplanationTest::assertThatPlanIs);
    }

    /// For one user the best concurrency is the least that is asked for, where steps never get shorter with another
    /// request.
    @ParameterizedTest
    @MethodSource("seeds")
    void theFrontierIsThatOfAllPairsAndConcurrencies(long seed) {
        ObjectNode request = request(seed, false);
        List<List<Double>> all = new ArrayList<>();
        for (int concurrency = 1; concurrency <= MOST * 8; concurrency++) {
            ObjectNode alone = request.deepCopy();
            alone.remove("slo");
            alone.putObject("objective").put("name", "tokens_per_s_per_user").put("min_concurrency", concurrency);
            for (JsonNode row : result(alone).at("/devices/0/pd_ratio/rows")) {
                int ranks = row.required("decode_instances").asInt()
                        * row.at("/parallel_d/dp").asInt();
                assertThat(row.required("concurrency").asInt()).isEqualTo(Math.max(concurrency, ranks));
                all.add(figures(row));
            }
        }
        List<List<Double>> unbeaten = all.stream()
                .distinct()
                .filter(point -> all.stream().noneMatch(other -> !other.equals(point) && beats(other, point)))
                .toList();
        for (JsonNode answer : explained(request)) {
            JsonNode points = answer.at("/pareto_frontier/0/points");
            assertThat(points.valueStream().map(PairExplanationTest::figures))
                    .isNotEmpty()
                    .containsExactlyInAnyOrderElementsOf(unbeaten);
            assertThat(points.valueStream()).allSatisfy(point -> {
                assertThat(point.required("within_slo").asBoolean())
                        .isEqualTo(point.required("ttft_ms").asDouble()
                                        <= request.at("/slo/ttft_ms").asDouble()
                                && point.required("tpot_ms").asDouble()
                                        <= request.at("/slo/tpot_ms").asDouble());
                assertThat(point.has("tokens_per_s_band")).isTrue();
            });
            for (String objective : List.of("tokens_per_s", "tokens_per_s_per_device")) {
                JsonNode best = bestPair(request.deepCopy().put("objective", objective));
                assertThat(points.valueStream().map(PairExplanationTest::figures))
                        .contains(figures(best));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void whatBindsIsWhatTheNextRequestBreaks(long seed) {
        ObjectNode request = request(seed, false);
        List<JsonNode> rows =
                result(request).at("/devices/0/pd_ratio/rows").valueStream().toList();
        for (JsonNode answer : explained(request)) {
            List<JsonNode> kept = answer.required("bottlenecks")
                    .valueStream()
                    .filter(binding -> binding.required("feasible").asBoolean())
                    .toList();
            assertThat(kept).hasSameSizeAs(rows);
            for (int index = 0; index < rows.size(); index++) {
                JsonNode row = rows.get(index);
                JsonNode binding = kept.get(index);
                assertThat(binding.required("phase").asString()).isEqualTo("pd_ratio");
                assertThat(binding.required("label").asString()).isEqualTo(label(row));
                assertThat(binding.required("concurrency")).isEqualTo(row.required("concurrency"));
                assertThat(binding.at("/margins/ttft_ms").asDouble())
                        .isCloseTo(
                                request.at("/slo/ttft_ms").asDouble()
                                        - row.required("ttft_ms").asDouble(),
                                within(1e-9));
                assertThat(binding.at("/memory")).isEqualTo(row.required("memory"));
                assertThat(binding.required("passes").size()).isEqualTo(2);
                String binds = binding.required("limited_by").asString();
                assertThat(next(request, row)).isEqualTo(Set.of("ttft", "tpot").contains(binds) ? binds : "");
            }
        }
    }

    /// What one request more breaks, by a search for pairs that serve no fewer.
    private static String next(ObjectNode request, JsonNode row) {
        ObjectNode more = request.deepCopy();
        more.putObject("objective")
                .put("name", "tokens_per_s_per_user")
                .put("min_concurrency", row.required("concurrency").asInt() + 1);
        JsonNode answer = result(more).at("/devices/0");
        boolean serves = answer.at("/pd_ratio/rows")
                .valueStream()
                .anyMatch(other -> label(other).equals(label(row)));
        if (serves) {
            return "";
        }
        more.remove("slo");
        return result(more)
                .at("/devices/0/pd_ratio/rows")
                .valueStream()
                .filter(other -> label(other).equals(label(row)))
                .findFirst()
                .map(other -> other.required("ttft_ms").asDouble()
                                > request.at("/slo/ttft_ms").asDouble()
                        ? "ttft"
                        : "tpot")
                .orElse("");
    }

    private static String label(JsonNode row) {
        return row.required("prefill_instances").asInt() + " x "
                + row.at("/parallel_p/label").asString() + " feed "
                + row.required("decode_instances").asInt() + " x "
                + row.at("/parallel_d/label").asString();
    }

    private static ObjectNode request(long seed, boolean infeasible) {
        Random random = new Random(seed);
        ObjectNode request = JsonMapper.shared().createObjectNode();
        request.put("cost_model", "calibrated").put("mode", "pd_ratio").put("num_devices", 7 + random.nextInt(3));
        request.put("model_id", List.of("Qwen/Qwen3-32B", "Qwen/Qwen3-8B").get(random.nextInt(2)));
        request.putArray("devices").add(List.of("H100_SXM", "B200_SXM").get(random.nextInt(2)));
        request.putObject("pd_ratio")
                .put("prefill_devices_per_instance", 1 + random.nextInt(2))
                .put("decode_devices_per_instance", 2);
        request.putObject("engine")
                .put("backend", List.of("vllm", "sglang").get(random.nextInt(2)))
                .put("kv_cache_dtype", "fp8");
        request.putObject("quantization").put("scheme", "FP8");
        request.putObject("workload")
                .put("input_length", 500 + random.nextInt(3000))
                .put("output_length", 100 + random.nextInt(900));
        double hardness = infeasible ? 0.02 + 0.05 * random.nextDouble() : 1 + random.nextDouble();
        request.putObject("slo").put("ttft_ms", 900 * hardness).put("tpot_ms", 9 * hardness);
        request.putObject("search").putArray("batch_range").add(1).add(MOST);
        return request;
    }

    private static void assertThatPlanIs(JsonNode plan, JsonNode direct) {
        assertThatPairIs(plan, direct);
        if (!direct.isMissingNode()) {
            assertThat(plan.required("concurrency")).isEqualTo(direct.required("concurrency"));
        }
    }

    /// Each so that more is better.
    private static List<Double> figures(JsonNode point) {
        return List.of(
                tokens(point),
                perDevice(point),
                -point.required("ttft_ms").asDouble(),
                -point.required("tpot_ms").asDouble());
    }

    private static boolean beats(List<Double> one, List<Double> other) {
        return IntStream.range(0, one.size()).allMatch(index -> one.get(index) >= other.get(index));
    }
}
