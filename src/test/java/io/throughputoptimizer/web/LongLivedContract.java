package io.throughputoptimizer.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.hasItems;

import com.zaxxer.hikari.HikariDataSource;
import io.restassured.http.ContentType;
import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;
import io.throughputoptimizer.api.key.Role;
import io.throughputoptimizer.fixture.Nightly;
import io.throughputoptimizer.fixture.PooledConnections;
import io.throughputoptimizer.web.description.Examples;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

/// A service goes on as it began when its pool has retired every connection that there was, among them those that made
/// the tables.
abstract class LongLivedContract extends SecuredTest {
    private static final int LIVES = Nightly.isNow() ? 3 : 1;
    private static final String KEYS = "/api/v1/keys";

    /// Hours of work.
    private static final String ENDLESS = """
            {"model_id": "meta-llama/Meta-Llama-3.1-405B", "devices": ["TEST_DEVICE"], "num_devices": 1,
             "mode": "aggregation", "workload": {"input_length": 20000, "output_length": 1500},
             "slo": {"ttft_ms": 1e9, "tpot_ms": 1e9},
             "search": {"tp_sizes": [1], "strategy": "exhaustive", "batch_range": [1, 500000]}}""";

    /// On devices that Kubernetes has a name for.
    private static final String SERVED = PREFILL.replace("TEST_DEVICE", "H100_SXM");

    private static final String PASS = """
            {"model_id": "Qwen/Qwen3-8B", "device": "TEST_DEVICE", "num_devices": 1,
             "pass": {"phase": "prefill", "concurrency": 1, "query_len": 1000, "seq_len": 1000}}""";

    private static final String SIMULATION = """
            {"model_id": "Qwen/Qwen3-32B", "device": "H100_SXM", "engine": {"backend": "vllm"},
             "quantization": {"scheme": "FP8"}, "parallel": {"tp": 2}, "traffic": {"concurrency": 4},
             "workload": {"input_length": 2000, "output_length": 50}}""";

    private static final String SWEEP = """
            {"base": {"cost_model": "analytic", "model_id": "Qwen/Qwen3-8B", "devices": ["H100_SXM"], "num_devices": 2,
                      "workload": {"input_length": 1000, "output_length": 100}},
             "axes": [{"pointer": "/num_devices", "values": [1, 2]}, {"pointer": "/slo/tpot_ms", "values": [20, 50]}]}""";

    private static final Pattern ANSWERED = Pattern.compile(
            "http_server_requests_seconds_count\\{.*method=\"(\\w+)\".*status=\"2\\d\\d\".*uri=\"(/api/[^\"]+)\"}");

    @Autowired
    private HikariDataSource pool;

    private String admin = "";

    @Test
    void allOfTheApiAnswersAfterEveryConnectionWasRetired() throws Exception {
        admin = key(Role.ADMIN);
        callAll(0);
        for (int life = 1; life <= LIVES; life++) {
            PooledConnections.retireAll(pool);
            callAll(life);
        }

        assertThat(answered()).containsAll(described());
    }

    private void callAll(int life) throws InterruptedException {
        manageKeys();
        readCatalogue();
        compute();
        bringMeasurements();
        readAll(waitFor(submit(SERVED, life)));
        readAll(jsonAs(admin, SERVED)
                .header("Prefer", "wait=600")
                .post(OPTIMIZATIONS)
                .then()
                .statusCode(200)
                .body("status", equalTo("succeeded"))
                .extract()
                .path("id"));
        cancelAndDelete(submit(ENDLESS, life));
        sweep();
        for (String probe : List.of("", "/readiness", "/liveness")) {
            api().get("/actuator/health" + probe).then().statusCode(200).body("status", equalTo("UP"));
        }
    }

    private void manageKeys() {
        JsonPath made = jsonAs(admin, Examples.text("key.json"))
                .post(KEYS)
                .then()
                .statusCode(201)
                .extract()
                .jsonPath();
        found(KEYS).then().body("keys.id", hasItem(made.getString("id")));
        as(made.getString("key")).get(OPTIMIZATIONS).then().statusCode(200);
        as(admin).delete(KEYS + "/" + made.getString("id")).then().statusCode(204);
        as(made.getString("key")).get(OPTIMIZATIONS).then().statusCode(401);
    }

    private void readCatalogue() {
        for (String path : List.of(
                "strategies",
                "devices",
                "devices/TEST_DEVICE",
                "models",
                "models/Qwen/Qwen3-8B",
                "length-distributions",
                "length-distributions/builtin",
                "accuracy")) {
            found("/api/v1/" + path);
        }
    }

    private void compute() {
        jsonAs(admin, PASS).post("/api/v1/estimates").then().statusCode(200);
        jsonAs(admin, SIMULATION).post("/api/v1/simulations").then().statusCode(200);
        jsonAs(admin, Examples.text("silicon.json"))
                .post("/api/v1/launch-scripts?engine=vllm")
                .then()
                .statusCode(200);
        jsonAs(admin, Examples.text("portfolio.json"))
                .post("/api/v1/portfolios")
                .then()
                .statusCode(200);
        as(admin)
                .contentType("text/plain")
                .body("non-default args: {'model': 'Qwen/Qwen3-8B'}\nModel loading took 15.27 GiB memory\n")
                .post("/api/v1/engine-logs")
                .then()
                .statusCode(200);
        as(admin)
                .contentType("text/plain")
                .body(Examples.text("server-metrics.txt"))
                .post(ServerController.METRICS)
                .then()
                .statusCode(200);
        as(admin)
                .contentType("text/csv")
                .body("10,7\n20,7\n30,9\n")
                .post(TraceController.PATH)
                .then()
                .statusCode(200);
    }

    private void bringMeasurements() {
        String rows = measured(jsonAs(admin, Examples.text("measurements.json")).post(MeasurementController.PATH));
        String file = measured(jsonAs(admin, Examples.text("result-file.json"))
                .queryParam("model_id", "Qwen/Qwen3-32B")
                .queryParam("device", "H100_SXM")
                .queryParam("scheme", "FP8")
                .queryParam("backend", "vllm")
                .queryParam("version", "0.11.0")
                .queryParam("tp", 2)
                .post(MeasurementController.FILES));
        found(MeasurementController.PATH).then().body("measurements.id", hasItems(rows, file));
        for (String set : List.of(rows, file)) {
            found(MeasurementController.PATH + "/" + set);
            as(admin).delete(MeasurementController.PATH + "/" + set).then().statusCode(204);
        }
    }

    private static String measured(Response answer) {
        assertThat(answer.statusCode()).as(answer.asString()).isEqualTo(201);
        return answer.path("id");
    }

    /// Posts a search twice under one key.
    private String submit(String request, int life) {
        String key = "life-" + life + "-" + request.hashCode();
        String first = post(request, key).path("id");
        assertThat(post(request, key).<String>path("id")).isEqualTo(first);
        return first;
    }

    private Response post(String request, String key) {
        Response answer = jsonAs(admin, request).header("Idempotency-Key", key).post(OPTIMIZATIONS);
        assertThat(answer.statusCode()).as(answer.asString()).isIn(200, 202);
        return answer;
    }

    private String waitFor(String id) throws InterruptedException {
        while (!found(OPTIMIZATIONS + "/" + id).path("status").equals("succeeded")) {
            Thread.sleep(20);
        }
        return id;
    }

    private void readAll(String id) {
        String path = OPTIMIZATIONS + "/" + id;
        jsonAs(admin, Examples.text("label.json"))
                .patch(path)
                .then()
                .statusCode(200)
                .body("starred", equalTo(true));
        found(OPTIMIZATIONS).then().body("optimizations.id", hasItem(id));
        for (String type : List.of("application/json", "text/plain", "text/csv")) {
            found(path + "/result", type);
        }
        for (String type : List.of("application/json", "text/plain")) {
            found(path + "/curves", type);
        }
        found(path + "/launch?engine=vllm");
        found(path + "/launch/engines");
        found(path + "/launch/manifests?engine=vllm", "application/yaml");
        found(path + "/contexts");
        found(path + "/events", "text/event-stream");
        share(path);
    }

    private void share(String path) {
        JsonPath link = jsonAs(admin, Examples.text("share.json"))
                .post(path + "/shares")
                .then()
                .statusCode(201)
                .extract()
                .jsonPath();
        for (String part : List.of("", "/result")) {
            api().header("Share-Token", link.getString("token"))
                    .get("/api/v1/share" + part)
                    .then()
                    .statusCode(200);
        }
        found(path + "/shares").then().body("shares.id", hasItem(link.getString("id")));
        as(admin).delete(path + "/shares/" + link.getString("id")).then().statusCode(204);
    }

    private void sweep() {
        String id = jsonAs(admin, SWEEP)
                .header("Prefer", "wait=600")
                .post(SweepController.PATH)
                .then()
                .statusCode(200)
                .body("status", equalTo("succeeded"))
                .extract()
                .path("id");
        String path = SweepController.PATH + "/" + id;
        found(SweepController.PATH).then().body("sweeps.id", hasItem(id));
        for (String read : List.of("", "/cells", "/cells/0")) {
            found(path + read);
        }
        found(path + "/table?rows=/num_devices&columns=/slo/tpot_ms&metric=token/s", "text/csv");
        found(path + "/events", "text/event-stream");
        as(admin).post(path + "/cancel").then().statusCode(200);
        as(admin).delete(path).then().statusCode(204);
    }

    private void cancelAndDelete(String id) throws InterruptedException {
        String path = OPTIMIZATIONS + "/" + id;
        as(admin).post(path + "/cancel").then().statusCode(202);
        while (as(admin).delete(path).statusCode() == 409) {
            Thread.sleep(20);
        }
        as(admin).get(path).then().statusCode(404);
    }

    private Response found(String path) {
        return found(path, ContentType.JSON.toString());
    }

    private Response found(String path, String mediaType) {
        Response answer = as(admin).accept(mediaType).get(path);
        assertThat(answer.statusCode()).as("%s: %s", path, answer.asString()).isEqualTo(200);
        return answer;
    }

    /// Operations that were answered well, such as `GET /api/v1/models`.
    private Set<String> answered() {
        String metrics = as(admin).get("/actuator/prometheus").asString();
        return ANSWERED.matcher(metrics)
                .results()
                .map(LongLivedContract::operation)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static String operation(MatchResult answered) {
        return answered.group(1) + " " + answered.group(2);
    }

    private Set<String> described() {
        return ApiDescription.of(api().get("/v3/api-docs").asString()).operations().stream()
                .map(ApiDescription.Operation::name)
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
