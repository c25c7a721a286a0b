package io.throughputoptimizer.job;

import static io.throughputoptimizer.job.ExplainedSearches.CATALOGS;
import static io.throughputoptimizer.job.ExplainedSearches.assertThatPairIs;
import static io.throughputoptimizer.job.ExplainedSearches.assertThatRelaxationsHold;
import static io.throughputoptimizer.job.ExplainedSearches.bestPair;
import static io.throughputoptimizer.job.ExplainedSearches.changed;
import static io.throughputoptimizer.job.ExplainedSearches.explained;
import static io.throughputoptimizer.job.ExplainedSearches.perDevice;
import static io.throughputoptimizer.job.ExplainedSearches.result;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.fixture.Nightly;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// What an explanation of pairs of several sizes on measured devices, of one or two kinds, with a transfer between
/// them, promises, against requests that make its changes themselves.
class MeasuredPairCountExplanationTest {
    private static final int MOST = 8;
    private static final List<String> DEVICES = List.of("H100_SXM", "H200_SXM", "B200_SXM");

    /// Members of a calibration that a lever scales.
    private static final Map<String, List<String>> PEAKS = Map.of(
            "memory_size", List.of("hbm_gib"),
            "memory_bandwidth", List.of("hbm_bytes_per_second"),
            "matrix_rate", List.of("bf16_dense_tflops", "fp8_dense_tflops", "fp4_dense_tflops", "int8_dense_tops"),
            "link_bandwidth", List.of("link_bytes_per_second_per_direction", "inter_node_bytes_per_second"));

    static LongStream seeds() {
        return Nightly.seeds(1);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void everySensitivityIsTheAnswerToARequestWithTheChange(long seed) {
        ObjectNode request = request(seed, false);
        Set<String> levers = new HashSet<>();
        JsonNode answer = explained(request).getFirst();
        assertThat(answer.required("device")).isEqualTo(result(request).at("/devices/0/device"));
        assertThatPlanIs(answer.path("best"), bestPair(request));
        for (JsonNode one : answer.required("sensitivities")) {
            JsonNode change = one.required("change");
            levers.add(change.required("lever").asString());
            if (change.has("pointer")) {
                JsonNode direct = bestPair(changed(request, change));
                assertThatPlanIs(one.path("plan"), direct);
                if (!direct.isMissingNode()) {
                    double effect = 100 * (perDevice(direct) / perDevice(answer.required("best")) - 1);
                    assertThat(one.required("effect_percent").asDouble()).isCloseTo(effect, within(1e-3));
                }
            }
        }
        assertThat(levers).contains("ttft_limit", "tpot_limit", "matrix_rate", "memory_size", "linear_quantization");
        assertThat(levers.contains("kv_transfer_rate"))
                .isEqualTo(request.at("/pd_ratio").has("kv_transfer"));
    }

    /// A scheme is set for both kinds of device.
    @ParameterizedTest
    @MethodSource("seeds")
    void anotherSchemeIsThatOfBothSides(long seed) {
        ObjectNode request = request(seed, false);
        for (JsonNode one : explained(request).getFirst().required("sensitivities")) {
            JsonNode change = one.required("change");
            if (change.required("lever").asString().equals("linear_quantization")) {
                ObjectNode changed = request.deepCopy();
                changed.withObject("/quantization").set("scheme", change.required("to"));
                assertThatPlanIs(one.path("plan"), bestPair(changed));
            }
        }
    }

    /// The figure is set in the calibration of a profile of the device that the change names.
    @ParameterizedTest
    @MethodSource("seeds")
    void aFigureOfOneSideIsThatOfItsDevice(long seed) {
        ObjectNode request = request(seed, false);
        Set<String> levers = new HashSet<>();
        for (JsonNode one : explained(request).getFirst().required("sensitivities")) {
            JsonNode change = one.required("change");
            List<String> peaks = PEAKS.getOrDefault(change.required("lever").asString(), List.of());
            if (!peaks.isEmpty()) {
                JsonNode direct = bestPair(withPeaks(request, change, peaks));
                assertThat(change.has("device"))
                        .isEqualTo(request.required("devices").size() > 1);
                assertThat(perDevice(one.required("plan")))
                        .isCloseTo(perDevice(direct), within(perDevice(direct) * 1e-9));
                levers.add(change.required("lever").asString());
            }
        }
        assertThat(levers).isEqualTo(PEAKS.keySet());
    }

    private static ObjectNode withPeaks(ObjectNode request, JsonNode change, List<String> peaks) {
        ObjectNode changed = request.deepCopy();
        String name = change.path("device").asString(request.at("/devices/0").asString());
        ObjectNode profile = JsonMapper.shared()
                .readTree(WireFormat.write(CATALOGS.deviceDocument(name).orElseThrow()))
                .asObject();
        profile.remove("effective");
        double factor =
                change.required("to").asDouble() / change.required("from").asDouble();
        ObjectNode figures = profile.withObject("/calibration/peaks");
        peaks.forEach(peak -> figures.put(peak, figures.required(peak).asDouble() * factor));
        changed.putArray("device_profiles").add(profile);
        return changed;
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void everyRelaxationGivesItsPlanAndALittleLessGivesNone(long seed) {
        assertThatRelaxationsHold(
                request(seed, true), ExplainedSearches::bestPair, MeasuredPairCountExplanationTest::assertThatPlanIs);
    }

    /// Some are asked for alone: with its latencies as limits each is the best of a search.
    @ParameterizedTest
    @MethodSource("seeds")
    void theFrontierIsWhatEachLimitCostsBesideTheOther(long seed) {
        ObjectNode request = request(seed, false);
        List<JsonNode> points = new ArrayList<>();
        explained(request).getFirst().at("/pareto_frontier/0/points").forEach(points::add);
        double ttft = request.at("/slo/ttft_ms").asDouble();
        double tpot = request.at("/slo/tpot_ms").asDouble();
        JsonNode best = bestPair(request);
        assertThat(points)
                .anyMatch(point -> perDevice(point) >= perDevice(best) * (1 - 1e-12)
                        && point.required("within_slo").asBoolean());
        NavigableMap<Double, Double> ofTpot = steps(points, "tpot_ms", keeping(points, "ttft_ms", ttft));
        NavigableMap<Double, Double> ofTtft = steps(points, "ttft_ms", keeping(points, "tpot_ms", tpot));
        for (JsonNode point : points) {
            boolean step = isStep(ofTpot, point, "tpot_ms") || isStep(ofTtft, point, "ttft_ms");
            assertThat(step).as("%s", point).isTrue();
            assertThat(point.required("within_slo").asBoolean())
                    .isEqualTo(point.required("ttft_ms").asDouble() <= ttft
                            && point.required("tpot_ms").asDouble() <= tpot);
        }
        for (int index = 0; index < points.size(); index += Math.max(1, points.size() / 4)) {
            JsonNode point = points.get(index);
            ObjectNode limited = request.deepCopy();
            for (String latency : List.of("ttft_ms", "tpot_ms")) {
                limited.withObject("/slo").put(latency, point.required(latency).asDouble() * (1 + 1e-9));
            }
            assertThat(perDevice(bestPair(limited))).isCloseTo(perDevice(point), within(perDevice(point) * 1e-9));
        }
    }

    /// A search with another limit finds what the frontier has up to it.
    @ParameterizedTest
    @MethodSource("seeds")
    void theFrontierHasTheBestOfEveryLimit(long seed) {
        ObjectNode request = request(seed, false);
        List<JsonNode> points = new ArrayList<>();
        explained(request).getFirst().at("/pareto_frontier/0/points").forEach(points::add);
        assertThatLimitsAreSteps(request, points, "tpot_ms", "ttft_ms", new Random(seed));
        assertThatLimitsAreSteps(request, points, "ttft_ms", "tpot_ms", new Random(seed));
    }

    private static void assertThatLimitsAreSteps(
            ObjectNode request, List<JsonNode> points, String latency, String other, Random random) {
        Predicate<JsonNode> keeps =
                keeping(points, other, request.at("/slo/" + other).asDouble());
        NavigableMap<Double, Double> steps = steps(points, latency, keeps);
        double shortest = steps.firstKey();
        double longest = steps.lastKey();
        for (int tried = 0; tried < 4; tried++) {
            double limit = shortest + (longest - shortest) * random.nextDouble() * 1.1 + 1e-6;
            ObjectNode limited = request.deepCopy();
            limited.withObject("/slo").put(latency, limit);
            double most = steps.floorEntry(limit).getValue();
            assertThat(perDevice(bestPair(limited))).isCloseTo(most, within(most * 1e-9));
        }
    }

    private static Predicate<JsonNode> keeping(List<JsonNode> points, String latency, double limit) {
        Predicate<JsonNode> keeps = point -> point.required(latency).asDouble() <= limit;
        return points.stream().anyMatch(keeps) ? keeps : _ -> true;
    }

    /// Of a latency the most tokens per second and device up to it.
    private static NavigableMap<Double, Double> steps(
            List<JsonNode> points, String latency, Predicate<JsonNode> keeps) {
        NavigableMap<Double, Double> most = new TreeMap<>();
        points.stream()
                .filter(keeps)
                .forEach(point -> most.merge(point.required(latency).asDouble(), perDevice(point), Math::max));
        NavigableMap<Double, Double> steps = new TreeMap<>();
        most.forEach((millis, rate) -> {
            if (steps.isEmpty() || rate > steps.lastEntry().getValue()) {
                steps.put(millis, rate);
            }
        });
        return steps;
    }

    private static boolean isStep(NavigableMap<Double, Double> steps, JsonNode point, String latency) {
        Double rate = steps.get(point.required(latency).asDouble());
        return rate != null && rate == perDevice(point);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void whatBindsIsSaidOfEveryBestPair(long seed) {
        ObjectNode request = request(seed, false);
        List<JsonNode> rows =
                result(request).at("/devices/0/pd_ratio/rows").valueStream().toList();
        List<JsonNode> kept = explained(request)
                .getFirst()
                .required("bottlenecks")
                .valueStream()
                .filter(binding -> binding.required("feasible").asBoolean())
                .toList();
        assertThat(kept).hasSameSizeAs(rows);
        for (int index = 0; index < rows.size(); index++) {
            JsonNode row = rows.get(index);
            JsonNode binding = kept.get(index);
            assertThat(binding.required("concurrency")).isEqualTo(row.required("concurrency"));
            assertThat(binding.at("/margins/ttft_ms").asDouble())
                    .isCloseTo(
                            request.at("/slo/ttft_ms").asDouble()
                                    - row.required("ttft_ms").asDouble(),
                            within(1e-9));
            assertThat(binding.at("/memory")).isEqualTo(row.required("memory"));
        }
    }

    private static void assertThatPlanIs(JsonNode plan, JsonNode direct) {
        assertThatPairIs(plan, direct);
        if (!direct.isMissingNode()) {
            assertThat(plan.required("concurrency")).isEqualTo(direct.required("concurrency"));
            assertThat(plan.at("/instances/0/ttft_ms")).isEqualTo(direct.required("ttft_ms"));
        }
    }

    private static ObjectNode request(long seed, boolean infeasible) {
        Random random = new Random(seed);
        ObjectNode request = JsonMapper.shared().createObjectNode();
        request.put("cost_model", "calibrated").put("mode", "pd_ratio").put("num_devices", 5 + random.nextInt(4));
        request.put("model_id", List.of("Qwen/Qwen3-32B", "Qwen/Qwen3-8B").get(random.nextInt(2)));
        String prefillDevice = DEVICES.get(random.nextInt(3));
        request.putArray("devices").add(prefillDevice);
        ObjectNode pairs = request.putObject("pd_ratio");
        pairs.putArray("prefill_devices_per_instance").add(1).add(2);
        pairs.putArray("decode_devices_per_instance").add(2).add(4);
        if (seed % 3 == 0) {
            String decodeDevice = DEVICES.get((DEVICES.indexOf(prefillDevice) + 1) % 3);
            request.withArray("devices").add(decodeDevice);
            pairs.put("prefill_devices", prefillDevice).put("decode_devices", decodeDevice);
        }
        if (random.nextBoolean()) {
            pairs.putObject("kv_transfer")
                    .put("gb_per_s", 1 + random.nextInt(50))
                    .put("latency_ms", random.nextInt(20));
        }
        request.putObject("engine").put("backend", "vllm").put("kv_cache_dtype", "fp8");
        request.putObject("quantization").put("scheme", "FP8");
        request.putObject("workload")
                .put("input_length", 500 + random.nextInt(3000))
                .put("output_length", 100 + random.nextInt(900));
        double hardness = infeasible ? 0.02 + 0.05 * random.nextDouble() : 1 + random.nextDouble();
        request.putObject("slo").put("ttft_ms", 1500 * hardness).put("tpot_ms", 12 * hardness);
        request.putObject("search").putArray("batch_range").add(1).add(MOST);
        return request;
    }
}
