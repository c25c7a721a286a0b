package io.throughputoptimizer.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.api.request.ProblemReader;
import io.throughputoptimizer.catalog.CatalogReader;
import io.throughputoptimizer.catalog.Catalogs;
import io.throughputoptimizer.core.forward.AnalyticForwardEstimator;
import io.throughputoptimizer.core.forward.ForwardPlan;
import io.throughputoptimizer.core.search.Optimizer;
import io.throughputoptimizer.core.search.SearchMonitor;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// What an explanation promises, against requests that make its changes themselves.
class ExplanationTest {
    private static final String DEVICE = "TEST_DEVICE";
    private static final double LESS = 0.999;
    private static final Catalogs CATALOGS = CatalogReader.read(null, null);
    private static final Map<ForwardPlan.Key, ForwardPlan> PLANS = new ConcurrentHashMap<>();
    private static final AnalyticForwardEstimator ESTIMATOR = new AnalyticForwardEstimator(
            deployment -> PLANS.computeIfAbsent(ForwardPlan.Key.of(deployment), _ -> new ForwardPlan(deployment)));
    private static final RunOptimization SEARCH = new RunOptimization(
            new ProblemReader(CATALOGS, Long.MAX_VALUE), new Optimizer(ESTIMATOR), ESTIMATOR, Clock.systemUTC());

    static LongStream seeds() {
        return LongStream.range(0, 60);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void everySensitivityIsTheAnswerToARequestWithTheChange(long seed) {
        ObjectNode request = request(new Random(seed), false);

        int compared = 0;
        for (JsonNode answer : explained(request)) {
            for (JsonNode one : answer.required("what_would_help")) {
                ObjectNode changed = request.deepCopy();
                apply(changed, one.required("change"));
                JsonNode direct = best(changed, answer.required("aim").asString());
                assertThatPlanIs(one.path("plan"), direct);
                compared++;
                if (!direct.isMissingNode()) {
                    double effect = 100 * (rate(direct) / rateOfPlan(answer.required("best")) - 1);
                    assertThat(one.required("effect_percent").asDouble()).isCloseTo(effect, within(1e-3));
                }
            }
        }
        assertThat(compared).isPositive();
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void everyRelaxationGivesItsPlanAndALittleLessGivesNone(long seed) {
        ObjectNode request = request(new Random(seed), true);

        int compared = 0;
        for (JsonNode answer : explained(request)) {
            assertThat(answer.has("best")).isFalse();
            String aim = answer.required("aim").asString();
            for (JsonNode relaxation : answer.required("nearest_feasible")) {
                JsonNode changes = relaxation.required("changes");
                ObjectNode relaxed = request.deepCopy();
                changes.forEach(change -> apply(relaxed, change));
                JsonNode direct = best(relaxed, aim);
                assertThat(direct.isMissingNode()).isFalse();
                assertThatPlanIs(relaxation.required("plan"), direct);
                compared++;
                for (JsonNode change : changes) {
                    lessOf(change).ifPresent(less -> {
                        ObjectNode tooLittle = relaxed.deepCopy();
                        apply(tooLittle, less);
                        assertThat(best(tooLittle, aim).isMissingNode())
                                .as("%s", less)
                                .isTrue();
                    });
                }
            }
        }
        assertThat(compared).isPositive();
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void whatBindsIsWhatTheNextBatchSizeBreaks(long seed) {
        ObjectNode request = request(new Random(seed), false);
        long last = request.at("/search/batch_range/1").asLong();

        for (JsonNode answer : explained(request)) {
            for (JsonNode binding : answer.required("binding")) {
                if (!binding.required("feasible").asBoolean()) {
                    continue;
                }
                long batchSize = binding.required("batch_size").asLong();
                String binds = binding.required("binds").asString();
                if (batchSize == last) {
                    assertThat(binds).isEqualTo("batch_range");
                    continue;
                }
                JsonNode now = phase(request, binding, batchSize);
                JsonNode next = phase(request, binding, batchSize + 1);
                if (List.of("ttft", "tpot", "memory").contains(binds)) {
                    assertThat(labelled(next.required("rejected"), binding)
                                    .required("reason")
                                    .asString())
                            .isEqualTo(binds);
                } else {
                    boolean more = tokens(labelled(next.required("rows"), binding))
                            > tokens(labelled(now.required("rows"), binding));
                    assertThat(more).isEqualTo(binds.equals("search"));
                }
                assertThatFiguresAreThoseOf(labelled(now.required("rows"), binding), binding, request);
            }
        }
    }

    private static void assertThatFiguresAreThoseOf(JsonNode row, JsonNode binding, ObjectNode request) {
        JsonNode margins = binding.required("margins");
        for (String figure : List.of("ttft_ms", "tpot_ms")) {
            boolean limited = row.has(figure) && margins.has(figure);
            if (limited) {
                double left = request.at("/slo/" + figure).asDouble()
                        - row.required(figure).asDouble();
                assertThat(margins.required(figure).asDouble()).isCloseTo(left, within(1e-3));
            }
        }
        assertThat(binding.required("memory")).isEqualTo(row.required("memory"));
        assertThat(margins.required("memory_gb").asDouble())
                .isEqualTo(row.at("/memory/available_gb").asDouble());
        for (JsonNode pass : binding.required("passes")) {
            double shares = pass.required("shares")
                    .valueStream()
                    .mapToDouble(JsonNode::asDouble)
                    .sum();
            assertThat(shares).isCloseTo(100, within(1e-6));
            assertThat(pass.required("operators").size()).isBetween(1, 5);
        }
        assertThat(binding.required("passes").isEmpty()).isFalse();
    }

    private static JsonNode phase(ObjectNode request, JsonNode binding, long batchSize) {
        ObjectNode alone = request.deepCopy();
        alone.withObject("/search").putArray("batch_range").add(batchSize).add(batchSize);
        for (JsonNode phase : result(alone).at("/devices/0/phases")) {
            if (phase.required("phase").equals(binding.required("phase"))) {
                return phase;
            }
        }
        throw new AssertionError(binding);
    }

    private static JsonNode labelled(JsonNode rows, JsonNode binding) {
        for (JsonNode row : rows) {
            if (row.at("/parallel/label").equals(binding.required("label"))) {
                return row;
            }
        }
        throw new AssertionError(binding + " in " + rows);
    }

    private static double tokens(JsonNode row) {
        return row.required("tokens_per_s").asDouble();
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void theFrontierIsThatOfAllLayoutsAndBatchSizes(long seed) {
        ObjectNode request = request(new Random(seed), seed % 2 == 0);
        ObjectNode unlimited = request.deepCopy();
        unlimited.putObject("slo").put("ttft_ms", "inf").put("tpot_ms", "inf");
        unlimited.withObject("/search").put("strategy", "exhaustive");
        List<JsonNode> phases = new ArrayList<>();
        result(unlimited).at("/devices/0/phases").forEach(phases::add);

        for (JsonNode answer : explained(request)) {
            for (JsonNode frontier : answer.required("frontier")) {
                List<JsonNode> points = points(phases, frontier);
                List<List<Double>> unbeaten = points.stream()
                        .map(ExplanationTest::figures)
                        .distinct()
                        .filter(point -> points.stream()
                                .map(ExplanationTest::figures)
                                .noneMatch(other -> !other.equals(point) && beats(other, point)))
                        .toList();
                List<List<Double>> shown = new ArrayList<>();
                frontier.required("points").forEach(point -> shown.add(figures(point)));
                assertThat(shown).isNotEmpty().containsExactlyInAnyOrderElementsOf(unbeaten);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
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
                answer.at("/frontier/0/points").forEach(point -> {
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

    @ParameterizedTest
    @MethodSource("seeds")
    void widerLimitsNeverLowerTheBestUnderExhaustiveEvaluation(long seed) {
        ObjectNode request = request(new Random(seed), false);
        ObjectNode search = request.withObject("/search");
        search.put("strategy", "exhaustive");
        search.putArray("batch_range").add(1).add(24);

        for (JsonNode answer : explained(request)) {
            for (JsonNode one : answer.required("what_would_help")) {
                JsonNode change = one.required("change");
                boolean wider = change.required("lever").asString().endsWith("_limit")
                        && change.required("to").asDouble()
                                > change.required("from").asDouble();
                if (wider) {
                    assertThat(one.required("effect_percent").asDouble()).isGreaterThanOrEqualTo(0);
                }
            }
        }
    }

    private static List<JsonNode> explained(ObjectNode request) {
        ObjectNode explaining = request.deepCopy().put("explain", true);
        List<JsonNode> answers = new ArrayList<>();
        result(explaining).required("explanation").required("answers").forEach(answers::add);
        assertThat(answers).isNotEmpty();
        return answers;
    }

    private static JsonNode result(ObjectNode request) {
        return JsonMapper.shared()
                .readTree(SEARCH.apply(new JobRequest(request.toString(), null), SearchMonitor.SILENT));
    }

    /// The best row or ratio; missing when there is none.
    private static JsonNode best(ObjectNode request, String aim) {
        JsonNode device = result(request).required("devices").get(0);
        if (aim.equals("pd_ratio")) {
            return device.required("pd_ratio").path("best");
        }
        for (JsonNode phase : device.required("phases")) {
            if (phase.required("phase").asString().equals(aim)) {
                return phase.path("best");
            }
        }
        throw new AssertionError("no phase " + aim);
    }

    private static void assertThatPlanIs(JsonNode plan, JsonNode direct) {
        assertThat(plan.isMissingNode()).isEqualTo(direct.isMissingNode());
        if (direct.isMissingNode()) {
            return;
        }
        assertThat(rateOfPlan(plan)).isEqualTo(rate(direct));
        JsonNode first = plan.required("instances").get(0);
        String side = direct.has("balanced_qps") ? "_p" : "";
        assertThat(first.required("label").asString())
                .isEqualTo(direct.required("parallel" + side).required("label").asString());
        assertThat(first.required("batch_size").asLong())
                .isEqualTo(direct.required("batch_size" + side).asLong());
    }

    private static double rateOfPlan(JsonNode plan) {
        return plan.has("tokens_per_s")
                ? plan.required("tokens_per_s").asDouble()
                : plan.required("balanced_qps").asDouble();
    }

    private static double rate(JsonNode row) {
        return row.has("balanced_qps")
                ? row.required("balanced_qps").asDouble()
                : row.required("tokens_per_s").asDouble();
    }

    private static Optional<JsonNode> lessOf(JsonNode change) {
        return switch (change.required("lever").asString()) {
            case "ttft_limit", "tpot_limit", "memory_size" ->
                Optional.of(((ObjectNode) change.deepCopy())
                        .put("to", change.required("to").asDouble() * LESS));
            case "input_length" ->
                Optional.of(((ObjectNode) change.deepCopy())
                        .put("to", change.required("to").asDouble() + 1));
            default -> Optional.empty();
        };
    }

    private static void apply(ObjectNode request, JsonNode change) {
        if (change.has("pointer")) {
            String pointer = change.required("pointer").asString();
            int last = pointer.lastIndexOf('/');
            ObjectNode parent = last == 0 ? request : request.withObject(pointer.substring(0, last));
            JsonNode value = change.required("to");
            boolean whole = value.isNumber() && value.asDouble() == Math.rint(value.asDouble());
            parent.set(pointer.substring(last + 1), whole ? parent.numberNode((long) value.asDouble()) : value);
        } else {
            applyToDevice(request, change);
        }
    }

    private static void applyToDevice(ObjectNode request, JsonNode change) {
        ObjectNode device = (ObjectNode) JsonMapper.shared()
                .readTree(WireFormat.write(CATALOGS.deviceDocument(DEVICE).orElseThrow()));
        device.remove("effective");
        device.remove("calibration");
        double to = change.required("to").asDouble();
        double factor = to / change.required("from").asDouble();
        ObjectNode memory = device.withObject("/memory");
        switch (change.required("lever").asString()) {
            case "memory_size" -> memory.put("capacity_gb", to);
            case "memory_bandwidth" -> scale(memory, "bandwidth_tb_per_s", factor);
            case "matrix_rate" -> scaleAll(device.withObject("/compute/matrix_tflops"), factor);
            case "static_costs" -> scaleAll(device.withObject("/static_costs_us"), factor);
            case "link_bandwidth" ->
                device.at("/interconnect/links")
                        .forEach(link -> scale((ObjectNode) link, "bandwidth_gb_per_s", factor));
            case "link_latency" ->
                device.at("/interconnect/links").forEach(link -> scale((ObjectNode) link, "latency_us", factor));
            default -> throw new AssertionError(change);
        }
        request.putArray("device_profiles").add(device);
    }

    private static void scaleAll(ObjectNode members, double factor) {
        new ArrayList<>(members.propertyNames()).forEach(name -> scale(members, name, factor));
    }

    private static void scale(ObjectNode members, String name, double factor) {
        members.put(name, members.required(name).asDouble() * factor);
    }

    /// Dense, routed and latent models in every mode; with limits that nothing keeps, or that something does.
    private static ObjectNode request(Random random, boolean infeasible) {
        List<String> models = List.of("Qwen/Qwen3-8B", "Qwen/Qwen3-30B-A3B", "deepseek-ai/DeepSeek-V3");
        String model = models.get(random.nextInt(models.size()));
        boolean large = model.startsWith("deepseek");
        String mode = List.of("aggregation", "disaggregation", "pd_ratio").get(random.nextInt(3));
        int devices = large ? 16 : 4;
        ObjectNode request = JsonMapper.shared().createObjectNode();
        request.put("model_id", model).put("num_devices", devices).put("mode", mode);
        request.putArray("devices").add(DEVICE);
        request.put("accounting", random.nextBoolean() ? "documented" : "corrected");
        int input = 500 + random.nextInt(4000);
        request.putObject("workload").put("input_length", input).put("output_length", 50 + random.nextInt(500));
        ObjectNode limits = request.putObject("slo");
        double hardness = infeasible ? 0.02 + 0.05 * random.nextDouble() : 4 + 4 * random.nextDouble();
        limits.put("ttft_ms", hardness * (large ? 1 : 0.4) * input);
        limits.put("tpot_ms", (infeasible ? hardness * 20 : 100 + 100 * random.nextDouble()) * (large ? 2 : 1));
        ObjectNode search = request.putObject("search");
        search.putArray("tp_sizes").add(devices / 2).add(devices);
        search.putArray("batch_range").add(1).add(16 + random.nextInt(100));
        if (mode.equals("pd_ratio")) {
            request.putObject("pd_ratio")
                    .put("prefill_devices_per_instance", devices)
                    .put("decode_devices_per_instance", devices);
        }
        ObjectNode serving = request.putObject("serving");
        serving.put("compile", true);
        if (large) {
            serving.put("num_mtp_tokens", 1 + random.nextInt(2));
            serving.putArray("mtp_acceptance_rate").add(0.9).add(0.5);
        }
        return request;
    }
}
