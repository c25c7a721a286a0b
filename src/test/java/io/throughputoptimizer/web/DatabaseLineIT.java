package io.throughputoptimizer.web;

import static org.hamcrest.Matchers.equalTo;

import io.throughputoptimizer.fixture.EveryNight;
import io.throughputoptimizer.fixture.PostgresServer;
import io.throughputoptimizer.fixture.TcpProxy;
import java.io.IOException;
import java.net.URI;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.test.context.TestPropertySource;

/// The line to PostgreSQL hangs for a while, and then PostgreSQL takes no writes. Patience is short; what the service
/// comes with is tried every night.
@TestPropertySource(
        properties = {
            "spring.datasource.hikari.connection-timeout=500",
            "spring.datasource.hikari.validation-timeout=250"
        })
@DirtiesContext
@Timeout(300)
@EveryNight
class DatabaseLineIT extends HttpTest {
    private static final String HEALTH = "/actuator/health";
    private static final String DATABASE = PostgresServer.newDatabase();
    private static final URI SERVER = URI.create(DATABASE.substring("jdbc:".length()));
    private static final TcpProxy LINE = new TcpProxy(SERVER.getHost(), SERVER.getPort());

    @DynamicPropertySource
    static void throughTheLine(DynamicPropertyRegistry settings) {
        settings.add(
                "spring.datasource.url",
                () -> "jdbc:postgresql://127.0.0.1:" + LINE.port() + SERVER.getPath() + "?" + SERVER.getQuery()
                        + "&socketTimeout=5&connectTimeout=5");
    }

    @AfterAll
    static void close() throws IOException {
        LINE.close();
    }

    @Test
    void callersAreAskedToComeBackAndWhatWasAcceptedIsKept() throws Exception {
        String accepted = OPTIMIZATIONS + "/" + optimize(PREFILL).extract().path("id");

        LINE.hang();
        assertThatTheCallerShallComeBack();
        assertThatOnlyTheDatabaseIsDown();
        LINE.pass();
        await(HEALTH, 200);
        optimize(PREFILL);

        PostgresServer.setReadOnly(DATABASE, true);
        assertThatTheCallerShallComeBack();
        assertThatOnlyTheDatabaseIsDown();
        api().get(accepted).then().statusCode(200).body("status", equalTo("succeeded"));
        PostgresServer.setReadOnly(DATABASE, false);
        await(HEALTH + "/readiness", 200);
        optimize(PREFILL);
    }

    private void assertThatTheCallerShallComeBack() {
        json(PREFILL)
                .post(OPTIMIZATIONS)
                .then()
                .statusCode(503)
                .header("Retry-After", "5")
                .body("type", equalTo("/problems/database-unavailable"));
    }

    private void assertThatOnlyTheDatabaseIsDown() {
        api().get(HEALTH).then().statusCode(503);
        api().get(HEALTH + "/readiness").then().statusCode(503);
        api().get(HEALTH + "/liveness").then().statusCode(200);
    }

    private void await(String path, int status) throws InterruptedException {
        while (api().get(path).statusCode() != status) {
            Thread.sleep(50);
        }
    }
}
