package io.throughputoptimizer.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsInAnyOrder;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;

import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import io.throughputoptimizer.web.ApiDescription.Operation;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Queries whose parameters are unknown, missing or repeated.
class KnownParametersIT extends HttpTest {
    @Test
    void everyOperationRefusesUnknownParameters() {
        List<Operation> operations = ApiDescription.of(
                        api().get("/v3/api-docs").then().extract().asString())
                .operations();

        assertThat(operations).hasSizeGreaterThan(40).allSatisfy(operation -> {
            RequestSpecification request = api().queryParam("bogus", "");
            operation.node().path("requestBody").path("content").propertyNames().stream()
                    .findFirst()
                    .ifPresent(type -> request.contentType(type).body("{}".getBytes(StandardCharsets.UTF_8)));
            Response answer = request.request(
                    operation.method().toUpperCase(Locale.ROOT),
                    operation.path().replaceAll("\\{\\w+}", "x"));
            assertThat(answer.statusCode()).as(operation.name()).isEqualTo(400);
            assertThat(answer.contentType()).startsWith("application/problem+json");
            assertThat(answer.jsonPath().getList("errors.parameter")).contains("bogus");
            assertThat(answer.jsonPath().getString("errors.find { it.parameter == 'bogus' }.detail"))
                    .startsWith("bogus is unknown");
        });
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "optimizations?statuss=failed | statuss | is unknown; allowed: cursor, limit, q, starred, status. Did you mean \"status\"?",
                "optimizations?LIMIT=1 | LIMIT | is unknown; allowed: cursor, limit, q, starred, status. Did you mean \"limit\"?",
                "optimizations/x/launch/manifests?kind=kserve | kind | is unknown; allowed: context_tokens, device, devices_per_node, engine, format, rank",
                "optimizations/x/launch/manifests?format=helm | format | must be one of deployment, leaderworkerset, dynamo, llm-d, kserve, got \"helm\"",
                "devices?name=H100 | name | is unknown: the operation has no query parameters",
                "optimizations?limit=1&limit=2 | limit | must be given once, got 2 values",
                "optimizations/x/launch?engine=vllm&engine=vllm | engine | must be given once, got 2 values",
            })
    void refusesByName(String path, String parameter, String message) {
        api().get("/api/v1/" + path)
                .then()
                .statusCode(400)
                .body("errors[0].parameter", equalTo(parameter))
                .body("errors[0].detail", containsString(message));
    }

    @Test
    void namesAllParametersThatAreMissing() {
        api().get("/api/v1/sweeps/x/table")
                .then()
                .statusCode(400)
                .body("errors.parameter", containsInAnyOrder("rows", "metric"))
                .body("errors[0].detail", containsString("is required"));
    }

    @Test
    void takesListsThatAreRepeated() {
        api().queryParam("status", "queued", "failed").get(OPTIMIZATIONS).then().statusCode(200);
    }
}
