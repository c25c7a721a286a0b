package io.throughputoptimizer.job;

import static io.throughputoptimizer.job.ExplainedSearches.changed;
import static io.throughputoptimizer.job.ExplainedSearches.explained;
import static io.throughputoptimizer.job.ExplainedSearches.request;
import static io.throughputoptimizer.job.ExplainedSearches.result;
import static io.throughputoptimizer.job.ExplainedSearches.tokens;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// Rankings by an objective, against all layouts and batch sizes.
class ObjectiveTest {
    private static final double PRICE = 2.5;

    @ParameterizedTest
    @MethodSource("io.throughputoptimizer.job.ExplainedSearches#seeds")
    void theBestOfEachLayoutIsThatOfAllBatchSizes(long seed) {
        ObjectNode request = exhaustive(seed);
        int floor = 1 + new Random(seed).nextInt(40);
        JsonNode phases = result(request).at("/devices/0/phases");
        for (ObjectNode objective : objectives(request, floor)) {
            String name = objective.required("name").asString();
            JsonNode ranked = ranked(request, objective);
            for (int index = 0; index < phases.size(); index++) {
                JsonNode found = ranked.at("/devices/0/phases/" + index);
                boolean users = name.endsWith("per_user")
                        && !found.required("phase").asString().equals("prefill");
                assertThat(bests(found))
                        .as("%s", objective)
                        .isEqualTo(bruteForce(phases.get(index), users ? floor : 1, order(users)));
                assertThatRowsAreRanked(found, users, name);
            }
        }
    }

    /// TPOT can fall from one batch size to the next, which only exhaustive evaluation sees.
    @ParameterizedTest
    @MethodSource("io.throughputoptimizer.job.ExplainedSearches#seeds")
    void everyStrategyIsAsFastForOneUserAsTheFewestRequestsOfALayout(long seed) {
        ObjectNode request = exhaustive(seed);
        if (request.required("mode").asString().equals("disaggregation")) {
            return;
        }
        int floor = 1 + new Random(seed).nextInt(40);
        JsonNode points = result(request).at("/devices/0/phases");
        ObjectNode objective = named("tokens_per_s_per_user").put("min_concurrency", floor);
        for (String strategy : List.of("exponential", "binary", "linear_exponential")) {
            request.withObject("/search").put("strategy", strategy);
            JsonNode found = ranked(request, objective).at("/devices/0/phases");
            for (int index = 0; index < points.size(); index++) {
                if (found.get(index).required("phase").asString().equals("prefill")) {
                    continue;
                }
                Map<String, JsonNode> fewest = kept(points.get(index), floor).stream()
                        .collect(Collectors.toMap(ObjectiveTest::label, point -> point, (one, _) -> one));
                assertThat(found.get(index).required("rows").size()).isEqualTo(fewest.size());
                for (JsonNode row : found.get(index).required("rows")) {
                    assertThat(row.required("tpot_ms").asDouble())
                            .isLessThanOrEqualTo(requireNonNull(fewest.get(label(row)))
                                    .required("tpot_ms")
                                    .asDouble());
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("io.throughputoptimizer.job.ExplainedSearches#seeds")
    void withOneKindOfDeviceCostRanksAsTokensPerSecond(long seed) {
        ObjectNode request = request(new Random(seed), false);
        JsonNode usual = result(request).required("devices").get(0);
        JsonNode priced = ranked(request, cost()).required("devices").get(0);
        JsonNode named =
                ranked(request, named("tokens_per_s")).required("devices").get(0);
        for (JsonNode ranked : List.of(priced, named)) {
            for (int index = 0; index < usual.required("phases").size(); index++) {
                assertThat(withoutObjective(ranked.at("/phases/" + index))).isEqualTo(usual.at("/phases/" + index));
            }
        }
        if (usual.has("pd_ratio")) {
            assertThat(withoutObjective(named.required("pd_ratio"))).isEqualTo(usual.required("pd_ratio"));
        }
    }

    @ParameterizedTest
    @MethodSource("io.throughputoptimizer.job.ExplainedSearches#seeds")
    void theBestPairIsThatOfAllLayoutsAndBatchSizes(long seed) {
        ObjectNode request = exhaustive(seed);
        request.put("mode", "pd_ratio");
        int devices = request.required("num_devices").asInt();
        request.putObject("pd_ratio")
                .put("prefill_devices_per_instance", devices)
                .put("decode_devices_per_instance", devices / 2);
        request.withObject("/search").remove("tp_sizes");
        int floor = 1 + new Random(seed).nextInt(20);
        JsonNode phases = result(request).at("/devices/0/phases");
        int outputs = request.at("/workload/output_length").asInt();
        double inputs = request.at("/workload/input_length").asDouble();
        boolean sustained = request.path("accounting").asString("").equals("steady");
        double rounded = sustained ? 1e-6 : 1e-9;
        for (ObjectNode objective : objectives(request, floor)) {
            String name = objective.required("name").asString();
            boolean users = name.endsWith("per_user");
            double best = Double.NEGATIVE_INFINITY;
            for (JsonNode prefill : kept(phases.get(0), 1)) {
                double prefillRequestsPerS = prefill.required("concurrency").asDouble()
                        / prefill.required("ttft_ms").asDouble()
                        * 1000;
                for (JsonNode decode : kept(phases.get(1), users ? floor : 1)) {
                    double tpot = decode.required("tpot_ms").asDouble();
                    double decodeRequestsPerS =
                            decode.required("concurrency").asDouble() / (tpot * Math.max(outputs - 1, 1)) * 1000;
                    // What counts devices goes by what instances have time for, but with the reference's accounting.
                    double feeding =
                            sustained ? prefill.required("tokens_per_s").asDouble() / inputs : prefillRequestsPerS;
                    double fed = sustained
                            ? decode.required("tokens_per_s").asDouble() / Math.max(outputs - 1, 1)
                            : decodeRequestsPerS;
                    double perDevice = outputs / (devices / feeding + devices / 2.0 / fed);
                    double worth = switch (name) {
                        case "tokens_per_s" -> outputs * Math.min(prefillRequestsPerS, decodeRequestsPerS);
                        case "tokens_per_s_per_device" -> perDevice;
                        case "tokens_per_s_per_user" -> 1000 / tpot;
                        default -> -PRICE * 1e6 / 3600 / perDevice;
                    };
                    best = Math.max(best, worth);
                }
            }
            JsonNode row = ranked(request, objective).at("/devices/0/pd_ratio/best");
            assertThat(row.isMissingNode()).isEqualTo(Double.isInfinite(best));
            if (!row.isMissingNode()) {
                assertThat(row.at("/objective/value").asDouble())
                        .isCloseTo(Math.abs(best), within(rounded * Math.abs(best)));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("io.throughputoptimizer.job.ExplainedSearches#seeds")
    void explanationsFollowIt(long seed) {
        ObjectNode request = request(new Random(seed), false);
        List<ObjectNode> objectives = objectives(request, 4);
        ObjectNode objective = objectives.get((int) (seed % objectives.size()));
        request.set("objective", objective);
        for (JsonNode answer : explained(request)) {
            if (!answer.has("best")) {
                continue;
            }
            double today = answer.at("/best/objective/value").asDouble();
            boolean cost = answer.at("/best/objective/name").asString().startsWith("cost");
            double before = Double.POSITIVE_INFINITY;
            for (JsonNode one : answer.required("sensitivities")) {
                if (!one.has("plan")) {
                    before = Double.NEGATIVE_INFINITY;
                    continue;
                }
                double effect = 100 * (one.at("/plan/objective/value").asDouble() / today - 1);
                assertThat(one.required("effect_percent").asDouble()).isCloseTo(effect, within(1e-3));
                double gain = cost ? -effect : effect;
                assertThat(gain).isLessThanOrEqualTo(before + 1e-9);
                before = gain;
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"aggregation", "pd_ratio", "calibrated", "calibrated pd_ratio"})
    void halfAndTwiceTheLeastConcurrencyAreSearchedAgain(String kind) {
        ObjectNode request = ofUsers(kind);
        List<Double> settings = new ArrayList<>();
        for (JsonNode one : explained(request).getFirst().required("sensitivities")) {
            JsonNode change = one.required("change");
            if (change.required("lever").asString().equals("least_concurrency")) {
                assertThat(change.required("pointer").asString()).isEqualTo("/objective/min_concurrency");
                JsonNode device = result(changed(request, change)).at("/devices/0");
                JsonNode best = device.path("pd_ratio").path("best");
                JsonNode direct = best.isMissingNode() ? device.at("/phases/0/best") : best;
                assertThat(one.at("/plan/objective/value")).isEqualTo(direct.at("/objective/value"));
                settings.add(change.required("to").asDouble());
            }
        }
        assertThat(settings).containsExactlyInAnyOrder(4.0, 16.0);
    }

    private static ObjectNode ofUsers(String kind) {
        ObjectNode request = JsonMapper.shared().createObjectNode();
        boolean pairs = kind.endsWith("pd_ratio");
        request.put("model_id", "Qwen/Qwen3-8B").put("num_devices", 4).put("mode", pairs ? "pd_ratio" : "aggregation");
        request.putObject("workload").put("input_length", 1000).put("output_length", 100);
        request.putObject("slo").put("ttft_ms", 5000).put("tpot_ms", 100);
        request.set("objective", named("tokens_per_s_per_user").put("min_concurrency", 8));
        if (pairs) {
            request.putObject("pd_ratio").put("prefill_devices_per_instance", 2).put("decode_devices_per_instance", 2);
        }
        if (kind.startsWith("calibrated")) {
            request.put("cost_model", "calibrated").putArray("devices").add("H100_SXM");
            request.putObject("engine").put("backend", "vllm");
            request.putObject("quantization").put("scheme", "FP8");
        } else {
            request.put("cost_model", "analytic").putArray("devices").add("TEST_DEVICE");
            request.putObject("serving").put("compile", true);
        }
        return request;
    }

    private static ObjectNode exhaustive(long seed) {
        ObjectNode request = request(new Random(seed), false);
        request.withObject("/search").put("strategy", "exhaustive");
        return request;
    }

    private static JsonNode ranked(ObjectNode request, ObjectNode objective) {
        return result(request.deepCopy().set("objective", objective));
    }

    /// Those that a mode knows.
    private static List<ObjectNode> objectives(ObjectNode request, int floor) {
        List<ObjectNode> objectives =
                new ArrayList<>(List.of(named("tokens_per_s"), named("tokens_per_s_per_device"), cost()));
        if (!request.required("mode").asString().equals("disaggregation")) {
            objectives.add(2, named("tokens_per_s_per_user").put("min_concurrency", floor));
        }
        return objectives;
    }

    private static ObjectNode named(String name) {
        return JsonMapper.shared().createObjectNode().put("name", name);
    }

    private static ObjectNode cost() {
        return named("cost_per_million_tokens").put("price_per_device_hour", PRICE);
    }

    private static ToDoubleFunction<JsonNode> order(boolean users) {
        return users ? point -> point.required("tpot_ms").asDouble() : point -> -tokens(point);
    }

    private static List<JsonNode> kept(JsonNode phase, int floor) {
        List<JsonNode> kept = new ArrayList<>();
        phase.required("points").forEach(point -> {
            if (point.required("within_slo").asBoolean()
                    && point.required("concurrency").asInt() >= floor) {
                kept.add(point);
            }
        });
        return kept;
    }

    /// The best batch size of each layout.
    private static Map<String, Integer> bruteForce(JsonNode phase, int floor, ToDoubleFunction<JsonNode> order) {
        Comparator<JsonNode> bestFirst = Comparator.comparingDouble(order)
                .thenComparingDouble(point -> -tokens(point))
                .thenComparingInt(point -> point.required("batch_size").asInt());
        return kept(phase, floor).stream()
                .collect(Collectors.toMap(
                        ObjectiveTest::label,
                        point -> point,
                        (one, other) -> bestFirst.compare(one, other) <= 0 ? one : other))
                .entrySet()
                .stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey,
                        entry -> entry.getValue().required("batch_size").asInt()));
    }

    private static Map<String, Integer> bests(JsonNode phase) {
        List<JsonNode> rows = new ArrayList<>();
        phase.required("rows").forEach(rows::add);
        return rows.stream()
                .collect(Collectors.toMap(
                        ObjectiveTest::label, row -> row.required("batch_size").asInt()));
    }

    private static String label(JsonNode row) {
        return row.at("/parallel/label").asString();
    }

    /// With the figure of each row by its own figures.
    private static void assertThatRowsAreRanked(JsonNode phase, boolean users, String asked) {
        double before = Double.POSITIVE_INFINITY;
        for (JsonNode row : phase.required("rows")) {
            String name = row.at("/objective/name").asString();
            assertThat(name).isEqualTo(asked.endsWith("per_user") && !users ? "tokens_per_s" : asked);
            double value = row.at("/objective/value").asDouble();
            double expected = switch (name) {
                case "tokens_per_s" -> tokens(row);
                case "tokens_per_s_per_device" ->
                    row.required("tokens_per_s_per_device").asDouble();
                case "tokens_per_s_per_user" -> 1000 / row.required("tpot_ms").asDouble();
                default ->
                    PRICE
                            * 1e6
                            / 3600
                            * row.at("/parallel/tp").asInt()
                            * row.at("/parallel/dp").asInt()
                            / tokens(row);
            };
            assertThat(value).isCloseTo(expected, within(1e-12 * expected));
            double worth = name.startsWith("cost") ? -value : value;
            assertThat(worth).isLessThanOrEqualTo(before);
            before = worth;
        }
    }

    private static JsonNode withoutObjective(JsonNode found) {
        JsonNode copy = found.deepCopy();
        copy.findParents("objective").forEach(row -> ((ObjectNode) row).remove("objective"));
        return copy;
    }
}
