package io.throughputoptimizer.web;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// Whole searches of `optimizer-end-to-end.json`, measured on the reference, through real HTTP: the best row of
/// every layout, figures equal to the three decimals they are rounded to.
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
class EndToEndGoldenIT {
    @LocalServerPort
    private int port;

    /// One row of a phase as the golden file states it; `composition` counts one data parallel rank.
    private record Row(
            int tp,
            int dp,
            long batchSize,
            long concurrency,
            @Nullable Double ttftMillis,
            @Nullable Double tpotMillis,
            double tokensPerSecond,
            List<List<Long>> composition) {}

    static Stream<Arguments> searches() throws IOException {
        try (InputStream file = EndToEndGoldenIT.class.getResourceAsStream("/golden/optimizer-end-to-end.json")) {
            JsonNode cases =
                    JsonMapper.shared().readTree(Objects.requireNonNull(file)).required("cases");
            return elements(cases)
                    .<Arguments>map(golden -> Arguments.argumentSet(
                            golden.required("case").required("name").asString(), golden))
                    .toList()
                    .stream();
        }
    }

    @ParameterizedTest
    @MethodSource("searches")
    void bestRowsEqualTheReference(JsonNode golden) {
        JsonNode phases = optimize(golden.required("case"))
                .required("result")
                .required("devices")
                .required(0)
                .required("phases");

        assertThat(elements(phases).map(phase -> phase.required("phase").asString()))
                .containsExactlyElementsOf(golden.required("expected").propertyNames());
        for (JsonNode phase : phases) {
            JsonNode expected =
                    golden.required("expected").required(phase.required("phase").asString());
            assertThat(elements(phase.required("rows")).map(EndToEndGoldenIT::served))
                    .containsExactlyElementsOf(
                            elements(expected).map(EndToEndGoldenIT::expected).toList());
            assertThat(phase.required("best")).isEqualTo(phase.required("rows").required(0));
        }
    }

    private JsonNode optimize(JsonNode golden) {
        ObjectNode request = ((ObjectNode) golden).deepCopy();
        request.remove("name");
        String model = request.remove("model").asString();
        request.put("model_id", model.replace("--", "/").replace(".json", ""));
        String body = given().port(port)
                .contentType("application/json")
                .header("Prefer", "wait=600")
                .body(request.toString())
                .post("/api/v1/optimizations")
                .then()
                .statusCode(200)
                .extract()
                .asString();
        return JsonMapper.shared().readTree(body);
    }

    private static Row served(JsonNode row) {
        int dp = row.required("parallel").required("dp").asInt();
        return new Row(
                row.required("parallel").required("tp").asInt(),
                dp,
                row.required("batch_size").asLong(),
                row.required("concurrency").asLong(),
                number(row, "ttft_ms"),
                number(row, "tpot_ms"),
                row.required("tokens_per_s").asDouble(),
                elements(row.path("composition"))
                        .map(part -> List.of(
                                part.required("num_input_tokens").asLong(),
                                part.required("query_len").asLong(),
                                part.required("samples").asLong()))
                        .toList());
    }

    private static Row expected(JsonNode row) {
        int dp = row.required("dp").asInt();
        return new Row(
                row.required("tp").asInt(),
                dp,
                row.required("batch_size").asLong(),
                row.required("concurrency").asLong(),
                number(row, "ttft_ms"),
                number(row, "tpot_ms"),
                row.required("tokens_per_s").asDouble(),
                elements(row.path("composition"))
                        .map(part -> List.of(
                                part.required(0).asLong(),
                                part.required(1).asLong(),
                                part.required(2).asLong() * dp))
                        .toList());
    }

    private static @Nullable Double number(JsonNode row, String name) {
        return row.path(name).isNumber() ? row.path(name).asDouble() : null;
    }

    private static Stream<JsonNode> elements(JsonNode list) {
        return StreamSupport.stream(list.spliterator(), false);
    }
}
