package io.throughputoptimizer.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;

import com.zaxxer.hikari.HikariDataSource;
import io.throughputoptimizer.fixture.PooledConnections;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.simple.JdbcClient;

/// The database can be read and written, but takes no jobs: a constraint holds on to a connection that is closed.
class SubmissionHealthIT extends HttpTest {
    private static final String HEALTH = "/actuator/health";
    private static final String WAITING = "scheduled_tasks WHERE task_name = 'optimization'";

    @Autowired
    private HikariDataSource pool;

    @Autowired
    private JdbcClient jdbc;

    @Test
    void healthAndReadinessAreDownWhileSubmissionsFail() throws Exception {
        int before = rows("optimization_job");
        int waiting = rows(WAITING);
        // with every status there is: jobs of other tests are in the table
        jdbc.sql("ALTER TABLE optimization_job ADD CONSTRAINT held"
                        + " CHECK (status IN ('queued', 'running', 'succeeded', 'failed', 'cancelled'))")
                .update();
        PooledConnections.retireAll(pool);
        await(503);

        json(PREFILL).post(OPTIMIZATIONS).then().statusCode(503);
        api().get(OPTIMIZATIONS).then().statusCode(200);
        api().get(HEALTH).then().statusCode(503).body("components.db.status", equalTo("DOWN"));
        api().get(HEALTH + "/readiness").then().statusCode(503);
        api().get(HEALTH + "/liveness").then().statusCode(200);

        jdbc.sql("ALTER TABLE optimization_job DROP CONSTRAINT held").update();
        await(200);
        optimize(PREFILL);
        assertThat(rows("optimization_job")).isEqualTo(before + 1);
        assertThat(rows(WAITING)).isLessThanOrEqualTo(waiting);
    }

    private int rows(String table) {
        return jdbc.sql("SELECT COUNT(*) FROM " + table).query(Integer.class).single();
    }

    private void await(int status) throws InterruptedException {
        while (api().get(HEALTH).statusCode() != status) {
            Thread.sleep(50);
        }
    }
}
