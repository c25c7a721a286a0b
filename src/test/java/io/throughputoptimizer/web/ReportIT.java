package io.throughputoptimizer.web;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.endsWith;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.startsWith;

import de.siegmar.fastcsv.reader.NamedCsvRecord;
import io.restassured.path.json.JsonPath;
import io.restassured.response.ValidatableResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.simple.JdbcClient;

/// Reports come from one call, or from a job at any later time, and tell the same as the JSON.
class ReportIT extends HttpTest {
    private static final String TEXT = "text/plain;charset=UTF-8";
    private static final String CSV = "text/csv;charset=UTF-8";
    private static final String BOTH_PHASES = PREFILL.replace("\"ttft_ms\"", "\"tpot_ms\": 50, \"ttft_ms\"");

    @Autowired
    private JdbcClient jdbc;

    @Test
    void aWaitingCallerMayAskForTables() {
        waitFor(PREFILL, "text/plain")
                .statusCode(200)
                .contentType(TEXT)
                .header("Location", startsWith("/api/v1/optimizations/"))
                .header("Preference-Applied", "wait=600")
                .body(startsWith("\n" + "*".repeat(80) + "\n"))
                .body(containsString("    Model: Qwen/Qwen3-8B\n"))
                .body(containsString("    Devices: 2 TEST_DEVICE\n"))
                .body(containsString("\nTop 2 PD Disaggregated Prefill Configurations:\n+-----+--"))
                .body(endsWith("*".repeat(80) + "\n"));
    }

    @Test
    void theSameTablesComeFromTheJobLater() {
        ValidatableResponse atOnce = waitFor(BOTH_PHASES, "text/plain");
        String location = atOnce.extract().header("Location");

        String later = result(location, "text/plain")
                .statusCode(200)
                .contentType(TEXT)
                .extract()
                .asString();

        assertThat(later).isEqualTo(atOnce.extract().asString()).contains("Prefill", "Decode");
    }

    @Test
    void valuesReadBackAsTheFiguresOfTheJson() {
        ValidatableResponse csv =
                waitFor(BOTH_PHASES, "text/csv").statusCode(200).contentType(CSV);
        JsonPath json = json(csv);

        List<NamedCsvRecord> records = records(csv);

        List<Map<String, ?>> rows = json.getList("devices[0].phases.collectMany { it.rows }");
        assertThat(records).hasSameSizeAs(rows).hasSize(4);
        for (int i = 0; i < rows.size(); i++) {
            assertFigures(records.get(i), rows.get(i));
        }
        assertThat(records.stream().map(record -> record.getField("phase")))
                .containsExactly("prefill", "prefill", "decode", "decode");
    }

    private static void assertFigures(NamedCsvRecord line, Map<String, ?> row) {
        assertThat(number(line, "ttft_ms")).isEqualTo(row.get("ttft_ms"));
        assertThat(number(line, "tpot_ms")).isEqualTo(row.get("tpot_ms"));
        assertThat(number(line, "tokens_per_s")).isEqualTo(row.get("tokens_per_s"));
        assertThat(number(line, "tokens_per_s_per_device")).isEqualTo(row.get("tokens_per_s_per_device"));
        assertThat(number(line, "requests_per_s")).isEqualTo(row.get("requests_per_s"));
        assertThat(line.getField("concurrency")).isEqualTo(String.valueOf(row.get("concurrency")));
        assertThat(line.getField("batch_size")).isEqualTo(String.valueOf(row.get("batch_size")));
        assertThat(line.getField("rank")).isEqualTo(String.valueOf(row.get("rank")));
        assertThat(row.get("parallel")).hasFieldOrPropertyWithValue("label", line.getField("parallel"));
        Map<?, ?> memory = (Map<?, ?>) requireNonNull(row.get("memory"));
        assertThat(number(line, "available_gb")).isEqualTo(memory.get("available_gb"));
        assertThat(number(line, "kv_cache_gb")).isEqualTo(memory.get("kv_cache_gb"));
    }

    @Test
    void anUnnamedInlineModelHasAPlaceholder() {
        String config = """
                {"model_type": "qwen3", "hidden_size": 1024, "num_hidden_layers": 2, "num_attention_heads": 16,
                 "num_key_value_heads": 8, "head_dim": 64, "intermediate_size": 4096, "vocab_size": 1000,
                 "max_position_embeddings": 4096, "rms_norm_eps": 1e-06}""";

        waitFor(PREFILL.replace("\"model_id\": \"Qwen/Qwen3-8B\"", "\"model_config\": " + config), "text/plain")
                .statusCode(200)
                .body(containsString("    Model: model_config\n"));
    }

    @Test
    void whoDoesNotWaitGetsTheJobAsJson() {
        json(PREFILL)
                .accept("text/csv")
                .post(OPTIMIZATIONS)
                .then()
                .statusCode(202)
                .contentType("application/json")
                .header("Location", startsWith("/api/v1/optimizations/"))
                .body("request.model_id", equalTo("Qwen/Qwen3-8B"));
    }

    @ParameterizedTest
    @CsvSource({
        "'', application/json",
        "'*/*', application/json",
        "'application/*', application/json",
        "'text/*', " + TEXT,
        "'text/plain;q=0.4, text/csv', " + CSV,
        "'text/csv;q=0.4, */*', application/json",
        "'application/xml, text/plain;q=0.1', " + TEXT
    })
    void theCallersPreferenceIsFollowed(String accept, String given) {
        String location = waitFor(PREFILL, "application/json").extract().header("Location");

        (accept.isEmpty() ? api() : api().accept(accept))
                .get(location + "/result")
                .then()
                .statusCode(200)
                .contentType(given);
    }

    @ParameterizedTest
    @ValueSource(strings = {"image/png", "application/yaml", "text/html"})
    void anUnknownFormatIsAProblem(String accept) {
        String location = waitFor(PREFILL, "application/json").extract().header("Location");

        result(location, accept)
                .statusCode(406)
                .contentType("application/problem+json")
                .body("status", equalTo(406))
                .body("detail", containsString("text/csv"));
        json(PREFILL).accept(accept).post(OPTIMIZATIONS).then().statusCode(406).contentType("application/problem+json");
    }

    @Test
    void problemsStayProblemsForThoseWhoWantAReport() {
        json("{").accept("text/csv").post(OPTIMIZATIONS).then().statusCode(400).contentType("application/problem+json");
        api().accept("text/plain")
                .get(OPTIMIZATIONS + "/nothing/result")
                .then()
                .statusCode(404)
                .contentType("application/problem+json");
    }

    private ValidatableResponse waitFor(String body, String accept) {
        return json(body)
                .header("Prefer", "wait=600")
                .accept(accept)
                .post(OPTIMIZATIONS)
                .then();
    }

    private ValidatableResponse result(String location, String accept) {
        return api().accept(accept).get(location + "/result").then();
    }

    private JsonPath json(ValidatableResponse report) {
        return result(report.extract().header("Location"), "application/json")
                .statusCode(200)
                .extract()
                .jsonPath();
    }

    private static List<NamedCsvRecord> records(ValidatableResponse report) {
        return records(report.extract().asString());
    }

    private static @Nullable Double number(NamedCsvRecord record, String column) {
        String field = record.getField(column);
        return field.isEmpty() ? null : Double.valueOf(field);
    }

    @Test
    void aResultOfANewerVersionIsPassedOnAsJsonAlone() throws IOException {
        String location = waitFor(PREFILL, "application/json").extract().header("Location");
        String json = result(location, "application/json").extract().asString();
        String newer = json.replace("\"result_version\":2", "\"result_version\":3");
        store(location, newer);

        assertThat(result(location, "application/json")
                        .statusCode(200)
                        .extract()
                        .asString())
                .isEqualTo(newer);
        for (String format : List.of("text/plain", "text/csv")) {
            result(location, format)
                    .statusCode(409)
                    .body("type", endsWith("/newer-result"))
                    .body("detail", containsString("it can be had as JSON only"));
        }
        api().accept("text/plain").get(location + "/curves").then().statusCode(409);
    }

    private void store(String location, String result) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
            gzip.write(result.getBytes(StandardCharsets.UTF_8));
        }
        jdbc.sql("UPDATE optimization_job SET result = :result WHERE id = :id")
                .param("result", bytes.toByteArray())
                .param("id", UUID.fromString(location.substring(location.lastIndexOf('/') + 1)))
                .update();
    }
}
