package io.throughputoptimizer.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.greaterThan;

import io.restassured.response.Response;
import io.throughputoptimizer.fixture.RequestEditor;
import io.throughputoptimizer.web.description.DescriptionGenerator;
import io.throughputoptimizer.web.description.Examples;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.config.AutowireCapableBeanFactory;
import org.springframework.core.io.ClassPathResource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.util.RawValue;
import tools.jackson.dataformat.yaml.YAMLMapper;

/// The committed API description, which the service serves, is that of its controllers, and answers keep its schemas.
///
/// After a meant change of the API, `./mvnw test -Dtest=OpenApiIT -Dopenapi.write=true` writes the file anew.
class OpenApiIT extends HttpTest {
    private static final Path COMMITTED = Path.of("openapi", "openapi.yaml");
    private static final YAMLMapper YAML = new YAMLMapper();

    @Test
    void theCommittedDescriptionIsThatOfTheControllers(@Autowired AutowireCapableBeanFactory beans) throws IOException {
        byte[] made = beans.createBean(DescriptionGenerator.class).yaml();
        if (Boolean.getBoolean("openapi.write")) {
            Files.write(COMMITTED, made);
        }

        assertThat(Files.readString(COMMITTED)).isEqualTo(new String(made, StandardCharsets.UTF_8));
    }

    /// As it was when the service was built.
    @Test
    void theServedDescriptionIsTheOneThatCameWithTheService() throws IOException {
        byte[] built = new ClassPathResource("openapi/openapi.yaml").getContentAsByteArray();

        assertThat(api().get("/v3/api-docs.yaml")
                        .then()
                        .statusCode(200)
                        .extract()
                        .asByteArray())
                .isEqualTo(built);
        assertThat(JsonMapper.shared().readTree(api().get("/v3/api-docs").asString()))
                .isEqualTo(YAML.readTree(built));
    }

    @Test
    void everyMemberIsInSnakeCase() {
        JsonNode schemas = description().schemas();

        assertThat(schemas.propertyNames()).hasSizeGreaterThan(30);
        for (Map.Entry<String, JsonNode> schema : schemas.properties()) {
            assertThat(schema.getValue().path("properties").propertyNames())
                    .as(schema.getKey())
                    .allMatch(name -> name.matches("[a-z0-9]+(_[a-z0-9]+)*"));
        }
    }

    @Test
    void answersKeepTheirSchemas() {
        String job = optimize(PREFILL.replace(
                        "[\"TEST_DEVICE\"]",
                        "[\"TEST_DEVICE\", \"ATLAS_800_A2_376T_64G\"], \"dump_original_results\": true"))
                .extract()
                .asString();
        assertThat(violations("Job", job)).isEmpty();
        String ratio = optimize("""
                        {"model_id": "Qwen/Qwen3-8B", "devices": ["TEST_DEVICE", "ATLAS_800_A2_376T_64G"], "num_devices": 8,
                         "mode": "pd_ratio", "accounting": "steady",
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
        String mixed = optimize(Examples.text("mixed-prefill.json")).extract().asString();
        assertThat(violations("Job", mixed)).isEmpty();
        String infeasible = optimize(PREFILL.replace("2000", "0.001")).extract().asString();
        assertThat(violations("Job", infeasible)).isEmpty();
        assertThat(violations("JobList", api().get(OPTIMIZATIONS).asString())).isEmpty();
        String estimate =
                json(Examples.text("mixed-pass.json")).post("/api/v1/estimates").asString();
        assertThat(violations("Estimate", estimate)).isEmpty();
        String calibrated = json(Examples.text("calibrated-pass.json"))
                .post("/api/v1/estimates")
                .asString();
        assertThat(violations("CalibratedEstimate", calibrated)).isEmpty();
        String simulation = json(Examples.text("open-loop.json"))
                .post("/api/v1/simulations")
                .asString();
        assertThat(violations("Simulation", simulation)).isEmpty();
        assertThat(violations("DeviceList", api().get("/api/v1/devices").asString()))
                .isEmpty();
        assertThat(violations("ModelList", api().get("/api/v1/models").asString()))
                .isEmpty();
        String distribution = api().get("/api/v1/length-distributions/builtin").asString();
        assertThat(violations("NamedLengthDistribution", distribution)).isEmpty();
    }

    @Test
    void requestsTakeNoOtherMembersThanTheirSchemas() {
        JsonNode examples = JsonMapper.shared().readTree(Examples.text("inline-device.json"));
        assertThat(description().broken("OptimizationRequest", examples.toString()))
                .isEmpty();
        for (String place : List.of(
                "",
                "/workload",
                "/slo",
                "/serving",
                "/search",
                "/quantization",
                "/device_profiles/0",
                "/device_profiles/0/compute",
                "/device_profiles/0/compute/matrix_tflops",
                "/device_profiles/0/interconnect/links/0")) {
            ObjectNode request = (ObjectNode) examples.deepCopy();
            request.withObject("/serving");
            request.withObject("/search");
            request.withObject("/quantization");
            ((ObjectNode) request.at(place)).put("bogus", 1);

            assertThat(description().broken("OptimizationRequest", request.toString()))
                    .as(place)
                    .isNotEmpty();
            json(request.toString())
                    .post(OPTIMIZATIONS)
                    .then()
                    .statusCode(400)
                    .body("errors[0].pointer", equalTo(place + "/bogus"));
        }
    }

    @Test
    void aListThatIsNullCountsAsAbsent() {
        Response answer = json("""
                {"model_id": "Qwen/Qwen3-8B", "num_devices": {"TEST_DEVICE": 2}, "devices": null, "device_profiles": null, "allow_beyond_context": true,
                 "workload": {"length_distribution": {"name": "builtin", "bins": null}, "output_length": 100},
                 "slo": {"ttft_ms": 4000}, "mode": "disaggregation", "serving": {"mtp_acceptance_rate": null},
                 "search": {"tp_sizes": null, "ep_sizes": null, "moe_dp_sizes": null, "batch_range": null}}""").header("Prefer", "wait=600").post(OPTIMIZATIONS);

        answer.then()
                .statusCode(200)
                .body("request.devices", contains("TEST_DEVICE"))
                .body("request.serving.mtp_acceptance_rate", contains(0.9, 0.6, 0.4, 0.2));
    }

    @Test
    void aDeviceIsTakenWithinTheBoundsOfItsSchemaOnly() {
        String device = RequestEditor.with(
                JsonMapper.shared()
                        .readTree(Examples.text("inline-device.json"))
                        .at("/device_profiles/0")
                        .toString(),
                "/calibration",
                JsonMapper.shared()
                        .readTree(api().get("/api/v1/devices/L40S").asString())
                        .required("calibration")
                        .toString());
        List<String> checked = new ArrayList<>();
        description().numbers("DeviceDocument").forEach((pointer, schema) -> {
            BigDecimal least = schema.required("minimum").decimalValue();
            BigDecimal most = schema.required("maximum").decimalValue();
            assertThat(refused(device, pointer, least)).as(pointer).isFalse();
            assertThat(refused(device, pointer, most)).as(pointer).isFalse();
            assertThat(refused(device, pointer, least.subtract(new BigDecimal("1e-9"))))
                    .as(pointer)
                    .isTrue();
            assertThat(refused(device, pointer, most.add(BigDecimal.ONE)))
                    .as(pointer)
                    .isTrue();
            checked.add(pointer);
        });
        assertThat(checked).hasSize(25);
        for (String member : List.of("name", "vendor", "compute", "memory", "static_costs_us", "interconnect")) {
            String without = RequestEditor.with(device, "/" + member, "null");
            assertThat(answer(without).path("errors.pointer").toString()).contains("/device_profile/" + member);
        }
    }

    private boolean refused(String device, String pointer, BigDecimal value) {
        return answer(RequestEditor.with(device, pointer, value.toPlainString()))
                        .statusCode()
                == 400;
    }

    private Response answer(String device) {
        String request = JsonMapper.shared()
                .createObjectNode()
                .put("model_id", "Qwen/Qwen3-8B")
                .put("num_devices", 1)
                .putRawValue(
                        "pass",
                        new RawValue("{\"phase\": \"decode\", \"concurrency\": 1, \"query_len\": 1, \"seq_len\": 10}"))
                .putRawValue("device_profile", new RawValue(device))
                .toString();
        return json(request).post("/api/v1/estimates");
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
    void aWrongDocumentWouldBeNoticed() {
        assertThat(violations("Problem", "{\"type\": \"about:blank\", \"title\": \"T\", \"status\": \"400\"}"))
                .hasSizeGreaterThanOrEqualTo(2);
        assertThat(violations("Progress", "{\"candidates_done\": 1, \"points\": 1, \"extra\": 1}"))
                .hasSize(1);
    }

    private ApiDescription description() {
        return ApiDescription.of(api().get("/v3/api-docs").asString());
    }

    private List<String> violations(String schema, String document) {
        return description().violations(schema, document);
    }
}
