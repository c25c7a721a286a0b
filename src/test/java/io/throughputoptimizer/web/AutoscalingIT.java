package io.throughputoptimizer.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.emptyString;
import static org.hamcrest.Matchers.endsWith;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.oneOf;
import static org.hamcrest.Matchers.startsWith;

import com.networknt.schema.Error;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import io.restassured.path.json.JsonPath;
import io.restassured.response.ValidatableResponse;
import io.throughputoptimizer.KubernetesObjects;
import io.throughputoptimizer.fixture.EveryNight;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.dataformat.yaml.YAMLMapper;

/// Autoscaler parameters of capacity plans: numbers by hand, files by published schemas, refusals.
class AutoscalingIT extends HttpTest {
    private static final String PLAN = """
            {"cost_model": "calibrated", "mode": "capacity", "model_id": "Qwen/Qwen3-32B", "devices": ["H100_SXM"],
             "num_devices": 64, "demand": {"requests_per_s": 12}, "headroom": 0.2, "instance_sizes": [2],
             "engine": {"backend": "vllm", "kv_cache_dtype": "fp8"}, "quantization": {"scheme": "FP8"},
             "workload": {"input_length": 3500, "output_length": 1500}, "slo": {"ttft_ms": 2000, "tpot_ms": 50}}""";

    private static final String ANALYTIC = """
            {"cost_model": "analytic", "mode": "capacity", "model_id": "Qwen/Qwen3-8B", "devices": ["TEST_DEVICE"],
             "num_devices": 16, "demand": {"requests_per_s": 1}, "headroom": 0.2, "instance_sizes": [2],
             "workload": {"input_length": 1000, "output_length": 100}, "slo": {"ttft_ms": 2000, "tpot_ms": 100}}""";

    private static final String ALL = "formats=keda,hpa,wva,llm-d,dynamo";
    private static final List<Double> RATES = List.of(2.0, 5.0, 12.0, 10.0, 8.0, 3.0);

    private ValidatableResponse create(String body, String query) {
        return json(body)
                .header("Prefer", "wait=60")
                .post(OPTIMIZATIONS + "/autoscaling" + (query.isEmpty() ? "" : "?" + query))
                .then();
    }

    private JsonPath created(String body, String query) {
        return create(body, query).statusCode(200).extract().jsonPath();
    }

    private static Map<String, Map<String, Object>> parameters(JsonPath answer) {
        List<Map<String, Object>> parameters = answer.getList("parameters");
        return parameters.stream().collect(Collectors.toMap(one -> (String) one.get("name"), one -> one));
    }

    private static double value(JsonPath answer, String name) {
        return ((Number) Objects.requireNonNull(parameters(answer).get(name), name)
                        .get("value"))
                .doubleValue();
    }

    @Test
    void theNumbersAreThoseByHand() {
        JsonPath answer = created(PLAN, ALL);

        Map.ofEntries(
                        Map.entry("concurrency", 161.0),
                        Map.entry("target_concurrency", 75.0),
                        Map.entry("pool_saturation", 0.46),
                        Map.entry("kv_cache_threshold", 0.78),
                        Map.entry("queue_length_threshold", 10.0),
                        Map.entry("request_ttl_ms", 1747.0),
                        Map.entry("max_waiting_requests", 25.0),
                        Map.entry("max_token_concurrency", 805_000.0),
                        Map.entry("min_replicas", 1.0),
                        Map.entry("max_replicas", 10.0))
                .forEach((name, expected) ->
                        assertThat(value(answer, name)).as(name).isEqualTo(expected));
        Map.of(
                        "requests_per_s", 2.1115,
                        "linear.alpha", 9.3655,
                        "linear.beta", 0.25126,
                        "linear.settled.gamma", 198.906,
                        "linear.benchmark.gamma", 190.487,
                        "queueing.alpha", 9.2203,
                        "queueing.beta", 0.045528,
                        "throughput.a", 0.051259,
                        "throughput.b", 0.009366)
                .forEach((name, expected) ->
                        assertThat(value(answer, name)).as(name).isCloseTo(expected, within(1e-4 * expected)));
        assertThat(value(answer, "linear.error")).isBetween(-3.0, 3.0);
        Map<String, Object> alpha = Objects.requireNonNull(parameters(answer).get("linear.alpha"));
        assertThat(((Number) alpha.get("low")).doubleValue()).isCloseTo(8.3658, within(0.001));
        assertThat(((Number) alpha.get("high")).doubleValue()).isCloseTo(11.6985, within(0.001));
        assertThat(answer.getString("name")).isEqualTo("qwen3-32b");
    }

    @Test
    void tighterLimitsLowerTheCacheThreshold() {
        JsonPath answer = created(PLAN.replace("2000", "1000").replace("50}", "30}"), "");

        assertThat(value(answer, "concurrency")).isEqualTo(82);
        assertThat(value(answer, "kv_cache_threshold")).isEqualTo(0.4);
        assertThat(value(answer, "queue_length_threshold")).isEqualTo(4);
    }

    /// The line through two loads is within 3% between them, or the answer states its error.
    @ParameterizedTest
    @CsvSource({
        "Qwen/Qwen3-8B, H100_SXM, vllm, 1",
        "Qwen/Qwen3-32B, H200_SXM, sglang, 2",
        "Qwen/Qwen3-30B-A3B, H100_SXM, vllm, 2",
        "meta-llama/Meta-Llama-3.1-70B, B200_SXM, trtllm, 4",
        "openai/gpt-oss-120b, H100_SXM, vllm, 4",
        "deepseek-ai/DeepSeek-V3.1, B200_SXM, sglang, 8"
    })
    void theLineStatesItsError(String model, String device, String backend, int size) {
        String body = PLAN.replace("Qwen/Qwen3-32B", model)
                .replace("H100_SXM", device)
                .replace("{\"backend\": \"vllm\", \"kv_cache_dtype\": \"fp8\"}", "{\"backend\": \"" + backend + "\"}")
                .replace(model.startsWith("openai") ? "\"quantization\": {\"scheme\": \"FP8\"}," : "\u0000", "")
                .replace("[2]", "[" + size + "]");
        statesItsError(created(body, ""));
    }

    private static void statesItsError(JsonPath answer) {
        double error = value(answer, "linear.error");
        assertThat(Math.abs(error) <= 3
                        || answer.<String>getList("notes").stream()
                                .anyMatch(note -> note.startsWith("TPOT is no line")))
                .as("%s: %s%%", answer.getString("name"), error)
                .isTrue();
    }

    /// All models of the catalog in their own format, each on 8 devices.
    @Test
    @EveryNight
    void everyCalibratedModelStatesTheErrorOfItsLine() {
        String body = PLAN.replace("H100_SXM", "B200_SXM")
                .replace("[2]", "[8]")
                .replace("\"engine\": {\"backend\": \"vllm\", \"kv_cache_dtype\": \"fp8\"}, ", "")
                .replace("\"quantization\": {\"scheme\": \"FP8\"},", "");
        int lines = 0;
        for (String model : api().get("/api/v1/models").jsonPath().<String>getList("models.id")) {
            ValidatableResponse answer = create(body.replace("Qwen/Qwen3-32B", model), "");
            if (answer.extract().statusCode() == 200) {
                statesItsError(answer.extract().jsonPath());
                lines++;
            } else {
                answer.statusCode(oneOf(400, 409, 422)).body("detail", not(emptyString()));
            }
        }
        assertThat(lines).isGreaterThan(80);
    }

    @Test
    void theJobHasWhatTheRequestHas() {
        String id = optimize(PLAN).extract().path("id");

        assertThat(api().get(OPTIMIZATIONS + "/" + id + "/autoscaling?" + ALL).asString())
                .isEqualTo(create(PLAN, ALL).extract().asString());
    }

    @Test
    void instancesAreThoseOfModeCapacity() {
        String rates = RATES.stream()
                .map(rate -> RATES.indexOf(rate) * 3600 + ":" + rate)
                .collect(Collectors.joining(","));
        JsonPath answer = created(PLAN, "rate_profile=" + rates);

        List<List<Integer>> instances = answer.getList("schedule.intervals.instances");
        List<Integer> unfavorable = answer.getList("schedule.intervals.instances_unfavorable");
        for (int index = 0; index < RATES.size(); index++) {
            JsonPath alone = json(PLAN.replace(
                            "{\"requests_per_s\": 12}", "{\"requests_per_s\": " + RATES.get(index) + "}"))
                    .header("Prefer", "wait=60")
                    .post(OPTIMIZATIONS + "?store=false")
                    .jsonPath();
            String best = "result.capacity.rows.find { it.deployment == 'aggregated' }";
            assertThat(instances.get(index)).containsExactly(alone.getInt(best + ".instances[0].count"));
            assertThat(unfavorable.get(index) * 2).isEqualTo(alone.getInt(best + ".num_devices_unfavourable"));
        }
        assertThat(instances).containsExactly(List.of(2), List.of(3), List.of(7), List.of(6), List.of(5), List.of(2));
        assertThat(answer.getDouble("schedule.instance_hours")).isEqualTo(25);
        assertThat(answer.getDouble("schedule.device_hours")).isEqualTo(50);
        assertThat(answer.getDouble("schedule.fixed_device_hours")).isEqualTo(84);
        assertThat(value(answer, "min_replicas")).isEqualTo(2);
        assertThat(value(answer, "max_replicas")).isEqualTo(10);
    }

    /// Entries of a minute: a replica that takes five has to be there for the greatest of the next five.
    @Test
    void replicasStartInTime() {
        JsonPath answer = created(PLAN, "start_s=120&rate_profile=0:2,60:2,120:12,180:2,240:2");

        assertThat(answer.<List<Integer>>getList("schedule.intervals.instances"))
                .containsExactly(List.of(7), List.of(7), List.of(7), List.of(2), List.of(2));
    }

    @Test
    void analyticNumbersHaveNoEnds() {
        JsonPath answer = created(ANALYTIC, ALL);

        assertThat(parameters(answer).values())
                .allSatisfy(one -> assertThat(one).doesNotContainKeys("low", "high"));
        assertThat(parameters(answer))
                .containsKeys("concurrency", "target_concurrency")
                .doesNotContainKey("kv_cache_threshold");
        assertThat(answer.<String>getList("notes"))
                .anySatisfy(note -> assertThat(note).startsWith("Cost model analytic has no prediction intervals"));
        assertThat(value(answer, "target_concurrency")).isLessThan(value(answer, "concurrency"));
    }

    @ParameterizedTest
    @ValueSource(strings = {PLAN, ANALYTIC})
    void filesAreThoseThatTheirReadersTake(String body) {
        String files = json(body)
                .accept("application/yaml")
                .header("Prefer", "wait=60")
                .post(OPTIMIZATIONS + "/autoscaling?" + ALL)
                .then()
                .statusCode(200)
                .contentType("application/yaml")
                .extract()
                .asString();

        List<JsonNode> objects = new ArrayList<>();
        new YAMLMapper().readerFor(JsonNode.class).<JsonNode>readValues(files).forEachRemaining(objects::add);
        objects.removeIf(JsonNode::isNull);
        assertThat(objects).hasSizeGreaterThanOrEqualTo(3).allSatisfy(AutoscalingIT::isTaken);
        assertThat(objects.stream().filter(one -> one.path("kind").asString("").equals("ScaledObject")))
                .allSatisfy(one -> assertThat(one.at("/spec/minReplicaCount").asInt())
                        .isLessThanOrEqualTo(one.at("/spec/maxReplicaCount").asInt()));
    }

    private static void isTaken(JsonNode object) throws IOException {
        String kind = object.path("kind").asString("PlannerConfig");
        switch (kind) {
            case "HorizontalPodAutoscaler" ->
                assertThat(KubernetesObjects.read(object)).isNotNull();
            case "ConfigMap" -> {
                assertThat(KubernetesObjects.read(object)).isNotNull();
                String name = object.at("/metadata/name").asString();
                var read = JsonMapper.shared().createObjectNode();
                var entries = read.putObject(name);
                object.path("data").properties().forEach(entry -> {
                    assertThat(entry.getKey()).matches("[-._a-zA-Z0-9]+");
                    entries.set(
                            entry.getKey(),
                            new YAMLMapper().readTree(entry.getValue().asString()));
                });
                assertThat(broken("ConfigMaps", read)).isEmpty();
            }
            default -> assertThat(broken(kind, object)).isEmpty();
        }
    }

    private static List<String> broken(String schema, JsonNode object) {
        try (var text = AutoscalingIT.class.getResourceAsStream("/autoscaling/" + schema + ".json")) {
            return SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                    .getSchema(JsonMapper.shared().readTree(Objects.requireNonNull(text, schema)))
                    .validate(object)
                    .stream()
                    .map(Error::toString)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "formats=kedaa|formats|Did you mean \"keda\"",
                "name=Qwen_3|name|must be a DNS label",
                "namespace=-a|namespace|must be a DNS label",
                "rank=0|rank|must be a whole number from 1 to",
                "rank=x|rank|must be a whole number from 1",
                "rate_profile=1,2|rate_profile|must have 24 requests/s",
                "rate_profile=0:1,0:2|rate_profile|must have ascending seconds",
                "rate_profile=0:NaN|rate_profile|must have numbers from 0",
                "rate_profile=0:1e300|rate_profile|must have numbers from 0",
                "rate_profile=0:0|rate_profile|must be above 0 in at least one interval",
                "start_s=-1|start_s|must be a whole number from 0 to 86400",
                "format=keda|format|Did you mean \"formats\"",
                "name=a&name=b|name|must be given once"
            })
    void refusesBadParameters(String query, String parameter, String detail) {
        create(PLAN, query)
                .statusCode(400)
                .contentType("application/problem+json")
                .body("type", endsWith("/invalid-request"))
                .body("errors[0].parameter", equalTo(parameter))
                .body("errors[0].detail", containsString(detail));
    }

    @Test
    void refusesBadBodies() {
        create(PLAN.replace("\"headroom\": 0.2", "\"headroom\": \"much\""), "")
                .statusCode(400)
                .body("errors[0].pointer", equalTo("/headroom"));
        create(PLAN.replace("\"headroom\"", "\"head_room\""), "")
                .statusCode(400)
                .body("errors[0].pointer", equalTo("/head_room"));
        create(PLAN.replace("\"demand\": {\"requests_per_s\": 12}, ", ""), "")
                .statusCode(400)
                .body("errors[0].pointer", equalTo("/demand"));
        create("", "").statusCode(400);
        create(PLAN.replace("\"requests_per_s\": 12", "\"requests_per_s\": 1e300"), "")
                .statusCode(400);
        String other = PLAN.replace("\"capacity\"", "\"aggregation\"")
                .replace("\"demand\": {\"requests_per_s\": 12}, \"headroom\": 0.2, \"instance_sizes\": [2],", "");
        create(other, "")
                .statusCode(400)
                .body("errors[0].pointer", equalTo("/mode"))
                .body("errors[0].detail", startsWith("mode must be capacity."));
    }

    @Test
    void refusesJobsWithoutADeployment() {
        String aggregation = optimize("""
                {"cost_model": "calibrated", "model_id": "Qwen/Qwen3-8B", "devices": ["H100_SXM"], "num_devices": 1,
                 "engine": {"backend": "vllm"}, "quantization": {"scheme": "FP8"},
                 "workload": {"input_length": 1000, "output_length": 200}}""").extract().path("id");
        api().get(OPTIMIZATIONS + "/" + aggregation + "/autoscaling")
                .then()
                .statusCode(400)
                .body("errors[0].parameter", equalTo("id"))
                .body("errors[0].detail", containsString("of mode capacity"));
        create(PLAN.replace("\"num_devices\": 64", "\"num_devices\": 2"), "")
                .statusCode(409)
                .body("detail", containsString("Raise num_devices"));
        api().get(OPTIMIZATIONS + "/4a1e7a3e-0000-4000-8000-000000000000/autoscaling")
                .then()
                .statusCode(404);
        String large = json(LARGE).post(OPTIMIZATIONS).then().extract().path("id");
        api().get(OPTIMIZATIONS + "/" + large + "/autoscaling")
                .then()
                .statusCode(409)
                .body("type", endsWith("/no-result"))
                .body("detail", containsString("only a succeeded one has a result"));
        json("").post(OPTIMIZATIONS + "/" + large + "/cancel");
    }

    /// Prefill and decode instances have a planner of Dynamo, and counts of both.
    @Test
    void pairsHaveThePlannerAlone() {
        String body = PLAN.replace("\"instance_sizes\": [2]", "\"instance_sizes\": [2, 4]");
        List<String> kinds = json(body)
                .header("Prefer", "wait=60")
                .post(OPTIMIZATIONS + "?store=false")
                .jsonPath()
                .getList("result.capacity.rows.deployment");
        int rank = kinds.indexOf("disaggregated") + 1;
        assertThat(rank).isPositive();

        create(body, "rank=" + rank)
                .statusCode(400)
                .body("errors[0].parameter", equalTo("formats"))
                .body("errors[0].detail", startsWith("formats must be dynamo"));
        JsonPath pair = created(body, "formats=dynamo&rate_profile=0:2,3600:12&rank=" + rank);
        assertThat(pair.<List<Integer>>getList("schedule.intervals.instances"))
                .allSatisfy(counts -> assertThat(counts).hasSize(2));
        assertThat(pair.getString("files[0].content")).contains("mode: disagg");
        assertThat(broken("PlannerConfig", new YAMLMapper().readTree(pair.getString("files[0].content"))))
                .isEmpty();
    }
}
