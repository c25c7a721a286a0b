package io.throughputoptimizer.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.endsWith;
import static org.hamcrest.Matchers.hasItem;

import io.restassured.response.Response;
import io.throughputoptimizer.api.key.Role;
import io.throughputoptimizer.fixture.EveryNight;
import io.throughputoptimizer.web.description.Examples;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/// Measurements are their caller's as jobs are: to who may not see it, another's set is as one that there is not.
@EveryNight
class AnothersMeasurementsIT extends SecuredTest {
    private static final String PATH = MeasurementController.PATH;

    private static final String PLAN = """
            {"model_id": "Qwen/Qwen3-32B", "cost_model": "calibrated", "devices": ["H100_SXM"], "num_devices": 2,
             "engine": {"backend": "vllm", "version": "0.11.0"}, "quantization": {"scheme": "FP8"},
             "workload": {"input_length": 3500, "output_length": 1500}, "feedback": {"measurements": ["%s"]}}""";

    private String bring(String key) {
        return jsonAs(key, Examples.text("measurements.json"))
                .post(PATH)
                .then()
                .statusCode(201)
                .extract()
                .path("id");
    }

    @Test
    void anothersSetIsAsOneThatThereIsNot() {
        String mine = key(Role.SUBMIT);
        String others = key(Role.SUBMIT);
        String set = bring(others);
        String missing = UUID.randomUUID().toString();

        assertThat(answer(as(mine).get(PATH + "/" + set))).isEqualTo(answer(as(mine).get(PATH + "/" + missing)));
        assertThat(answer(as(mine).delete(PATH + "/" + set))).isEqualTo(answer(as(mine).delete(PATH + "/" + missing)));
        assertThat(answer(jsonAs(mine, PLAN.formatted(set)).post(OPTIMIZATIONS)).replace(set, "ID"))
                .startsWith("400 ")
                .isEqualTo(answer(jsonAs(mine, PLAN.formatted(missing)).post(OPTIMIZATIONS))
                        .replace(missing, "ID"));
        jsonAs(others, PLAN.formatted(set)).post(OPTIMIZATIONS).then().statusCode(202);
        as(mine).get(PATH).then().body("measurements", empty());
        as(others).get(PATH).then().body("measurements.id", contains(set));
        as(others).get(PATH + "/" + set).then().statusCode(200);
    }

    private static String answer(Response response) {
        return response.statusCode() + " " + response.asString();
    }

    @Test
    void readersSeeAllAndRemoveNone() {
        String set = bring(key(Role.SUBMIT));
        String reader = key(Role.READ);
        String both = key(Role.READ, Role.SUBMIT);

        as(reader).get(PATH + "?limit=100").then().body("measurements.id", hasItem(set));
        as(reader).get(PATH + "/" + set).then().statusCode(200);
        as(reader).delete(PATH + "/" + set).then().statusCode(403).body("type", endsWith("role-needed"));
        as(both).delete(PATH + "/" + set).then().statusCode(403).body("type", endsWith("not-own-measurements"));
        as(key(Role.ADMIN)).delete(PATH + "/" + set).then().statusCode(204);
    }
}
