package io.throughputoptimizer.job;

import static io.throughputoptimizer.job.ExplainedSearches.changed;
import static io.throughputoptimizer.job.ExplainedSearches.explained;
import static io.throughputoptimizer.job.ExplainedSearches.result;
import static io.throughputoptimizer.job.ExplainedSearches.tokens;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.throughputoptimizer.fixture.Nightly;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// The time of a whole answer as a limit, against all layouts and batch sizes.
class RequestLatencyTest {
    private static final int MOST = 16;
    private static final double UNLIMITED = 1e12;
    /// Of what delivers the same a search takes the smallest batch.
    private static final double SAME = 0.0011;

    static LongStream seeds() {
        return Nightly.seeds(3);
    }

    static LongStream few() {
        return Nightly.seeds(1);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void theBestOfEachLayoutIsThatOfAllBatchSizesWithinIt(long seed) {
        Random random = new Random(seed);
        ObjectNode request = analytic(random);
        List<JsonNode> all = result(request)
                .at("/devices/0/phases/0/points")
                .valueStream()
                .filter(point -> point.required("within_slo").asBoolean())
                .toList();
        ToDoubleFunction<JsonNode> whole = whole(request);
        double limit = between(all, whole, random);
        JsonNode found = result(limited(request, limit)).at("/devices/0/phases/0");
        assertAreBest(found, all, whole, limit);
        found.required("rows")
                .forEach(row -> assertThat(row.required("e2e_latency_ms").asDouble())
                        .isCloseTo(whole.applyAsDouble(row), within(0.001 * output(request))));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void onMeasuredDevicesToo(long seed) {
        Random random = new Random(seed);
        ObjectNode request = calibrated(random);
        boolean settled = random.nextInt(3) == 0;
        if (settled) {
            request.withObject("/slo").put("ttft_basis", "settled");
        }
        String ttft = settled ? "ttft_settled_ms" : "ttft_ms";
        ToDoubleFunction<JsonNode> whole = row -> row.required(ttft).asDouble()
                + (output(request) - 1) * row.required("tpot_ms").asDouble();
        List<JsonNode> all = each(request, "/devices/0/phases/0/rows");
        double limit = between(all, whole, random);
        JsonNode found = result(limited(request, limit)).at("/devices/0/phases/0");
        assertAreBest(found, all, whole, limit);
        found.required("rows").forEach(row -> {
            JsonNode band = row.required("e2e_latency_ms_band");
            assertThat(row.required("e2e_latency_ms").asDouble())
                    .isCloseTo(whole.applyAsDouble(row), within(1e-6))
                    .isBetween(
                            band.required("low").asDouble(), band.path("high").asDouble(UNLIMITED));
        });
    }

    /// Limits on a percentile are held against simulations of whole answers.
    @ParameterizedTest
    @MethodSource("few")
    void ofThePercentileThatIsAskedFor(long seed) {
        Random random = new Random(seed);
        ObjectNode request = calibrated(random);
        request.withObject("/search").putArray("tp_sizes").add(4);
        request.withObject("/search").putArray("batch_range").add(1).add(4);
        request.withObject("/slo").remove("ttft_ms");
        request.withObject("/slo").put("percentile", 95).put("e2e_latency_ms", UNLIMITED);
        request.withObject("/traffic").put("random_range_ratio", 0.5);
        ToDoubleFunction<JsonNode> whole =
                row -> row.at("/simulation/e2e_latency_ms/others/0/ms").asDouble();
        List<JsonNode> all = each(request, "/devices/0/phases/0/rows", 4);
        double limit = between(all, whole, random);
        assertAreBest(result(limited(request, limit)).at("/devices/0/phases/0"), all, whole, limit);
        assertThat(whole.applyAsDouble(all.getFirst()))
                .isGreaterThan(all.getFirst().at("/simulation/ttft_ms/p50").asDouble());
    }

    @ParameterizedTest
    @MethodSource("few")
    void ofPairsOnMeasuredDevices(long seed) {
        Random random = new Random(seed);
        ObjectNode request = calibrated(random);
        request.put("mode", "pd_ratio");
        request.putObject("pd_ratio").put("prefill_devices_per_instance", 4).put("decode_devices_per_instance", 4);
        request.withObject("/search").putArray("tp_sizes").add(4);
        request.withObject("/slo").remove("ttft_ms");
        ToDoubleFunction<JsonNode> whole = row -> row.required("ttft_ms").asDouble()
                + (output(request) - 1) * row.required("tpot_ms").asDouble();
        List<JsonNode> all = each(request, "/devices/0/pd_ratio/rows");
        double limit = between(all, whole, random);
        JsonNode rows = result(limited(request, limit)).at("/devices/0/pd_ratio/rows");
        double best = all.stream()
                .filter(row -> whole.applyAsDouble(row) < limit)
                .mapToDouble(ExplainedSearches::tokens)
                .max()
                .orElse(0);
        assertThat(rows.isEmpty() ? 0 : tokens(rows.get(0))).isCloseTo(best, within(SAME * best));
        rows.forEach(
                row -> assertThat(row.required("e2e_latency_ms").asDouble()).isLessThanOrEqualTo(limit));
    }

    /// A demand is served within the limit, by no fewer devices than without it.
    @ParameterizedTest
    @ValueSource(strings = {"analytic", "calibrated"})
    void demandsAreServedWithinIt(String costModel) {
        ObjectNode request = calibrated(new Random(5));
        ofCostModel(request, costModel);
        request.put("mode", "capacity").put("num_devices", 64);
        request.putObject("demand").put("concurrency", 40);
        request.withObject("/slo").remove("ttft_ms");
        JsonNode free = result(limited(request, UNLIMITED)).at("/capacity/rows/0");
        double whole = free.required("e2e_latency_ms").asDouble();
        assertThat(result(limited(request, whole + 1)).at("/capacity/rows/0").required("num_devices"))
                .isEqualTo(free.required("num_devices"));
        JsonNode tight = result(limited(request, 0.7 * whole)).at("/capacity/rows/0");
        assertThat(tight.required("e2e_latency_ms").asDouble()).isLessThanOrEqualTo(0.7 * whole);
        assertThat(tight.required("num_devices").asLong())
                .isGreaterThanOrEqualTo(free.required("num_devices").asLong());
    }

    /// Prefill and decode instances that each would keep it beside the fastest other, but not beside each other.
    @ParameterizedTest
    @ValueSource(strings = {"requests_per_s", "concurrency"})
    void instancesOfADemandKeepItTogether(String unit) {
        ObjectNode request = calibrated(new Random(5));
        ofCostModel(request, "analytic");
        request.put("mode", "capacity").put("num_devices", 512);
        request.putArray("instance_sizes").add(4).add(8);
        request.putObject("demand").put(unit, unit.equals("concurrency") ? 40 : 3);
        request.putObject("kv_transfer").put("gb_per_s", 20);
        request.withObject("/slo").remove("ttft_ms");
        List<JsonNode> free = apart(result(limited(request, UNLIMITED)));
        double limit = 0.8 * free.getFirst().required("e2e_latency_ms").asDouble();
        List<JsonNode> rows = apart(result(limited(request, limit)));
        assertThat(rows).isNotEmpty();
        double tokens = output(request) - 1;
        for (JsonNode row : rows) {
            JsonNode prefill = row.at("/instances/0");
            JsonNode decode = row.at("/instances/1");
            assertThat(row.required("e2e_latency_ms").asDouble())
                    .isCloseTo(
                            row.required("ttft_ms").asDouble()
                                    + tokens * row.required("tpot_ms").asDouble(),
                            within(1e-9));
            assertThat(prefill.at("/peak/ttft_ms").asDouble()
                            + row.required("kv_transfer_ms").asDouble()
                            + tokens * decode.at("/peak/tpot_ms").asDouble())
                    .isBetween(row.required("e2e_latency_ms").asDouble() - 1e-9, limit);
            assertThat(prefill.at("/peak/limited_by").toString()
                            + decode.at("/peak/limited_by").toString())
                    .contains("e2e_latency");
        }
        JsonNode none = result(limited(request, 50)).required("capacity");
        assertThat(none.required("rows")).isEmpty();
        assertThat(none.at("/shortfalls/0/advice").toString())
                .contains("does decode within the limits", "a higher slo.e2e_latency_ms may do");
    }

    private static List<JsonNode> apart(JsonNode result) {
        return result.at("/capacity/rows")
                .valueStream()
                .filter(row -> row.required("deployment").asString().equals("disaggregated"))
                .toList();
    }

    /// Unless answers may take longer there is no plan, and where they may a little less long there
    /// is none either.
    @ParameterizedTest
    @ValueSource(strings = {"analytic", "calibrated"})
    void explanationsSayHowLongWouldDo(String costModel) {
        ObjectNode request = calibrated(new Random(3));
        ofCostModel(request, costModel);
        request.set("slo", JsonMapper.shared().createObjectNode().put("e2e_latency_ms", 1));
        int compared = 0;
        for (JsonNode answer : explained(request)) {
            assertThat(answer.at("/bottlenecks/0/limited_by").asString()).isEqualTo("e2e_latency");
            assertThat(answer.at("/bottlenecks/0/margins/e2e_latency_ms").asDouble())
                    .isNegative();
            for (JsonNode relaxation : answer.required("nearest_feasible")) {
                JsonNode changes = relaxation.required("changes");
                JsonNode change = changes.get(0);
                if (changes.size() > 1 || !change.required("lever").asString().equals("e2e_latency_limit")) {
                    continue;
                }
                assertThat(change.required("unit").asString()).isEqualTo("ms");
                JsonNode direct = result(changed(request, change)).at("/devices/0/phases/0/best");
                assertThat(tokens(relaxation.required("plan"))).isEqualTo(tokens(direct));
                JsonNode shorter = change.deepCopy()
                        .asObject()
                        .put("to", change.required("to").asDouble() * 0.999);
                assertThat(result(changed(request, shorter))
                                .at("/devices/0/phases/0/best")
                                .isMissingNode())
                        .isTrue();
                compared++;
            }
        }
        assertThat(compared).isPositive();
    }

    /// Of instances in a ratio and in whole numbers: the next batch size of either side of the best pair breaks it
    /// beside the other, and nothing is left of it where there is no pair.
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void explanationsOfPairsSayWhatBindsThem(boolean counted) {
        ObjectNode request = calibrated(new Random(7));
        ofCostModel(request, "analytic");
        request.put("mode", "pd_ratio").put("num_devices", 16);
        request.putObject("search").putArray("batch_range").add(1).add(48);
        ObjectNode ratio = request.putObject("pd_ratio").put("prefill_devices_per_instance", 2);
        ratio.putArray("decode_devices_per_instance").add(4);
        if (counted) {
            ratio.putObject("kv_transfer").put("gb_per_s", 20);
        }
        request.set("slo", JsonMapper.shared().createObjectNode().put("e2e_latency_ms", 12000));
        JsonNode best = result(request).at("/devices/0/pd_ratio/best");
        double left = 12000 - best.required("e2e_latency_ms").asDouble();
        int bound = 0;
        for (JsonNode answer : explained(request)) {
            for (String side : List.of("prefill", "decode")) {
                JsonNode binding = answer.required("bottlenecks")
                        .valueStream()
                        .filter(one -> one.required("phase").asString().equals(side))
                        .findFirst()
                        .orElseThrow();
                assertThat(binding.required("batch_size")).isEqualTo(best.required("batch_size_" + side.charAt(0)));
                assertThat(binding.at("/margins/e2e_latency_ms").asDouble()).isCloseTo(left, within(0.5));
                if (binding.required("limited_by").asString().equals("e2e_latency")) {
                    assertThat(binding.required("detail").asString())
                            .contains("exceeds 12000 ms", side.equals("prefill") ? "with decode" : "with prefill");
                    assertThat(best.required("limited_by_" + side).get(0).asString())
                            .isEqualTo("e2e_latency");
                    bound++;
                }
            }
        }
        assertThat(bound).isPositive();
        ObjectNode tight = limited(request, 1);
        assertThat(result(tight).at("/devices/0/phases").valueStream())
                .allSatisfy(phase ->
                        assertThat(phase.at("/rejected/0/reason").asString()).isEqualTo("e2e_latency"));
        JsonNode relaxation =
                explained(tight).getFirst().required("nearest_feasible").get(0);
        JsonNode change = relaxation.at("/changes/0");
        assertThat(change.required("lever").asString()).isEqualTo("e2e_latency_limit");
        assertThat(result(changed(tight, change)).at("/devices/0/pd_ratio/best").isMissingNode())
                .isFalse();
    }

    private static void ofCostModel(ObjectNode request, String costModel) {
        if (costModel.equals("analytic")) {
            request.remove(List.of("cost_model", "engine", "quantization"));
        }
    }

    /// The best of each layout delivers what the best of all batch sizes within the limit does.
    private static void assertAreBest(
            JsonNode found, List<JsonNode> all, ToDoubleFunction<JsonNode> whole, double limit) {
        Map<String, Double> best = best(
                all.stream().filter(point -> whole.applyAsDouble(point) < limit).toList());
        Map<String, Double> rows = best(found.required("rows").valueStream().toList());
        assertThat(rows.keySet()).isEqualTo(best.keySet());
        best.forEach((layout, tokens) -> assertThat(rows.get(layout)).isCloseTo(tokens, within(SAME * tokens)));
        found.required("rows")
                .forEach(row -> assertThat(whole.applyAsDouble(row)).isLessThan(limit));
        for (JsonNode rejected : found.required("rejected")) {
            if (rejected.required("reason").asString().equals("e2e_latency")) {
                assertThat(rejected.required("detail").asString()).contains("request latency", "exceeds");
            }
        }
    }

    /// By the accounting's law from what rows say of TTFT and TPOT.
    private static ToDoubleFunction<JsonNode> whole(ObjectNode request) {
        double output = output(request);
        boolean shared = !request.required("accounting").asString().equals("steady")
                && request.at("/workload/input_length").asInt()
                        <= request.at("/search/max_batched_tokens").asInt();
        return row -> shared
                ? output * row.required("tpot_ms").asDouble()
                : row.required("ttft_ms").asDouble()
                        + (output - 1) * row.required("tpot_ms").asDouble();
    }

    private static double output(ObjectNode request) {
        return request.at("/workload/output_length").asDouble()
                * (1 + request.at("/traffic/random_range_ratio").asDouble(1))
                / 2;
    }

    private static ObjectNode limited(ObjectNode request, double limit) {
        ObjectNode limited = request.deepCopy();
        limited.withObject("/slo").put("e2e_latency_ms", limit);
        return limited;
    }

    private static List<JsonNode> each(ObjectNode request, String rows) {
        return each(request, rows, MOST);
    }

    private static List<JsonNode> each(ObjectNode request, String rows, int most) {
        return IntStream.rangeClosed(1, most)
                .boxed()
                .flatMap(batch -> {
                    ObjectNode alone = request.deepCopy();
                    alone.withObject("/search")
                            .putArray("batch_range")
                            .add(batch)
                            .add(batch);
                    return result(alone).at(rows).valueStream();
                })
                .toList();
    }

    /// Between two figures that are not alike.
    private static double between(List<JsonNode> points, ToDoubleFunction<JsonNode> whole, Random random) {
        double[] sorted = points.stream().mapToDouble(whole).sorted().toArray();
        List<Double> gaps = new ArrayList<>();
        for (int index = 1; index < sorted.length; index++) {
            if (sorted[index] - sorted[index - 1] > 2) {
                gaps.add((sorted[index] + sorted[index - 1]) / 2);
            }
        }
        return gaps.isEmpty() ? 1 : gaps.get(random.nextInt(gaps.size()));
    }

    /// Most tokens per second of each layout.
    private static Map<String, Double> best(List<JsonNode> points) {
        Map<String, Double> best = new TreeMap<>();
        points.forEach(point -> best.merge(point.required("parallel").toString(), tokens(point), Math::max));
        return best;
    }

    private static ObjectNode analytic(Random random) {
        ObjectNode request = calibrated(random);
        ofCostModel(request, "analytic");
        request.put("accounting", List.of("documented", "steady").get(random.nextInt(2)));
        request.withObject("/search").put("strategy", "exhaustive").put("max_batched_tokens", 8192);
        if (random.nextInt(3) == 0) {
            request.withObject("/workload").put("input_length", 9000 + random.nextInt(9000));
            request.withObject("/slo").remove("ttft_ms");
        }
        return request;
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
