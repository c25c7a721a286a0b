package io.throughputoptimizer.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.greaterThan;

import com.networknt.schema.Error;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import io.restassured.response.Response;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/// The committed API description is what the service serves, its examples run, and answers keep its schemas.
///
/// After a meant change of the API, `./mvnw test -Dtest=OpenApiIT -Dopenapi.write=true` writes the file anew.
class OpenApiIT extends HttpTest {
    private static final Path COMMITTED = Path.of("openapi", "openapi.yaml");
    private static final YAMLMapper YAML = new YAMLMapper();

    @Test
    void theCommittedDescriptionIsTheServedOne() throws IOException {
        String served =
                api().get("/v3/api-docs.yaml").then().statusCode(200).extract().asString();
        if (Boolean.getBoolean("openapi.write")) {
            Files.createDirectories(COMMITTED.toAbsolutePath().getParent());
            Files.writeString(COMMITTED, served);
        }

        assertThat(YAML.readTree(Files.readString(COMMITTED))).isEqualTo(YAML.readTree(served));
        assertThat(JsonMapper.shared().readTree(api().get("/v3/api-docs").asString()))
                .isEqualTo(YAML.readTree(served));
    }

    @Test
    void everyMemberIsInSnakeCase() {
        JsonNode schemas = description().required("components").required("schemas");

        assertThat(schemas.propertyNames()).hasSizeGreaterThan(30);
        for (Map.Entry<String, JsonNode> schema : schemas.properties()) {
            assertThat(schema.getValue().path("properties").propertyNames())
                    .as(schema.getKey())
                    .allMatch(name -> name.matches("[a-z0-9]+(_[a-z0-9]+)*"));
        }
    }

    @Test
    void everyOperationSaysWhatItDoes() {
        for (JsonNode path : description().required("paths")) {
            for (JsonNode operation : path) {
                assertThat(operation.required("operationId").asString()).doesNotContain("_");
                assertThat(operation.required("summary").asString()).isNotBlank();
                assertThat(operation.required("responses").propertyNames()).contains("default");
            }
        }
    }

    @Test
    void everyExampleRunsAsItIs() {
        int examples = 0;
        for (Map.Entry<String, JsonNode> path : description().required("paths").properties()) {
            JsonNode content = path.getValue().path("post").path("requestBody").path("content");
            for (Map.Entry<String, JsonNode> type : content.properties()) {
                for (JsonNode example : type.getValue().required("examples")) {
                    JsonNode value = example.required("value");
                    String body = value.isString() ? value.asString() : value.toString();
                    Response answer = api().contentType(type.getKey())
                            .body(body.getBytes(StandardCharsets.UTF_8))
                            .header("Prefer", "wait=60")
                            .post(path.getKey());
                    assertThat(answer.statusCode()).as(body).isEqualTo(200);
                    assertThat(answer.asString()).doesNotContain("\"failed\"");
                    examples++;
                }
            }
        }
        assertThat(examples).isEqualTo(6);
    }

    @Test
    void answersKeepTheirSchemas() {
        String job = optimize(PREFILL.replace(
                        "\"num_devices\"",
                        "\"devices\": [\"TEST_DEVICE\", \"ATLAS_800_A2_376T_64G\"], \"dump_original_results\": true,"
                                + " \"num_devices\""))
                .extract()
                .asString();
        assertThat(violations("Job", job)).isEmpty();
        String ratio = optimize("""
                        {"model_id": "Qwen/Qwen3-8B", "devices": ["TEST_DEVICE", "ATLAS_800_A2_376T_64G"], "num_devices": 8,
                         "mode": "pd_ratio", "accounting": "corrected",
                         "workload": {"input_length": 3500, "output_length": 1500}, "serving": {"compile": true},
                         "pd_ratio": {"prefill_devices_per_instance": 2, "decode_devices_per_instance": 2},
                         "slo": {"ttft_ms": 2000, "tpot_ms": 50}}
                        """)
                .body("result.devices[0].pd_ratio.best.prefill_instances", greaterThan(0))
                .body("result.cross_hardware[0].phase", equalTo("pd_ratio"))
                .body("result.cross_hardware[0].rows.rank", contains(1, 2))
                .extract()
                .asString();
        assertThat(violations("Job", ratio)).isEmpty();
        String curves = api().get(optimize(PREFILL).extract().header("Location") + "/curves")
                .asString();
        JsonNode charts = JsonMapper.shared().readTree(curves);
        assertThat(charts.values())
                .hasSize(2)
                .allSatisfy(chart ->
                        assertThat(violations("Chart", chart.toString())).isEmpty());
        String mixed = optimize(Examples.MIXED_PREFILL).extract().asString();
        assertThat(violations("Job", mixed)).isEmpty();
        String infeasible = optimize(PREFILL.replace("2000", "0.001")).extract().asString();
        assertThat(violations("Job", infeasible)).isEmpty();
        assertThat(violations("JobList", api().get(OPTIMIZATIONS).asString())).isEmpty();
        String estimate = json(Examples.MIXED_PASS).post("/api/v1/estimates").asString();
        assertThat(violations("Estimate", estimate)).isEmpty();
        assertThat(violations("DeviceList", api().get("/api/v1/devices").asString()))
                .isEmpty();
        assertThat(violations("ModelList", api().get("/api/v1/models").asString()))
                .isEmpty();
        String distribution = api().get("/api/v1/length-distributions/builtin").asString();
        assertThat(violations("NamedLengthDistribution", distribution)).isEmpty();
    }

    @Test
    void problemsKeepTheirSchema() {
        for (Response problem : List.of(
                json("{").post(OPTIMIZATIONS),
                json("{}").post(OPTIMIZATIONS),
                api().get("/nothing"),
                api().get(OPTIMIZATIONS + "?limit=0"))) {
            assertThat(violations("Problem", problem.asString())).isEmpty();
        }
    }

    @Test
    void theExamplesOfBadAnswersAreReal() {
        String answer = json(PREFILL.replace("2000", "-1")).post(OPTIMIZATIONS).asString();

        assertThat(JsonMapper.shared().readTree(answer))
                .isEqualTo(JsonMapper.shared().readTree(Examples.INVALID));
    }

    @Test
    void aWrongDocumentWouldBeNoticed() {
        assertThat(violations("Problem", "{\"type\": \"about:blank\", \"title\": \"T\", \"status\": \"400\"}"))
                .hasSizeGreaterThanOrEqualTo(2);
        assertThat(violations("Progress", "{\"candidates_done\": 1, \"points\": 1, \"extra\": 1}"))
                .hasSize(1);
    }

    private JsonNode description() {
        return JsonMapper.shared().readTree(api().get("/v3/api-docs").asString());
    }

    /// What a document breaks of a schema; members that the schema does not know count too.
    private List<String> violations(String schema, String document) {
        ObjectNode root = JsonMapper.shared().createObjectNode();
        root.put("$ref", "#/components/schemas/" + schema);
        ObjectNode components = root.putObject("components");
        components.set("schemas", description().required("components").required("schemas"));
        for (JsonNode known : components.required("schemas")) {
            if (!known.has("oneOf")) { // its alternatives are closed themselves
                ((ObjectNode) known).put("additionalProperties", false);
            }
        }
        List<String> violations = new ArrayList<>();
        for (Error error : SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                .getSchema(root)
                .validate(JsonMapper.shared().readTree(document))) {
            violations.add(error.toString());
        }
        return violations;
    }
}
