package io.throughputoptimizer;

import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.equalTo;

import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;

@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
class ServiceStartIT {

    @LocalServerPort
    private int port;

    @Test
    void aStartedServiceIsReady() {
        given().port(port)
                .get("/actuator/health/readiness")
                .then()
                .statusCode(200)
                .body("status", equalTo("UP"));
    }
}
