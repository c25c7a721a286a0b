package io.throughputoptimizer.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.endsWith;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;

import io.restassured.response.Response;
import io.throughputoptimizer.api.key.Role;
import io.throughputoptimizer.fixture.EveryNight;
import io.throughputoptimizer.web.description.Examples;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/// Sweeps are their caller's as jobs are: to who may not see it, another's sweep is as one that there is not.
/// Cells name only measurements of their owner.
@EveryNight
class AnothersSweepIT extends SecuredTest {
    private static final String PATH = SweepController.PATH;

    private String sweep(String key) {
        return jsonAs(key, Examples.text("zipped-sweep.json"))
                .header("Prefer", "wait=60")
                .post(PATH)
                .then()
                .statusCode(200)
                .extract()
                .path("id");
    }

    @Test
    void anothersSweepIsAsOneThatThereIsNot() {
        String mine = key(Role.SUBMIT);
        String others = key(Role.SUBMIT);
        String sweep = sweep(others);
        String missing = UUID.randomUUID().toString();

        for (String part : List.of("", "/cells", "/cells/0", "/events", "/table?rows=a&metric=b")) {
            assertThat(answer(as(mine).get(PATH + "/" + sweep + part)))
                    .startsWith("404 ")
                    .isEqualTo(answer(as(mine).get(PATH + "/" + missing + part)));
        }
        assertThat(answer(as(mine).delete(PATH + "/" + sweep)))
                .isEqualTo(answer(as(mine).delete(PATH + "/" + missing)));
        assertThat(answer(as(mine).post(PATH + "/" + sweep + "/cancel")))
                .isEqualTo(answer(as(mine).post(PATH + "/" + missing + "/cancel")));
        as(mine).get(PATH).then().body("sweeps", empty());
        as(others).get(PATH).then().body("sweeps.id", contains(sweep));
        as(others).get(PATH + "/" + sweep + "/cells").then().body("cells.cell", contains(0, 1));
    }

    @Test
    void readersSeeAllAndEndNone() {
        String sweep = sweep(key(Role.SUBMIT));
        String reader = key(Role.READ);
        String both = key(Role.READ, Role.SUBMIT);

        as(reader).get(PATH + "?limit=100").then().body("sweeps.id", hasItem(sweep));
        as(reader).get(PATH + "/" + sweep).then().statusCode(200);
        as(both).post(PATH + "/" + sweep + "/cancel").then().statusCode(403).body("type", endsWith("not-own-job"));
        as(both).delete(PATH + "/" + sweep).then().statusCode(403);
        as(key(Role.ADMIN)).delete(PATH + "/" + sweep).then().statusCode(204);
    }

    @Test
    void cellsNameMeasurementsOfTheirOwnerOnly() {
        String others = key(Role.SUBMIT);
        String set = jsonAs(others, Examples.text("measurements.json"))
                .post(MeasurementController.PATH)
                .then()
                .extract()
                .path("id");
        String learning = """
                {"base": {"model_id": "Qwen/Qwen3-32B", "cost_model": "calibrated", "devices": ["H100_SXM"],
                          "engine": {"backend": "vllm", "version": "0.11.0"}, "quantization": {"scheme": "FP8"},
                          "workload": {"input_length": 3500, "output_length": 1500}, "feedback": {"measurements": ["%s"]}},
                 "axes": [{"pointer": "/num_devices", "values": [2]}]}""".formatted(set);

        jsonAs(key(Role.SUBMIT), learning)
                .post(PATH)
                .then()
                .statusCode(400)
                .body("errors[0].pointer", equalTo("/base/feedback/measurements/0"));
        jsonAs(others, learning)
                .header("Prefer", "wait=60")
                .post(PATH)
                .then()
                .statusCode(200)
                .body("progress.answered", equalTo(1));
    }

    private static String answer(Response response) {
        return response.statusCode() + " " + response.asString();
    }
}
