package io.throughputoptimizer.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.restassured.config.EncoderConfig;
import io.restassured.config.RestAssuredConfig;
import io.restassured.response.Response;
import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.job.Submission;
import io.throughputoptimizer.web.ApiDescription.Operation;
import io.throughputoptimizer.web.description.Examples;
import io.throughputoptimizer.web.description.ProblemExamples;
import io.throughputoptimizer.web.problem.ProblemException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.dataformat.yaml.YAMLMapper;

/// A stranger can work from the API description alone: all of it says what it means, and its examples are real.
class ApiDescriptionIT extends HttpTest {
    private static final String ESTIMATES = "/api/v1/estimates";
    /// Content types go out as they are given, as curl sends them.
    private static final RestAssuredConfig PLAIN = RestAssuredConfig.config()
            .encoderConfig(EncoderConfig.encoderConfig().appendDefaultContentCharsetToContentTypeIfUndefined(false));
    /// Names that say it all.
    private static final Set<String> SELF_EXPLANATORY =
            Set.of("id", "status", "submitted_at", "started_at", "finished_at");

    @Test
    void everyOperationSaysWhatItDoes() {
        assertThat(description().operations()).hasSizeGreaterThanOrEqualTo(12).allSatisfy(operation -> {
            JsonNode node = operation.node();
            assertThat(node.required("operationId").asString()).doesNotContain("_");
            assertThat(node.required("summary").asString()).as(operation.name()).isNotBlank();
            assertThat(node.path("description").asString()).as(operation.name()).isNotBlank();
            assertThat(node.required("responses").propertyNames()).contains("default");
            assertThat(node.path("parameters").values())
                    .as(operation.name())
                    .allMatch(parameter ->
                            !parameter.path("description").asString().isBlank());
        });
    }

    @Test
    void everyMemberSaysWhatItMeans() {
        JsonNode schemas = description().schemas();
        List<String> silent = new ArrayList<>();
        for (Map.Entry<String, JsonNode> schema : schemas.properties()) {
            if (!isDescribed(schema.getValue(), schemas)) {
                silent.add(schema.getKey());
            }
            for (Map.Entry<String, JsonNode> member :
                    schema.getValue().path("properties").properties()) {
                if (!SELF_EXPLANATORY.contains(member.getKey()) && !isDescribed(member.getValue(), schemas)) {
                    silent.add(schema.getKey() + "." + member.getKey());
                }
            }
        }

        assertThat(silent).isEmpty();
    }

    /// A member that refers to a schema has the schema's description.
    private static boolean isDescribed(JsonNode schema, JsonNode schemas) {
        String reference = schema.path("$ref").asString();
        if (reference.isEmpty()) {
            return !schema.path("description").asString().isBlank();
        }
        return isDescribed(schemas.required(reference.replaceFirst(".*/", "")), schemas);
    }

    /// Each rule is one that a maker of clients trips over; `ClientsIT` runs the clients themselves.
    @Test
    void whatMakersOfClientsMisunderstandIsNotSaid() {
        JsonNode schemas = description().schemas();

        assertThat(schemas.findValues("additionalProperties")).allMatch(JsonNode::isObject);
        assertThat(schemas.findValues("default")).isEmpty();
        assertThat(schemas.findValues("pattern"))
                .hasSizeGreaterThanOrEqualTo(3)
                .allMatch(pattern -> pattern.asString().matches("\\^.*\\$"));
        assertThat(schemas.at("/Limit/anyOf/1/enum/0").asString()).isEqualTo("inf");
        assertThat(schemas.at("/Row/properties/num_input_tokens/enum/0").asString())
                .isEqualTo("all");
        assertThat(schemas.at("/Serving/properties/reserved_memory_gb/description")
                        .asString())
                .endsWith("Default: `10.0`.");
        assertThat(schemas.at("/OptimizationRequest/properties/devices/type").valueStream())
                .extracting(JsonNode::asString)
                .contains("null");
        assertThat(description()
                        .root()
                        .at("/paths/~1api~1v1~1optimizations/post/responses/200/content")
                        .propertyNames())
                .containsExactly("application/json");
    }

    @Test
    void everyExampleOfARequestRunsAsItIs() {
        int examples = 0;
        for (Operation operation : description().operations()) {
            JsonNode content = operation.node().path("requestBody").path("content");
            if (operation.path().equals("/api/v1/keys") || operation.path().contains("{id}")) {
                // The first takes an admin, whom KeyManagementIT is, and the others a job, which SharedLinkIT and
                // LabelIT have.
                continue;
            }
            for (Map.Entry<String, JsonNode> type : content.properties()) {
                List<JsonNode> values = ApiDescription.examples(type.getValue()).toList();
                assertThat(values).as(operation.name()).isNotEmpty();
                values.forEach(value -> assertRuns(operation, type.getKey(), value));
                examples += values.size();
            }
        }
        assertThat(examples).isEqualTo(49);
    }

    /// Of the file of a benchmark, which says little by itself, and of commands, which are some engine's.
    private static Map<String, String> examplesOfParameters(Operation operation) {
        Map<String, String> values = new LinkedHashMap<>();
        if (operation.path().equals(MeasurementController.FILES)
                || operation.path().endsWith("/launch")) {
            operation.node().required("parameters").values().stream()
                    .filter(parameter -> parameter.has("example")
                            && parameter.required("in").asString().equals("query"))
                    .forEach(parameter -> values.put(
                            parameter.required("name").asString(),
                            parameter.required("example").asString()));
        }
        return values;
    }

    private void assertRuns(Operation operation, String mediaType, JsonNode example) {
        boolean text = example.isString()
                && Set.of(
                                TraceController.PATH,
                                EngineLogController.PATH,
                                MeasurementController.FILES,
                                ServerController.METRICS,
                                ImportController.PATH,
                                ServerController.COMMANDS)
                        .contains(operation.path());
        assertThat(text ? example.isString() : example.isObject())
                .as(operation.name())
                .isTrue();
        String body = text
                ? example.asString()
                : mediaType.equals("application/yaml")
                        ? new YAMLMapper().writeValueAsString(example)
                        : example.toString();
        Response answer = api().contentType(mediaType)
                .body(body.getBytes(StandardCharsets.UTF_8))
                .header("Prefer", "wait=600")
                .queryParams(examplesOfParameters(operation))
                .post(operation.path());

        assertThat(answer.statusCode())
                .as(body)
                .isEqualTo(operation.path().startsWith(MeasurementController.PATH) ? 201 : 200);
        JsonNode json = JsonMapper.shared().readTree(answer.asString());
        if (operation.path().equals(OPTIMIZATIONS)) {
            assertThat(json.required("status").asString()).as(body).isEqualTo("succeeded");
            assertThat(json.findValues("rows"))
                    .as(body)
                    .filteredOn(JsonNode::isArray)
                    .isNotEmpty()
                    .allMatch(rows -> !rows.isEmpty());
        }
    }

    @Test
    void everyExampleOfAParameterInThePathIsKnown() {
        List<String> called = new ArrayList<>();
        for (Operation operation : description().operations()) {
            String path = operation.path();
            for (JsonNode parameter : operation.node().path("parameters")) {
                path = path.replace(
                        "{" + parameter.required("name").asString() + "}",
                        parameter.path("example").asString());
            }
            if (!path.equals(operation.path()) && !path.contains("//") && !path.endsWith("/")) {
                assertThat(api().get(path).statusCode()).as(path).isEqualTo(200);
                called.add(path);
            }
        }
        assertThat(called)
                .contains(
                        "/api/v1/devices/H100_SXM",
                        "/api/v1/models/Qwen/Qwen3-32B",
                        "/api/v1/length-distributions/builtin");
    }

    @Test
    void everyProblemHasAnExample() {
        ApiDescription description = description();
        for (Operation operation : description.operations()) {
            assertThat(ApiDescription.problems(operation))
                    .hasSizeGreaterThanOrEqualTo(2)
                    .allSatisfy(problem -> {
                        List<JsonNode> examples =
                                ApiDescription.examples(problem.getValue()).toList();
                        assertThat(examples)
                                .as(operation.name() + " " + problem.getKey())
                                .isNotEmpty();
                        for (JsonNode example : examples) {
                            assertThat(description.violations("Problem", example.toString()))
                                    .as(operation.name())
                                    .isEmpty();
                            assertThat(problem.getKey())
                                    .isIn("default", example.required("status").asString());
                        }
                    });
        }
    }

    @Test
    void theExamplesOfProblemsAreReal() {
        assertAnswers(json(PREFILL.replace("2000", "-1")).post(OPTIMIZATIONS), ProblemExamples.INVALID);
        assertAnswers(api().get(OPTIMIZATIONS + "?limit=0"), ProblemExamples.INVALID_PARAMETER);
        assertAnswers(api().get("/api/v1/devices?limit=9"), ProblemExamples.UNKNOWN_PARAMETER);
        assertAnswers(api().get(OPTIMIZATIONS + "/nothing"), ProblemExamples.UNKNOWN_JOB);
        assertAnswers(api().get("/api/v1/devices/TEST_DEVIC"), ProblemExamples.UNKNOWN_DEVICE);
        assertAnswers(
                api().accept("image/png").get("/api/v1/devices"), ProblemExamples.notAcceptable("application/json"));
        assertAnswers(
                json(PREFILL).accept("image/png").post(OPTIMIZATIONS),
                ProblemExamples.notAcceptable("application/json, text/plain, text/csv"));
        assertAnswers(json(" ".repeat(2 * 1024 * 1024)).post(ESTIMATES), ProblemExamples.TOO_LARGE);
        assertAnswers(api().config(PLAIN).formParam("model_id", "a").post(ESTIMATES), ProblemExamples.UNSUPPORTED);
        json(PREFILL).header("Idempotency-Key", "taken").post(OPTIMIZATIONS);
        assertAnswers(
                json(Examples.text("decode.json"))
                        .header("Idempotency-Key", "taken")
                        .post(OPTIMIZATIONS),
                ProblemExamples.KEY_REUSED);
        assertThat(JsonMapper.shared()
                        .readTree(WireFormat.write(ProblemException.queueFull(
                                        new Submission.QueueFull<>(80, 81, 100, null), Duration.ofSeconds(1))
                                .problem())))
                .isEqualTo(JsonMapper.shared().readTree(ProblemExamples.QUEUE_FULL));
        assertThat(JsonMapper.shared()
                        .readTree(WireFormat.write(
                                ProblemException.sweepsFull(new Submission.QueueFull<>(16, 17, 20, null), Duration.ZERO)
                                        .problem())))
                .isEqualTo(JsonMapper.shared().readTree(ProblemExamples.SWEEPS_FULL));
    }

    private static void assertAnswers(Response answer, String example) {
        JsonNode problem = JsonMapper.shared().readTree(example);
        assertThat(answer.statusCode()).isEqualTo(problem.required("status").intValue());
        assertThat(JsonMapper.shared().readTree(answer.asString())).isEqualTo(problem);
    }

    @Test
    void theTableOfTheExampleIsReal() {
        String table = json(Examples.text("aggregation.json"))
                .header("Prefer", "wait=600")
                .accept("text/plain")
                .post(OPTIMIZATIONS)
                .asString();

        assertThat(table).isEqualTo(Examples.text("aggregation-table.txt"));
    }

    private ApiDescription description() {
        return ApiDescription.of(api().get("/v3/api-docs").asString());
    }
}
