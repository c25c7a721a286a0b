package io.throughputoptimizer.web;

import static io.restassured.RestAssured.given;

import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.NamedCsvRecord;
import io.restassured.config.JsonConfig;
import io.restassured.config.RestAssuredConfig;
import io.restassured.http.ContentType;
import io.restassured.path.json.config.JsonPathConfig.NumberReturnType;
import io.restassured.response.ValidatableResponse;
import io.restassured.specification.RequestSpecification;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;

/// Speaks real HTTP with the service.
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
abstract class HttpTest {
    static final String OPTIMIZATIONS = "/api/v1/optimizations";
    static final String PREFILL = """
            {"model_id": "Qwen/Qwen3-8B", "devices": ["TEST_DEVICE"], "num_devices": 2, "mode": "disaggregation",
             "workload": {"input_length": 1000, "output_length": 100}, "slo": {"ttft_ms": 2000}}""";

    /// A search of more than 3 s of processor time.
    static final String LARGE = """
            {"model_id": "Qwen/Qwen3-8B", "devices": ["TEST_DEVICE"], "num_devices": 8, "mode": "disaggregation",
             "workload": {"input_length": 1000, "output_length": 100}, "slo": {"ttft_ms": 200000},
             "search": {"batch_range": [1, 400000], "strategy": "exhaustive"}}""";

    /// Numbers as precise as they are sent.
    private static final JsonConfig JSON = JsonConfig.jsonConfig().numberReturnType(NumberReturnType.DOUBLE);
    private static final RestAssuredConfig DOUBLES = RestAssuredConfig.config().jsonConfig(JSON);

    @LocalServerPort
    private int port;

    RequestSpecification api() {
        return given().config(DOUBLES).port(port);
    }

    RequestSpecification json(String body) {
        return api().contentType(ContentType.JSON).body(body);
    }

    RequestSpecification yaml(String body) {
        return api().contentType("application/yaml").body(body.getBytes(StandardCharsets.UTF_8));
    }

    /// Submits a request and waits for its job, with all probes.
    ValidatableResponse optimize(String body) {
        return json(body)
                .queryParam("include", "probes,frontier,compositions,all_rows")
                .header("Prefer", "wait=600")
                .post(OPTIMIZATIONS)
                .then()
                .statusCode(200);
    }

    /// What a request waits for, as a media type.
    String answer(String body, String mediaType) {
        return json(body)
                .accept(mediaType)
                .header("Prefer", "wait=600")
                .post(OPTIMIZATIONS)
                .then()
                .statusCode(200)
                .extract()
                .asString();
    }

    /// The result of a job as a media type.
    String report(String id, String mediaType) {
        return api().accept(mediaType)
                .get(OPTIMIZATIONS + "/" + id + "/result")
                .then()
                .statusCode(200)
                .extract()
                .asString();
    }

    /// Lines of CSV, by the names of its columns.
    static List<NamedCsvRecord> records(String csv) {
        return CsvReader.builder().ofNamedCsvRecord(csv).stream().toList();
    }
}
