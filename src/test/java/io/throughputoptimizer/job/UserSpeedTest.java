package io.throughputoptimizer.job;

import static io.throughputoptimizer.job.ExplainedSearches.changed;
import static io.throughputoptimizer.job.ExplainedSearches.explained;
import static io.throughputoptimizer.job.ExplainedSearches.result;
import static io.throughputoptimizer.job.ExplainedSearches.tokens;
import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.fixture.Nightly;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// The least speed of a user as a limit, against all layouts and batch sizes.
class UserSpeedTest {
    private static final int MOST = 16;
    /// Between two rounded figures, so that none lies on it.
    private static final double HALF_A_STEP = 0.0005;

    static LongStream seeds() {
        return Nightly.seeds(3);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void theBestOfEachLayoutIsThatOfAllBatchSizesAtThatSpeed(long seed) {
        Random random = new Random(seed);
        ObjectNode request = ExplainedSearches.request(random, false);
        request.withObject("/search").put("strategy", "exhaustive");
        ObjectNode without = request.deepCopy();
        without.withObject("/slo").put("tpot_ms", 1e9);
        JsonNode phases = result(without).at("/devices/0/phases");
        List<JsonNode> generating = new ArrayList<>();
        for (JsonNode phase : phases) {
            phase.required("points").forEach(point -> {
                if (point.has("tpot_ms")) {
                    generating.add(point);
                }
            });
        }
        double limit = between(generating, random);
        JsonNode found = result(fast(request, limit)).at("/devices/0/phases");
        assertThat(found.size()).isEqualTo(phases.size());
        for (int index = 0; index < phases.size(); index++) {
            List<JsonNode> kept = phases.get(index)
                    .required("points")
                    .valueStream()
                    .filter(point -> point.required("within_slo").asBoolean())
                    .filter(point -> point.path("tpot_ms").asDouble(0) < limit)
                    .toList();
            assertThat(best(found.get(index).required("rows").valueStream().toList()))
                    .isEqualTo(best(kept));
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void onMeasuredDevicesToo(long seed) {
        Random random = new Random(seed);
        ObjectNode request = calibrated(random);
        List<JsonNode> all = IntStream.rangeClosed(1, MOST)
                .boxed()
                .flatMap(batch -> {
                    ObjectNode alone = request.deepCopy();
                    alone.withObject("/search")
                            .putArray("batch_range")
                            .add(batch)
                            .add(batch);
                    return result(alone).at("/devices/0/phases/0/rows").valueStream();
                })
                .toList();
        double limit = between(all, random);
        JsonNode found = result(fast(request, limit)).at("/devices/0/phases/0/rows");
        assertThat(best(found.valueStream().toList()))
                .isEqualTo(best(all.stream()
                        .filter(row -> row.required("tpot_ms").asDouble() < limit)
                        .toList()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"aggregation", "pd_ratio", "capacity", "percentile", "analytic capacity"})
    void itIsTheTpotLimitSaidTheOtherWayRound(String kind) {
        ObjectNode request = calibrated(new Random(5));
        boolean capacity = kind.endsWith("capacity");
        request.put("mode", kind.equals("percentile") ? "aggregation" : capacity ? "capacity" : kind);
        if (kind.startsWith("analytic")) {
            request.remove(List.of("cost_model", "engine", "quantization"));
        }
        if (capacity) {
            request.putObject("demand").put("concurrency", 10);
        }
        request.withObject("/slo").remove("ttft_ms");
        if (kind.equals("pd_ratio")) {
            request.putObject("pd_ratio").put("prefill_devices_per_instance", 4).put("decode_devices_per_instance", 4);
        }
        if (kind.equals("percentile")) {
            request.withObject("/slo").put("percentile", 90);
        }
        ObjectNode slow = request.deepCopy();
        slow.withObject("/slo").put("tpot_ms", 12.5);
        request.withObject("/slo").put("tokens_per_s_per_user", 80);
        for (String part : List.of("devices", "capacity")) {
            assertThat(result(request).path(part).toString())
                    .isEqualTo(result(slow)
                            .path(part)
                            .toString()
                            .replace("a higher slo.tpot_ms", "a lower slo.tokens_per_s_per_user"));
        }
        assertThat(result(request).toString()).containsAnyOf("\"tpot_ms\"", "TPOT");
    }

    /// A slower promise that gives a plan is one to be sent, and what is a little faster gives none.
    @ParameterizedTest
    @ValueSource(strings = {"analytic", "calibrated"})
    void explanationsSayWhichSpeedWouldDo(String costModel) {
        ObjectNode request = calibrated(new Random(3));
        if (costModel.equals("analytic")) {
            request.remove(List.of("cost_model", "engine", "quantization"));
        }
        request.set("slo", JsonMapper.shared().createObjectNode().put("tokens_per_s_per_user", 5000));
        int compared = 0;
        for (JsonNode answer : explained(request)) {
            for (JsonNode relaxation : answer.required("nearest_feasible")) {
                JsonNode changes = relaxation.required("changes");
                JsonNode change = changes.get(0);
                assertThat(change.required("lever").asString()).isNotEqualTo("tpot_limit");
                if (changes.size() > 1 || !change.required("lever").asString().equals("user_speed_limit")) {
                    continue;
                }
                assertThat(change.required("from").asDouble()).isEqualTo(5000.0);
                assertThat(change.required("unit").asString()).isEqualTo("tokens/s");
                JsonNode direct = result(changed(request, change)).at("/devices/0/phases/0/best");
                assertThat(tokens(relaxation.required("plan"))).isEqualTo(tokens(direct));
                JsonNode faster = change.deepCopy()
                        .asObject()
                        .put("to", change.required("to").asDouble() * 1.001);
                assertThat(result(changed(request, faster))
                                .at("/devices/0/phases/0/best")
                                .isMissingNode())
                        .isTrue();
                compared++;
            }
        }
        assertThat(compared).isPositive();
    }

    private static ObjectNode fast(ObjectNode request, double limit) {
        ObjectNode fast = request.deepCopy();
        fast.withObject("/slo").remove("tpot_ms");
        fast.withObject("/slo").put("tokens_per_s_per_user", 1000 / limit);
        return fast;
    }

    private static double between(List<JsonNode> points, Random random) {
        return points.isEmpty()
                ? 10
                : points.get(random.nextInt(points.size())).required("tpot_ms").asDouble() + HALF_A_STEP;
    }

    /// Most tokens per second of each layout.
    private static Map<String, Double> best(List<JsonNode> points) {
        Map<String, Double> best = new TreeMap<>();
        points.forEach(point -> best.merge(point.required("parallel").toString(), tokens(point), Math::max));
        return best;
    }

    private static ObjectNode calibrated(Random random) {
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
        request.putObject("slo").put("ttft_ms", 1500 * (1 + random.nextDouble()));
        ObjectNode search = request.putObject("search");
        search.putArray("tp_sizes").add(2).add(4).add(8);
        search.putArray("batch_range").add(1).add(MOST);
        return request;
    }
}
