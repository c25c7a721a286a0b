package io.throughputoptimizer.job;

import static io.throughputoptimizer.job.ExplainedSearches.assertThatPairIs;
import static io.throughputoptimizer.job.ExplainedSearches.bestPair;
import static io.throughputoptimizer.job.ExplainedSearches.changedWithDevices;
import static io.throughputoptimizer.job.ExplainedSearches.explained;
import static io.throughputoptimizer.job.ExplainedSearches.lessOf;
import static io.throughputoptimizer.job.ExplainedSearches.perDevice;
import static io.throughputoptimizer.job.ExplainedSearches.result;
import static io.throughputoptimizer.job.ExplainedSearches.tokens;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.throughputoptimizer.fixture.Nightly;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// What an explanation of pairs of several sizes and kinds of device, with a transfer between them, promises, against
/// requests that make its changes themselves.
class PairCountExplanationTest {
    private static final List<String> DEVICES = List.of("TEST_DEVICE", "H100_SXM", "B200_SXM");
    private static final double EXACT = 1e-12;

    static LongStream seeds() {
        return Nightly.seeds(1);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void everySensitivityIsTheAnswerToARequestWithTheChange(long seed) {
        ObjectNode request = request(seed, false);
        boolean twoKinds = request.required("devices").size() == 2;
        Set<String> levers = new HashSet<>();
        for (JsonNode answer : explained(request)) {
            assertThatPlanIs(answer.path("best"), bestPair(request));
            for (JsonNode one : answer.required("sensitivities")) {
                JsonNode change = one.required("change");
                JsonNode direct = bestPair(changedWithDevices(request, change));
                assertThatPlanIs(one.path("plan"), direct);
                if (!direct.isMissingNode()) {
                    double effect = 100 * (perDevice(direct) / perDevice(answer.required("best")) - 1);
                    assertThat(one.required("effect_percent").asDouble()).isCloseTo(effect, within(1e-3));
                }
                String lever = change.required("lever").asString();
                assertThat(change.has("device")).isEqualTo(twoKinds && !change.has("pointer"));
                levers.add(lever);
            }
        }
        assertThat(levers).contains("ttft_limit", "tpot_limit", "memory_size", "matrix_rate", "prefix_cache_hit_rate");
        assertThat(levers.contains("kv_transfer_rate"))
                .isEqualTo(request.at("/pd_ratio").has("kv_transfer"));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void everyRelaxationGivesItsPlanAndALittleLessGivesNone(long seed) {
        ObjectNode request = request(seed, true);
        int compared = 0;
        for (JsonNode answer : explained(request)) {
            assertThat(answer.has("best")).isFalse();
            for (JsonNode relaxation : answer.required("nearest_feasible")) {
                ObjectNode relaxed = request;
                for (JsonNode change : relaxation.required("changes")) {
                    relaxed = changedWithDevices(relaxed, change);
                }
                assertThatPlanIs(relaxation.required("plan"), bestPair(relaxed));
                compared++;
                for (JsonNode change : relaxation.required("changes")) {
                    ObjectNode all = relaxed;
                    lessOf(change)
                            .ifPresent(less -> assertThat(bestPair(changedWithDevices(all, less))
                                            .isMissingNode())
                                    .as("%s", less)
                                    .isTrue());
                }
            }
        }
        assertThat(compared).isPositive();
    }

    /// A transfer that takes most of the time to the first token is what is worth changing.
    @Test
    void aSlowTransferIsMadeAsFastAsItMustBe() {
        ObjectNode request = request(2, false);
        request.withObject("/pd_ratio").putObject("kv_transfer").put("gb_per_s", 0.01);

        JsonNode answer = explained(request).getFirst();

        assertThat(answer.required("bottlenecks")
                        .valueStream()
                        .filter(binding -> binding.required("phase").asString().equals("prefill"))
                        .map(binding -> binding.required("detail").asString()))
                .isNotEmpty()
                .allMatch(detail -> detail.startsWith("KV transfer "));
        JsonNode relaxation = answer.required("nearest_feasible")
                .valueStream()
                .filter(one -> one.at("/changes/0/lever").asString().equals("kv_transfer_rate"))
                .findFirst()
                .orElseThrow();
        JsonNode change = relaxation.at("/changes/0");
        assertThat(change.required("pointer").asString()).isEqualTo("/pd_ratio/kv_transfer/gb_per_s");
        assertThatPlanIs(relaxation.required("plan"), bestPair(changedWithDevices(request, change)));
        assertThat(bestPair(changedWithDevices(request, lessOf(change).orElseThrow()))
                        .isMissingNode())
                .isTrue();
    }

    /// Numbers of instances are tried one by one, and each pair of batch sizes.
    @ParameterizedTest
    @MethodSource("seeds")
    void theFrontierIsWhatEachLimitCostsBesideTheOther(long seed) {
        ObjectNode request = request(seed, seed % 3 == 0);
        ObjectNode unlimited = request.deepCopy();
        unlimited.putObject("slo").put("ttft_ms", "inf").put("tpot_ms", "inf");
        unlimited.withObject("/search").put("strategy", "exhaustive");
        unlimited.put("dump_original_results", true);
        JsonNode result = result(unlimited);
        JsonNode device = result.at("/devices/0");
        double transfer = device.at("/pd_ratio/best/kv_transfer_ms").asDouble(0);
        double outputs = request.at("/workload/output_length").asDouble();
        boolean sustained = request.required("accounting").asString().equals("steady");
        List<Rate> prefill = rates(result, device, "prefill", sustained, 1, transfer);
        List<Rate> decode = rates(result, device, "decode", sustained, Math.max(outputs - 1, 1), 0);
        Pairs pairs = new Pairs(
                request.required("num_devices").asInt(),
                device.required("device").asString().contains(" + "),
                outputs);
        double ttftLimit = request.at("/slo/ttft_ms").asDouble();
        double tpotLimit = request.at("/slo/tpot_ms").asDouble();

        JsonNode points = explained(request).getFirst().at("/pareto_frontier/0/points");

        assertThat(points).isNotEmpty();
        assertThatStepsAre(
                pairs.steps(keeping(prefill, ttftLimit), decode, false), points, "tpot_ms", "ttft_ms", ttftLimit);
        assertThatStepsAre(
                pairs.steps(prefill, keeping(decode, tpotLimit), true), points, "ttft_ms", "tpot_ms", tpotLimit);
        assertThat(points.valueStream()).allSatisfy(point -> {
            assertThat(point.required("within_slo").asBoolean())
                    .isEqualTo(point.required("ttft_ms").asDouble() <= ttftLimit
                            && point.required("tpot_ms").asDouble() <= tpotLimit);
            assertThat(point.required("tokens_per_s_per_device").asDouble())
                    .isCloseTo(tokens(point) / point.required("devices_used").asInt(), within(1e-9));
        });
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void aPointOfTheFrontierIsTheBestOfASearchWithItsLatenciesAsLimits(long seed) {
        ObjectNode request = request(seed, false);
        request.withObject("/search").put("strategy", "exhaustive");
        List<JsonNode> points = explained(request)
                .getFirst()
                .at("/pareto_frontier/0/points")
                .valueStream()
                .toList();
        for (int index = 0; index < points.size(); index += Math.max(1, points.size() / 5)) {
            JsonNode point = points.get(index);
            ObjectNode limited = request.deepCopy();
            for (String latency : List.of("ttft_ms", "tpot_ms")) {
                limited.withObject("/slo").put(latency, point.required(latency).asDouble() + 5.1e-4);
            }
            // Of batch sizes that sustain the same within 0.1 % a search takes the smallest.
            assertThat(perDevice(bestPair(limited)))
                    .isGreaterThanOrEqualTo(0.999 * perDevice(point))
                    .isCloseTo(perDevice(point), within(0.02 * perDevice(point)));
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void whatBindsASideIsWhatItsNextBatchSizeBreaks(long seed) {
        ObjectNode request = request(seed, false);
        JsonNode answer = explained(request).getFirst();
        JsonNode device = result(request).at("/devices/0");
        JsonNode best = device.at("/pd_ratio/best");
        double transfer = best.path("kv_transfer_ms").asDouble(0);
        for (String side : List.of("p", "d")) {
            List<JsonNode> bindings = answer.required("bottlenecks")
                    .valueStream()
                    .filter(binding ->
                            binding.required("phase").asString().equals(side.equals("p") ? "prefill" : "decode"))
                    .toList();
            assertThat(bindings.getFirst().required("label")).isEqualTo(best.at("/parallel_" + side + "/label"));
            Map<String, JsonNode> sides = new HashMap<>();
            device.at("/pd_ratio/rows")
                    .forEach(row ->
                            sides.put(row.at("/parallel_" + side + "/label").asString(), row));
            for (JsonNode binding : bindings) {
                JsonNode row = sides.get(binding.required("label").asString());
                if (row != null) {
                    assertThat(binding.required("feasible").asBoolean()).isTrue();
                    assertThat(binding.required("batch_size")).isEqualTo(row.required("batch_size_" + side));
                    String latency = side.equals("p") ? "ttft_ms" : "tpot_ms";
                    double left = request.at("/slo/" + latency).asDouble()
                            - row.required(latency).asDouble();
                    assertThat(binding.at("/margins/" + latency).asDouble()).isCloseTo(left, within(1e-3));
                    assertThat(left).isGreaterThanOrEqualTo(0);
                    assertThatTheNextBatchSizeBreaksIt(request, binding, transfer);
                }
            }
        }
    }

    private static void assertThatTheNextBatchSizeBreaksIt(ObjectNode request, JsonNode binding, double transfer) {
        String binds = binding.required("limited_by").asString();
        String detail = binding.required("detail").asString();
        assertThat(detail.contains(", without the KV transfer of ")).isEqualTo(binds.equals("ttft") && transfer > 0);
        if (!List.of("ttft", "tpot", "memory").contains(binds)) {
            return;
        }
        long next = binding.required("batch_size").asLong() + 1;
        ObjectNode alone = request.deepCopy();
        alone.withObject("/search").putArray("batch_range").add(next).add(next);
        assertThat(result(alone)
                        .at("/devices/0/phases")
                        .valueStream()
                        .flatMap(phase -> phase.required("rejected").valueStream())
                        .filter(rejected -> rejected.at("/parallel/label").equals(binding.required("label")))
                        .map(rejected -> rejected.required("reason").asString()))
                .contains(binds);
    }

    /// A rate of one instance, by the formulas of the mode.
    private record Rate(int devices, double requestsPerS, double millis) {}

    /// Of all recorded rows of a phase.
    private static List<Rate> rates(
            JsonNode result, JsonNode device, String phase, boolean sustained, double tokens, double transfer) {
        List<Rate> rates = new ArrayList<>();
        result.required("original_results")
                .valueStream()
                .filter(row -> row.required("phase").asString().equals(phase)
                        && row.required("device").equals(device.required("device")))
                .forEach(row -> {
                    double millis = row.required(phase.equals("prefill") ? "ttft_ms" : "tpot_ms")
                            .asDouble();
                    double requestsPerS = sustained
                            ? row.required("sustained_requests_per_s").asDouble()
                            : row.required("concurrency").asDouble() / (millis * tokens) * 1000;
                    int devices = row.at("/parallel/tp").asInt()
                            * row.at("/parallel/dp").asInt();
                    rates.add(new Rate(devices, requestsPerS, millis + transfer));
                });
        return rates;
    }

    /// Those that keep a limit; all where none does.
    private static List<Rate> keeping(List<Rate> rates, double limit) {
        List<Rate> kept = rates.stream().filter(rate -> rate.millis <= limit).toList();
        return kept.isEmpty() ? rates : kept;
    }

    private record Pairs(int deviceCount, boolean apart, double outputs) {
        /// By latency of one side the most tokens per second and device.
        private NavigableMap<Double, Double> steps(List<Rate> prefill, List<Rate> decode, boolean ofPrefill) {
            TreeMap<Double, Double> most = new TreeMap<>();
            for (Rate one : ofPrefill ? prefill : highest(prefill)) {
                for (Rate other : ofPrefill ? highest(decode) : decode) {
                    double best = best(one, other);
                    if (best > 0) {
                        most.merge(ofPrefill ? one.millis : other.millis, best, Math::max);
                    }
                }
            }
            TreeMap<Double, Double> steps = new TreeMap<>();
            double before = 0;
            for (Map.Entry<Double, Double> entry : most.entrySet()) {
                if (entry.getValue() > before * (1 + EXACT)) {
                    before = entry.getValue();
                    steps.put(entry.getKey(), before);
                }
            }
            return steps;
        }

        private double best(Rate prefill, Rate decode) {
            double best = 0;
            for (int p = 1; p * prefill.devices <= deviceCount; p++) {
                int left = apart ? deviceCount : deviceCount - p * prefill.devices;
                for (int d = 1; d * decode.devices <= left; d++) {
                    double requestsPerS = Math.min(p * prefill.requestsPerS, d * decode.requestsPerS);
                    best = Math.max(best, outputs * requestsPerS / (p * prefill.devices + d * decode.devices));
                }
            }
            return best;
        }

        /// Of instances of each size the one that serves most.
        private static List<Rate> highest(List<Rate> rates) {
            Map<Integer, Rate> most = new HashMap<>();
            rates.forEach(rate -> most.merge(
                    rate.devices, rate, (one, other) -> one.requestsPerS >= other.requestsPerS ? one : other));
            return List.copyOf(most.values());
        }
    }

    /// Every step is shown, and what is shown within the limit on the other latency is on no lower step.
    private static void assertThatStepsAre(
            NavigableMap<Double, Double> steps, JsonNode points, String latency, String other, double limit) {
        boolean kept =
                points.valueStream().anyMatch(point -> point.required(other).asDouble() <= limit);
        steps.forEach((millis, most) -> assertThat(points.valueStream()).anySatisfy(point -> {
            assertThat(point.required(latency).asDouble()).isCloseTo(millis, within(1e-9));
            assertThat(perDevice(point)).isCloseTo(most, within(most * EXACT));
        }));
        points.valueStream()
                .filter(point -> !kept || point.required(other).asDouble() <= limit)
                .forEach(point -> assertThat(perDevice(point))
                        .isLessThanOrEqualTo(
                                steps.floorEntry(point.required(latency).asDouble() + 1e-9)
                                                .getValue()
                                        * (1 + EXACT)));
    }

    private static void assertThatPlanIs(JsonNode plan, JsonNode direct) {
        assertThatPairIs(plan, direct);
        if (!direct.isMissingNode()) {
            assertThat(plan.at("/instances/0/ttft_ms")).isEqualTo(direct.required("ttft_ms"));
            assertThat(plan.at("/instances/1/tpot_ms")).isEqualTo(direct.required("tpot_ms"));
            assertThat(plan.at("/instances/0/batch_size")).isEqualTo(direct.required("batch_size_p"));
            assertThat(plan.at("/instances/1/batch_size")).isEqualTo(direct.required("batch_size_d"));
        }
    }

    /// Dense, routed and latent models; a third on two kinds of device, half with a transfer.
    private static ObjectNode request(long seed, boolean infeasible) {
        Random random = new Random(seed);
        String model = List.of("Qwen/Qwen3-8B", "Qwen/Qwen3-30B-A3B", "deepseek-ai/DeepSeek-V3")
                .get(random.nextInt(3));
        boolean large = model.startsWith("deepseek");
        boolean twoKinds = seed % 3 == 0;
        ObjectNode request = JsonMapper.shared().createObjectNode();
        request.put("model_id", model)
                .put("mode", "pd_ratio")
                .put("num_devices", (large ? 48 : 11) + random.nextInt(4));
        request.put("accounting", random.nextBoolean() ? "documented" : "steady");
        String prefillDevice = DEVICES.get(random.nextInt(3));
        String decodeDevice = twoKinds ? DEVICES.get((DEVICES.indexOf(prefillDevice) + 1) % 3) : prefillDevice;
        request.putArray("devices").add(prefillDevice);
        ObjectNode pairs = request.putObject("pd_ratio");
        pairs.putArray("prefill_devices_per_instance").add(large ? 16 : 2).add(large ? 32 : 4);
        pairs.putArray("decode_devices_per_instance").add(large ? 8 : 2).add(large ? 16 : 4);
        if (twoKinds) {
            request.withArray("devices").add(decodeDevice);
            pairs.put("prefill_devices", prefillDevice).put("decode_devices", decodeDevice);
        }
        if (random.nextBoolean()) {
            pairs.putObject("kv_transfer")
                    .put("gb_per_s", 1 + random.nextInt(50))
                    .put("latency_ms", random.nextInt(20));
        }
        int input = 500 + random.nextInt(4000);
        request.putObject("workload").put("input_length", input).put("output_length", 50 + random.nextInt(500));
        double hardness = infeasible ? 0.005 + 0.01 * random.nextDouble() : 4 + 4 * random.nextDouble();
        request.putObject("slo")
                .put("ttft_ms", hardness * (large ? 1 : 0.4) * input)
                .put("tpot_ms", (infeasible ? hardness * 40 : 100 + 100 * random.nextDouble()) * (large ? 2 : 1));
        ObjectNode search = request.putObject("search");
        search.putArray("tp_sizes").add(large ? 8 : 2).add(large ? 16 : 4);
        search.putArray("batch_range").add(1).add(12 + random.nextInt(60));
        request.putObject("serving").put("compile", true);
        return request;
    }
}
