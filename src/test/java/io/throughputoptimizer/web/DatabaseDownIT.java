package io.throughputoptimizer.web;

import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;

import java.sql.Connection;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.context.TestPropertySource;

/// The database does not answer for a while: the test holds all connections.
@TestPropertySource(
        properties = {
            "spring.datasource.hikari.maximum-pool-size=2",
            "spring.datasource.hikari.connection-timeout=1000",
            "optimizer.http.retry-after=7s"
        })
class DatabaseDownIT extends HttpTest {
    @Autowired
    private DataSource database;

    @Test
    void callersAreAskedToComeBackAndFindTheServiceWell() throws Exception {
        try (Connection _ = database.getConnection();
                Connection _ = database.getConnection()) {
            json(PREFILL)
                    .post(OPTIMIZATIONS)
                    .then()
                    .statusCode(503)
                    .contentType("application/problem+json")
                    .header("Retry-After", "7")
                    .body("type", equalTo("/problems/database-unavailable"));
            api().get(OPTIMIZATIONS).then().statusCode(503);
            api().get("/actuator/health").then().statusCode(503).body("status", equalTo("DOWN"));
            api().get("/actuator/health/liveness").then().statusCode(200);
            api().get("/actuator/prometheus")
                    .then()
                    .statusCode(200)
                    .body(containsString("optimizer_jobs_waiting NaN"))
                    .body(containsString("optimizer_jobs_oldest_waiting_seconds NaN"))
                    .body(containsString("optimizer_jobs_running 0.0"));
        }

        while (json(PREFILL).post(OPTIMIZATIONS).statusCode() == 503) {
            Thread.sleep(50);
        }
    }
}
