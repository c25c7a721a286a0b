package io.throughputoptimizer.job;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.api.reading.ProblemReader;
import io.throughputoptimizer.catalog.Catalogs;
import io.throughputoptimizer.core.forward.AnalyticForwardEstimator;
import io.throughputoptimizer.core.forward.ForwardPlan;
import io.throughputoptimizer.core.search.Optimizer;
import io.throughputoptimizer.core.search.SearchMonitor;
import io.throughputoptimizer.fixture.BuiltIn;
import io.throughputoptimizer.fixture.Nightly;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.LongStream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Random questions, and what the service explains of them.
final class ExplainedSearches {
    static final String DEVICE = "TEST_DEVICE";
    static final double LESS = 0.999;
    static final Catalogs CATALOGS = BuiltIn.CATALOGS;
    private static final Map<ForwardPlan.Key, ForwardPlan> PLANS = new ConcurrentHashMap<>();
    static final AnalyticForwardEstimator ESTIMATOR = new AnalyticForwardEstimator(
            deployment -> PLANS.computeIfAbsent(ForwardPlan.Key.of(deployment), _ -> new ForwardPlan(deployment)));
    static final RunOptimization SEARCH =
            new RunOptimization(new ProblemReader(CATALOGS, Long.MAX_VALUE), new Optimizer(ESTIMATOR), ESTIMATOR);

    /// Several laws are held against the same answers.
    private static final Cache<String, String> ANSWERS =
            Caffeine.newBuilder().maximumSize(1000).build();

    private ExplainedSearches() {}

    /// Questions enough for a law.
    static LongStream seeds() {
        return Nightly.seeds(1);
    }

    /// The answers of an explanation.
    static List<JsonNode> explained(ObjectNode request) {
        ObjectNode explaining = request.deepCopy().put("explain", true);
        List<JsonNode> answers = new ArrayList<>();
        result(explaining).required("explanation").required("answers").forEach(answers::add);
        assertThat(answers).isNotEmpty();
        return answers;
    }

    /// The result of a request.
    static JsonNode result(ObjectNode request) {
        return JsonMapper.shared()
                .readTree(ANSWERS.get(
                        request.toString(),
                        text -> SEARCH.apply(JobRequest.stored(text), SearchMonitor.SILENT)
                                .json()));
    }

    static double rateOfPlan(JsonNode plan) {
        return plan.has("tokens_per_s")
                ? plan.required("tokens_per_s").asDouble()
                : plan.required("balanced_requests_per_s").asDouble();
    }

    /// A request with a change that has a pointer; of devices those that work.
    static ObjectNode changed(ObjectNode request, JsonNode change) {
        ObjectNode changed = request.deepCopy();
        String pointer = change.required("pointer").asString();
        int last = pointer.lastIndexOf('/');
        JsonNode to = change.required("to");
        boolean whole = to.isNumber() && to.asDouble() == Math.rint(to.asDouble());
        JsonNode value = whole
                ? changed.numberNode((long) to.asDouble() - change.path("idle").asInt(0))
                : to;
        String name = pointer.substring(last + 1);
        JsonNode parent = last == 0 ? changed : changed.at(pointer.substring(0, last));
        if (parent instanceof ArrayNode list) {
            list.set(Integer.parseInt(name), value);
        } else {
            (last == 0 ? changed : changed.withObject(pointer.substring(0, last))).set(name, value);
        }
        return changed;
    }

    /// A request with a change; what belongs to a device is set in a profile of its own.
    static ObjectNode changedWithDevices(ObjectNode request, JsonNode change) {
        if (change.has("pointer")) {
            return changed(request, change);
        }
        ObjectNode changed = request.deepCopy();
        String name = change.path("device").asString(request.at("/devices/0").asString());
        ArrayNode profiles = changed.withArray("device_profiles");
        ObjectNode device = profiles.valueStream()
                .filter(profile -> profile.required("name").asString().equals(name))
                .map(JsonNode::asObject)
                .findFirst()
                .orElseGet(() -> profiles.addObject().setAll(profile(name)));
        scale(device, change);
        return changed;
    }

    private static ObjectNode profile(String name) {
        ObjectNode device = (ObjectNode) JsonMapper.shared()
                .readTree(WireFormat.write(CATALOGS.deviceDocument(name).orElseThrow()));
        device.remove("effective");
        device.remove("calibration");
        return device;
    }

    private static void scale(ObjectNode device, JsonNode change) {
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
    }

    private static void scaleAll(ObjectNode members, double factor) {
        new ArrayList<>(members.propertyNames()).forEach(name -> scale(members, name, factor));
    }

    /// As people multiply: in decimals.
    private static void scale(ObjectNode members, String name, double factor) {
        members.put(
                name,
                members.required(name)
                        .decimalValue()
                        .multiply(BigDecimal.valueOf(factor))
                        .doubleValue());
    }

    /// A change that goes a little less far; empty where there is no such thing.
    static Optional<JsonNode> lessOf(JsonNode change) {
        return switch (change.required("lever").asString()) {
            case "ttft_limit", "tpot_limit", "memory_size", "kv_transfer_rate" ->
                Optional.of(change.deepCopy()
                        .asObject()
                        .put("to", change.required("to").asDouble() * LESS));
            case "input_length" ->
                Optional.of(change.deepCopy()
                        .asObject()
                        .put("to", change.required("to").asDouble() + 1));
            default -> Optional.empty();
        };
    }

    /// Every relaxation of a request without a plan, sent as a request, gives the plan that it promises, and a limit
    /// that is a little less gives none.
    ///
    /// @param best row of an answer to a request; missing where there is none
    /// @param assertThatPlanIs compares the plan of an explanation with such a row
    static void assertThatRelaxationsHold(
            ObjectNode request, Function<ObjectNode, JsonNode> best, BiConsumer<JsonNode, JsonNode> assertThatPlanIs) {
        int compared = 0;
        for (JsonNode answer : explained(request)) {
            assertThat(answer.has("best")).isFalse();
            for (JsonNode relaxation : answer.required("nearest_feasible")) {
                List<JsonNode> changes =
                        relaxation.required("changes").valueStream().toList();
                if (!changes.stream().allMatch(change -> change.has("pointer"))) {
                    continue;
                }
                ObjectNode relaxed = request;
                for (JsonNode change : changes) {
                    relaxed = changed(relaxed, change);
                }
                assertThatPlanIs.accept(relaxation.required("plan"), best.apply(relaxed));
                compared++;
                for (JsonNode change : changes) {
                    if (change.required("lever").asString().endsWith("_limit")) {
                        ObjectNode less = change.deepCopy().asObject();
                        less.put("to", change.required("to").asDouble() * LESS);
                        assertThat(best.apply(changed(relaxed, less)).isMissingNode())
                                .isTrue();
                    }
                }
            }
        }
        assertThat(compared).isPositive();
    }

    /// Replicas on measured devices.
    static void assertThatReplicasAre(JsonNode plan, JsonNode direct) {
        assertThat(plan.isMissingNode()).isEqualTo(direct.isMissingNode());
        if (!direct.isMissingNode()) {
            assertThat(tokens(plan)).isEqualTo(tokens(direct));
            assertThat(plan.at("/instances/0/label")).isEqualTo(direct.at("/parallel/label"));
            assertThat(plan.at("/instances/0/concurrency")).isEqualTo(direct.required("concurrency"));
        }
    }

    /// The best pair of instances; missing where there is none.
    static JsonNode bestPair(ObjectNode request) {
        return result(request).at("/devices/0/pd_ratio/best");
    }

    /// Pairs in numbers of instances, to the last bit.
    static void assertThatPairIs(JsonNode plan, JsonNode direct) {
        assertThat(plan.isMissingNode()).isEqualTo(direct.isMissingNode());
        if (!direct.isMissingNode()) {
            assertThat(tokens(plan)).isEqualTo(tokens(direct));
            assertThat(perDevice(plan)).isEqualTo(perDevice(direct));
            assertThat(plan.required("devices_used")).isEqualTo(direct.required("devices_used"));
            assertThat(plan.at("/instances/0/count")).isEqualTo(direct.required("prefill_instances"));
            assertThat(plan.at("/instances/1/count")).isEqualTo(direct.required("decode_instances"));
            assertThat(plan.at("/instances/0/label")).isEqualTo(direct.at("/parallel_p/label"));
            assertThat(plan.at("/instances/1/label")).isEqualTo(direct.at("/parallel_d/label"));
        }
    }

    static double perDevice(JsonNode row) {
        return row.required("tokens_per_s_per_device").asDouble();
    }

    static double tokens(JsonNode row) {
        return row.required("tokens_per_s").asDouble();
    }

    /// Dense, routed and latent models in every mode; with limits that nothing keeps, or that something does.
    static ObjectNode request(Random random, boolean infeasible) {
        List<String> models = List.of("Qwen/Qwen3-8B", "Qwen/Qwen3-30B-A3B", "deepseek-ai/DeepSeek-V3");
        String model = models.get(random.nextInt(models.size()));
        boolean large = model.startsWith("deepseek");
        String mode = List.of("aggregation", "disaggregation", "pd_ratio").get(random.nextInt(3));
        int devices = large ? 16 : 4;
        ObjectNode request = JsonMapper.shared().createObjectNode();
        request.put("model_id", model).put("num_devices", devices).put("mode", mode);
        request.putArray("devices").add(DEVICE);
        request.put("accounting", random.nextBoolean() ? "documented" : "steady");
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
        if (!model.equals("Qwen/Qwen3-8B") && random.nextInt(4) == 0) {
            request.putObject("quantization").put("linear", "MXFP4").put("non_expert_linear", "FP8");
        }
        return request;
    }
}
