package io.throughputoptimizer.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.nullValue;
import static org.hamcrest.Matchers.startsWith;

import de.siegmar.fastcsv.reader.NamedCsvRecord;
import io.restassured.path.json.JsonPath;
import io.restassured.response.ValidatableResponse;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Sweeps over HTTP.
class SweepIT extends HttpTest {
    private static final String PATH = SweepController.PATH;
    private static final String BASE = """
            {"cost_model": "analytic", "model_id": "Qwen/Qwen3-8B", "devices": ["H100_SXM"], "num_devices": 2,
             "workload": {"input_length": 1000, "output_length": 100}, "slo": {"ttft_ms": 2000, "tpot_ms": 50}}""";

    /// A call that reads, and what it answers.

    private ValidatableResponse sweep(String axes) {
        return json("{\"base\": " + BASE + ", " + axes + "}")
                .header("Prefer", "wait=60")
                .post(PATH)
                .then();
    }

    private String finished(String axes) {
        return sweep(axes)
                .statusCode(200)
                .body("status", equalTo("succeeded"))
                .extract()
                .path("id");
    }

    private List<NamedCsvRecord> rows(String id) {
        return records(cells(id, "text/csv"));
    }

    private String cells(String id, String mediaType) {
        return api().accept(mediaType)
                .get(PATH + "/" + id + "/cells")
                .then()
                .statusCode(200)
                .extract()
                .asString();
    }

    /// Models with and without experts, devices, modes and cost models; each cell has the figures that its question has
    /// by itself, to the last digit.
    @Test
    void rowsAreThoseOfTheirOwnRequests() {
        String id = finished("""
                "axes": [
                  {"label": "model", "merge": [{"model_id": "Qwen/Qwen3-8B"}, {"model_id": "Qwen/Qwen3-30B-A3B"}]},
                  {"label": "question", "merge": [
                    {"mode": "aggregation"},
                    {"mode": "disaggregation", "slo": {"tpot_ms": null}},
                    {"mode": "pd_ratio", "pd_ratio": {"prefill_devices": 2, "decode_devices": 2}},
                    {"mode": "capacity", "num_devices": 8, "demand": {"requests_per_s": 5}},
                    {"cost_model": "calibrated", "engine": {"backend": "vllm"}, "quantization": {"scheme": "FP8"}},
                    {"devices": ["H100_SXM", "H200_SXM", "ASCEND_910B2"], "num_devices": 2}]},
                  {"pointer": "/slo/ttft_ms", "values": [2000, 1]}], "on_invalid": "skip"
                """);

        JsonPath sweep = api().get(PATH + "/" + id).jsonPath();
        assertThat(sweep.getInt("progress.done")).isEqualTo(24);
        Set<String> outcomes = new HashSet<>();
        for (int cell = 0; cell < 24; cell++) {
            JsonNode row = tree(api().get(PATH + "/" + id + "/cells/" + cell).asString());
            JsonNode own = row.required("row");
            String outcome = own.required("outcome").asString();
            outcomes.add(outcome);
            String request = row.required("request").toString();
            if (outcome.equals("invalid")) {
                json(request)
                        .post(OPTIMIZATIONS)
                        .then()
                        .statusCode(400)
                        .body(
                                "errors[0].detail",
                                equalTo(own.required("errors")
                                        .get(0)
                                        .required("detail")
                                        .asString()));
                continue;
            }
            List<NamedCsvRecord> records = records(answer(request, "text/csv"));
            if (outcome.equals("nothing")) {
                assertThat(records).as(own.toString()).isEmpty();
                continue;
            }
            for (JsonNode best : own.required("best")) {
                assertThat(records)
                        .as(own.toString())
                        .anySatisfy(record -> best.properties()
                                .forEach(figure -> assertThat(record.findField(figure.getKey()))
                                        .as(figure.getKey())
                                        .contains(figure.getValue().asString())));
            }
        }
        assertThat(outcomes).contains("answered", "nothing");
    }

    @Test
    void theCsvHasALineACellWithItsCoordinates() {
        String id = finished("""
                "axes": [{"pointer": "/num_devices", "values": [1, 2]},
                         {"pointer": "/workload/input_length", "values": {"from": 500, "to": 2000, "steps": 3, "scale": "log"}}]
                """);

        List<NamedCsvRecord> rows = rows(id);
        assertThat(rows)
                .extracting(row -> row.getField("/workload/input_length"))
                .containsExactly("500", "1000", "2000", "500", "1000", "2000");
        assertThat(rows).extracting(row -> row.getField("/num_devices")).containsExactly("1", "1", "1", "2", "2", "2");
        assertThat(rows).allSatisfy(row -> {
            assertThat(row.getField("outcome")).isEqualTo("answered");
            assertThat(Double.parseDouble(row.getField("tokens_per_s"))).isPositive();
        });
        String[] lines = cells(id, "application/x-ndjson").split("\n", -1);
        assertThat(lines).hasSize(7);
        assertThat(tree(lines[5]).at("/coordinates/~1num_devices").asInt()).isEqualTo(2);
        api().queryParam("limit", 4)
                .get(PATH + "/" + id + "/cells")
                .then()
                .body("cells.cell", contains(0, 1, 2, 3))
                .body("next_cursor", equalTo("4"));
        api().queryParam("cursor", 4)
                .get(PATH + "/" + id + "/cells")
                .then()
                .body("cells.cell", contains(4, 5))
                .body("next_cursor", nullValue());
        api().get(PATH + "/" + id + "/cells?cursor=-1")
                .then()
                .statusCode(400)
                .body("errors[0].detail", equalTo("cursor must be next_cursor of an earlier page, got \"-1\"."));
    }

    @Test
    void zippedAxesGoTogether() {
        String id = finished("""
                "axes": [{"pointer": "/workload/input_length", "values": [500, 1000]},
                         {"pointer": "/num_devices", "values": [1, 2]},
                         {"pointer": "/workload/output_length", "values": [50, 100]}],
                "zip": [["/workload/input_length", "/workload/output_length"]]
                """);

        assertThat(rows(id))
                .extracting(row -> row.getField("/workload/input_length") + " " + row.getField("/num_devices") + " "
                        + row.getField("/workload/output_length"))
                .containsExactly("500 1 50", "500 2 50", "1000 1 100", "1000 2 100");
    }

    @Test
    void whereNothingKeepsTheLimitsTheNearestIsTold() {
        String id = finished("\"axes\": [{\"pointer\": \"/slo/ttft_ms\", \"values\": [0.5]}]");

        api().get(PATH + "/" + id + "/cells")
                .then()
                .body("cells[0].outcome", equalTo("nothing"))
                .body("cells[0].best", nullValue())
                .body("cells[0].nearest.reason", equalTo("ttft"))
                .body("cells[0].nearest.detail", startsWith("TTFT "))
                .body("cells[0].nearest.of_limit", greaterThan(1.0))
                .body("cells[0].why", containsString("exceeds 0.5 ms"));
        assertThat(rows(id).getFirst().getField("why")).contains("exceeds 0.5 ms");
    }

    @Test
    void anInvalidCellIsRefusedWithItsCoordinates() {
        sweep("""
                "axes": [{"pointer": "/num_devices", "values": [1, 0]},
                         {"pointer": "/workload/input_length", "values": [500, 1000]}]
                """)
                .statusCode(400)
                .body("errors", hasSize(2))
                .body("errors[0].pointer", equalTo("/base/num_devices"))
                .body("errors[0].detail", containsString("(cell 2: /num_devices = 0, /workload/input_length = 500)"));
    }

    @Test
    void aSkippedCellIsListed() {
        String id = finished("""
                "axes": [{"pointer": "/num_devices", "values": [1, 0]}], "on_invalid": "skip"
                """);

        api().get(PATH + "/" + id).then().body("progress.invalid", equalTo(1)).body("progress.answered", equalTo(1));
        api().queryParam("outcome", "invalid")
                .get(PATH + "/" + id + "/cells")
                .then()
                .body("cells", hasSize(1))
                .body("cells[0].coordinates.'/num_devices'", equalTo(0))
                .body("cells[0].errors[0].pointer", equalTo("/num_devices"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            "axes": []                                                                                  | /axes
            "axes": [{"values": [1]}]                                                                   | /axes/0
            "axes": [{"pointer": "/num_devices"}]                                                       | /axes/0/values
            "axes": [{"pointer": "/num_devices", "values": 3}]                                          | /axes/0/values
            "axes": [{"pointer": "/num_devices", "values": []}]                                         | /axes/0/values
            "axes": [{"pointer": "num_devices", "values": [1]}]                                         | /axes/0/pointer
            "axes": [{"pointer": "/", "values": [1]}]                                                   | /axes/0/pointer
            "axes": [{"pointer": "/a~2", "values": [1]}]                                                | /axes/0/pointer
            "axes": [{"pointer": "/num_devices", "values": [1, 1]}]                                     | /axes/0/values/1
            "axes": [{"pointer": "/devices/7", "values": ["H100_SXM"]}]                                 | /axes/0/pointer
            "axes": [{"pointer": "/num_devices/x", "values": [1]}]                                      | /axes/0/pointer
            "axes": [{"pointer": "/nothing", "values": [1]}]                                            | /base/nothing
            "axes": [{"pointer": "/slo", "values": [{}]}, {"pointer": "/slo/ttft_ms", "values": [1]}]   | /axes/1
            "axes": [{"pointer": "/slo/ttft_ms", "values": [1]}, {"label": "a", "merge": [{"slo": null}, {}]}] | /axes/1
            "axes": [{"pointer": "/num_devices", "values": [1]}, {"label": "/num_devices", "merge": [{"mode": "capacity"}]}] | /axes/1/label
            "axes": [{"label": "a", "merge": [{}]}]                                                     | /axes/0/merge/0
            "axes": [{"merge": [{"mode": "capacity"}]}]                                                 | /axes/0/label
            "axes": [{"pointer": "/num_devices", "values": {"from": 1, "to": 8}}]                       | /axes/0/values/steps
            "axes": [{"pointer": "/num_devices", "values": {"from": 0, "to": 8, "steps": 3, "scale": "log"}}] | /axes/0/values/from
            "axes": [{"pointer": "/num_devices", "values": {"from": 1, "to": "NaN", "steps": 3}}]       | /axes/0/values/to
            "axes": [{"pointer": "/num_devices", "values": {"from": 1, "to": 8, "steps": 100000}}]      | /axes/0/values/steps
            "axes": [{"pointer": "/num_devices", "values": {"from": 1, "to": 8, "steps": 3, "by": 1}}]  | /axes/0/values/by
            "axes": [{"pointer": "/num_devices", "values": ["NaN"]}]                                    | /base/num_devices
            "axes": [{"pointer": "/explain", "values": [true]}]                                         | /base/explain
            "axes": [{"pointer": "/num_devices", "values": [1]}], "zip": [["/num_devices", "b"]]        | /zip/0
            "axes": [{"pointer": "/num_devices", "values": [1]}], "zip": [["/num_devices", "/num_devices"]] | /zip/0
            "axes": [{"pointer": "/num_devices", "values": [1]}], "zip": [["/num_devices"]]             | /zip/0
            "axes": [{"pointer": "/num_devices", "values": [1, 2]}, {"pointer": "/slo/ttft_ms", "values": [1]}], "zip": [["/num_devices", "/slo/ttft_ms"]] | /zip/0
            "axes": [{"pointer": "/a", "values": {"from": 1, "to": 9, "steps": 1000}}, {"pointer": "/b", "values": {"from": 1, "to": 9, "steps": 1000}}] | /axes
            """)
    void whatMakesNoGridIsRefusedByName(String axes, String pointer) {
        sweep(axes).statusCode(400).body("errors[0].pointer", equalTo(pointer));
    }

    @Test
    void notANumberIsRefusedInYaml() {
        yaml("""
                base: {num_devices: 1}
                axes:
                  - {pointer: /slo/ttft_ms, values: [.nan]}
                """).post(PATH).then().statusCode(400).body("errors[0].pointer", equalTo("/axes/0/values"));
    }

    @Test
    void aFigureOverTwoAxesIsATable() {
        String id = finished("""
                "axes": [{"pointer": "/num_devices", "values": [1, 2]},
                         {"pointer": "/workload/input_length", "values": [500, 1000, 2000]},
                         {"label": "model", "merge": [{"model_id": "Qwen/Qwen3-8B"}, {"model_id": "Qwen/Qwen3-32B"}]}]
                """);
        List<NamedCsvRecord> rows = rows(id);

        List<NamedCsvRecord> pivot = records(table(id, "text/csv"));
        assertThat(pivot).hasSize(2);
        assertThat(pivot.get(1).getField(0)).isEqualTo("2");
        for (int column = 0; column < 3; column++) {
            assertThat(pivot.get(1).getField(1 + column))
                    .isEqualTo(rows.get(6 + 2 * column + 1).getField("tokens_per_s"));
        }
        JsonPath fields = JsonPath.from(table(id, "application/json"));
        assertThat(fields.getList("fields[1].cell", Integer.class)).containsExactly(7, 9, 11);
        assertThat(fields.getDouble("fields[1][2].value"))
                .isEqualTo(Double.parseDouble(rows.get(11).getField("tokens_per_s")));
        assertThat(table(id, "text/plain"))
                .startsWith("tokens_per_s\n+")
                .contains("/num_devices \\ /workload/input_length");
        pivot(id, "model", "tokens_per_s").statusCode(400).body("errors[0].parameter", equalTo("filter"));
        pivot(id, "where", "tokens_per_s").statusCode(400).body("errors[0].parameter", equalTo("columns"));
        pivot(id, "/num_devices", "tokens_per_s").statusCode(400).body("errors[0].parameter", equalTo("columns"));
        pivot(id, "model", "speed").statusCode(400).body("errors[0].detail", containsString("tokens_per_s_per_device"));
    }

    @Test
    void aFractionThatIsWholeReadsAsSuch() {
        String id = finished("""
                "axes": [{"pointer": "/num_devices", "values": [1, 2]}, {"pointer": "/slo/tpot_ms", "values": [50.0, 40.5]}]
                """);

        for (String tpot : List.of("50", "40.5")) {
            api().accept("text/csv")
                    .queryParam("rows", "/num_devices")
                    .queryParam("metric", "tokens_per_s")
                    .queryParam("filter", "/slo/tpot_ms=" + tpot)
                    .get(PATH + "/" + id + "/table")
                    .then()
                    .statusCode(200);
        }
    }

    private ValidatableResponse pivot(String id, String columns, String value) {
        return api().accept("text/csv")
                .queryParam("rows", "/num_devices")
                .queryParam("columns", columns)
                .queryParam("metric", value)
                .get(PATH + "/" + id + "/table")
                .then();
    }

    private String table(String id, String mediaType) {
        return api().accept(mediaType)
                .queryParam("rows", "/num_devices")
                .queryParam("columns", "/workload/input_length")
                .queryParam("metric", "tokens_per_s")
                .queryParam("filter", "model=Qwen/Qwen3-32B")
                .get(PATH + "/" + id + "/table")
                .then()
                .statusCode(200)
                .extract()
                .asString();
    }

    @Test
    void aKeyGivesTheFirstSweepAgain() {
        String body = "{\"base\": " + BASE + ", \"axes\": [{\"pointer\": \"/num_devices\", \"values\": [1]}]}";
        String first = json(body)
                .header("Idempotency-Key", "sweep-once")
                .post(PATH)
                .then()
                .statusCode(202)
                .extract()
                .path("id");

        json(body).header("Idempotency-Key", "sweep-once").post(PATH).then().body("id", equalTo(first));
        json(body.replace("[1]", "[2]"))
                .header("Idempotency-Key", "sweep-once")
                .post(PATH)
                .then()
                .statusCode(422);
    }

    /// The sweep would take hours.
    @Test
    void aSweepIsCancelledAndRemoved() {
        String id = json("{\"base\": " + BASE.replace("\"slo\"", "\"search\": {\"strategy\": \"exhaustive\"}, \"slo\"")
                        + """
                , "axes": [{"pointer": "/workload/input_length", "values": {"from": 1000, "to": 9000, "steps": 100}},
                           {"pointer": "/workload/output_length", "values": {"from": 1000, "to": 9000, "steps": 100}}],
                  "on_invalid": "skip"}
                """)
                .post(PATH)
                .then()
                .statusCode(202)
                .extract()
                .path("id");

        api().delete(PATH + "/" + id).then().statusCode(409).body("type", equalTo("/problems/still-running"));
        api().post(PATH + "/" + id + "/cancel").then().statusCode(202).body("status", equalTo("cancelled"));
        assertThat(api().get(PATH + "/" + id + "/events").asString()).contains("event:finished", "\"cancelled\"");
        api().post(PATH + "/" + id + "/cancel").then().statusCode(200);
        json("{\"name\": \" grid \"}")
                .patch(PATH + "/" + id)
                .then()
                .statusCode(200)
                .body("name", equalTo("grid"));
        json("{\"name\": null}")
                .patch(PATH + "/" + id)
                .then()
                .statusCode(400)
                .body("errors[0].pointer", equalTo("/name"));
        json("{\"name\": \"\"}").patch(PATH + "/" + id).then().statusCode(200).body("name", nullValue());
        api().get(PATH).then().body("sweeps.id", hasItem(id)).body("sweeps[0].request", nullValue());
        api().delete(PATH + "/" + id).then().statusCode(204);
        api().get(PATH + "/" + id).then().statusCode(404);
        api().get(PATH).then().body("sweeps.id", not(hasItem(id)));
    }

    @Test
    void aSweepTellsItsAxes() {
        String id = finished("""
                "axes": [{"pointer": "/slo/tpot_ms", "values": {"from": 10, "to": 40.0, "steps": 4}},
                         {"label": "two", "merge": [{"slo": {"ttft_ms": 900}}, {"slo": {"ttft_ms": 800}, "num_devices": 4}]}]
                """);

        api().get(PATH + "/" + id)
                .then()
                .body("values", hasItem("tokens_per_s"))
                .body("axes.label", contains("/slo/tpot_ms", "two"))
                .body("axes[0].values", contains(10.0, 20.0, 30.0, 40.0))
                .body("axes[1].values", contains(900, "{\"slo\":{\"ttft_ms\":800},\"num_devices\":4}"))
                .body("request.base.model_id", equalTo("Qwen/Qwen3-8B"))
                .body("finished_at", notNullValue());
    }

    private static JsonNode tree(String json) {
        return JsonMapper.shared().readTree(json);
    }
}
